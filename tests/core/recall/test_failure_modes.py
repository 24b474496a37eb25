"""The failure modes of design/recall.md 9, one by one: each is provoked, and what the person is told is asserted."""

from __future__ import annotations

from pathlib import Path

from core.library import Library
from core.ports import Extractor, Reach, Receipt
from core.recall.dialogue import Ports, begin, say
from core.recall.model import Advance, RoundKind, Scope, Unresolved, Utterance
from core.records.archive import Archive
from core.records.model import Origin, Tally
from indexes.whoosh_index import WhooshIndex
from tests.core.recall.fakes import DAY, NOON, FakeRecord, FakeSearcher, FixedClock, receipt, talk
from tests.core.records.builders import OTHER, SID, assistant, lines, text, tool_result, user
from tui.plain import outcome_lines, round_lines

T = NOON.timestamp()


def told(records: tuple[FakeRecord, ...], cue: str, *said: str, receipts: dict[str, Receipt] | None = None) -> Advance:
    kept = {r.path: receipt() for r in records} if receipts is None else receipts
    ports = Ports(FakeSearcher(records, kept), FixedClock())
    advance = begin(cue, ports)
    for words in said:
        advance = say(advance.context, Utterance(words), ports)
    return advance


def words(advance: Advance) -> str:
    """What the person reads, on one line."""
    lines = round_lines(advance.round) if advance.round is not None else []
    return " ".join(" ".join((*lines, *outcome_lines(advance.outcome))).split())


def test_false_anchor() -> None:
    count = talk("count", "run the suite: 227 tests passed", "227 of 227")
    assert "227 occurs in what was found only in another sense, not as a pull request" in words(
        told((count,), "PR 227")
    )


def test_index_lacking() -> None:
    hidden = talk("hidden", "run the siren check", "done", hidden=("fingerprint quexo4471 stored",))
    asked = told((hidden,), "quexo4471")
    assert "tool input and output" in words(asked) or "A wider search is possible" in words(asked)
    found = words(told((hidden,), "quexo4471", "search wider"))
    assert "IndexLacking: the record carries what was found, the index does not" in found
    assert "quexo4471" in found


def test_partial_extract() -> None:
    record = talk("torn", "stop the retry storm", "a budget was merged")
    part = Receipt(1000, 1, {Extractor.HEAD: Reach.SUCCEEDED, Extractor.TALK: Reach.INPUT_FAILED}, Tally(2, 0, 0))
    round_ = told((record,), "retry storm", receipts={record.path: part})
    assert "PartialExtract: the reader of its conversation could not read the record" in words(round_)
    assert "captured whole" not in words(round_)
    assert round_.round is not None
    assert round_.round.kind is RoundKind.PRESENT, "a receipt never changes whether it is told"


def test_ungroundable() -> None:
    broken = talk("broken", "retry budget", "budget", opens=False)
    asked = words(told((broken,), "retry budget"))
    assert "What fits could not be opened." in asked
    assert broken.path in asked
    assert "Its file cannot be read." in asked
    ended = told((broken,), "retry budget", "in the payment client")
    assert isinstance(ended.outcome, Unresolved)
    assert "1 record could not be opened" in words(ended)
    assert "not proof that it never happened" in words(ended)


def test_index_as_evidence_is_impossible() -> None:
    broken = talk("broken", "retry budget was refused", "x", opens=False, title="Retry budget")
    after = told((broken,), "retry budget")
    assert after.round is not None
    assert (after.round.recognizable, after.round.story, after.round.excerpts) == (None, (), ())
    assert "was refused" not in words(after), "nothing is quoted from the index"


def test_chronology_from_hits() -> None:
    line = (
        talk("one", "stop the retry storm of the client", "I propose a retry budget, see PR #88", started=T - 90 * DAY),
        talk("two", "review #88 of the retry budget", "the retry budget looks right", started=T - 85 * DAY),
    )
    assert "The order covers only the records that were found, not every change in between." in words(
        told(line, "everything we did on the retry budget")
    )


def test_attribution_loss_is_impossible() -> None:
    """What each speaker said is told as that speaker's: a decision of the assistant is never the person's."""
    record = FakeRecord(
        "mixed",
        (
            (Origin.PERSON, "Which retry budget should it be?"),
            (Origin.ASSISTANT, "We decided on a retry budget of ten."),
            (Origin.INJECTED, "The retry budget was decided by the person."),
            (Origin.EXTERNAL, "retry budget: test failed"),
        ),
    )
    after = told((record,), "retry budget")
    assert after.round is not None
    sides = {text: origin for origin, text in record.said}
    for claim in after.round.story:
        whole = next(text for text in sides if claim.quote in text)
        assert claim.speaker is sides[whole]
        assert claim.text.lower().count("you ") == 0 or sides[whole] is Origin.PERSON
    assert "assistant" in next(c.text for c in after.round.story if "decided on" in c.text)


# -- over real files and the real index


def over_files(home: Path, cue: str, *said: str) -> Advance:
    """The dialogue over the made-up files below `home`."""
    archive = Archive.from_environment({}, str(home))
    library = Library(archive, WhooshIndex(home.parent / "index", archive), str(home), FixedClock())
    library.refresh()
    advance = library.start(cue, Scope())
    for more in said:
        advance = library.say(advance.context, Utterance(more), Scope())
    return advance


def put(home: Path, name: str, *rows: object) -> Path:
    path = home / ".claude/projects/-shop" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lines(*rows))
    return path


def test_a_sidechain_without_a_record_of_its_own(tmp_path: Path) -> None:
    """SidechainNoSSOT: the story is told; about resuming it is said that the session that started it is not here."""
    asked = user("Find what makes the siren howl", isSidechain=True, agentId="a1", uuid="s-1")
    found = assistant(text("A bent reed makes the siren howl"), isSidechain=True, agentId="a1", uuid="s-2")
    put(tmp_path / "home", f"{SID}/subagents/agent-a1.jsonl", asked, found)
    told_ = over_files(tmp_path / "home", "the howl of the siren")
    assert told_.round is not None
    assert told_.round.story
    assert told_.round.recognizable is not None
    handle = told_.round.recognizable.members[0].handle
    assert handle.command == ""
    assert SID in handle.note
    assert "not here" in handle.note
    assert "Resume: " not in words(told_)
    assert "About resuming" in words(told_)


def test_partial_extract_of_a_record_with_torn_lines(tmp_path: Path) -> None:
    put(tmp_path / "home", f"{SID}.jsonl", user("stop the retry storm"), b'{"type":"assistant","message":{"con\n',
        assistant(text("a budget stops the retry storm"), uuid="u-2"))  # fmt: skip
    read = words(over_files(tmp_path / "home", "retry storm"))
    assert "1 line did not parse." in read
    assert "captured whole" not in read


def test_index_lacking_over_files(tmp_path: Path) -> None:
    put(tmp_path / "home", f"{SID}.jsonl", user("run the siren check"), assistant(text("it ran"), uuid="u-2"),
        user([tool_result("fingerprint quexo4471 stored")], uuid="u-3"))  # fmt: skip
    asked = over_files(tmp_path / "home", "quexo4471")
    assert asked.round is not None
    assert asked.round.kind is not RoundKind.PRESENT
    found = words(over_files(tmp_path / "home", "quexo4471", "search wider"))
    assert "IndexLacking" in found
    assert "fingerprint quexo4471 stored" in found


def test_ungroundable_over_files(tmp_path: Path) -> None:
    """The index holds it, its file is gone: it is named, and nothing is told from the index."""
    path = put(
        tmp_path / "home", f"{SID}.jsonl", user("the pelican of the third pier"), assistant(text("it flew"), uuid="u-2")
    )
    over_files(tmp_path / "home", "pelican")
    path.unlink()
    read = over_files(tmp_path / "home", "pelican")
    assert read.round is not None
    assert read.round.story == ()
    assert "Its file is gone." in words(read)
    assert str(path) in words(read)
    assert "flew" not in words(read)


def test_false_anchor_over_files(tmp_path: Path) -> None:
    put(tmp_path / "home", f"{SID}.jsonl", user("run the suite"), assistant(text("3. 227 tests passed"), uuid="u-2"))
    other = [
        user("review PR #227 of the siren", uuid="o-1", sessionId=OTHER),
        assistant(text("it looks right"), uuid="o-2", sessionId=OTHER),
    ]
    put(tmp_path / "home", f"{OTHER}.jsonl", *other)
    right = over_files(tmp_path / "home", "PR 227")
    assert right.round is not None
    assert right.round.recognizable is not None
    assert right.round.recognizable.members[0].locator.session_id == OTHER
    (tmp_path / f"home/.claude/projects/-shop/{OTHER}.jsonl").unlink()
    assert "only in another sense, not as a pull request" in words(over_files(tmp_path / "home", "PR 227 suite"))
