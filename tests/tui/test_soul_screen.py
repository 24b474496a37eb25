"""The place Soul as a person uses it: the outline, the filters, the detail, the document, and what happens on a save."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.widgets import Static

from core.errors import RecollectError, SurroundingsError
from core.recall.model import Handle
from tests.tui.driving import Driven, driven
from tests.tui.souls import NOW, HeldSoul, look_of, payments
from tui.app import AppOptions
from tui.handover import Returned
from tui.keys import SOUL, TABLE, Pane
from tui.screens import place_actions, soul_words
from tui.screens.choosing import ChoiceScreen
from tui.screens.help import TextScreen
from tui.screens.recollect import RecollectScreen
from tui.screens.soul import SoulScreen
from tui.screens.soul_actions import SoulActions
from tui.screens.soul_port import SoulPort
from tui.screens.soul_reasons import REASONS, SoulFacts, why_not
from tui.screens.soul_rows import Kind
from tui.soul_project import ProjectSoul
from tui.widgets.bar import Bar

DOCUMENT = """# Made up

## State

- `a/one.py` is first
- `b/two.py` is second
- nobody knows
- the suite passes, `pytest -q`

### Deeper

- `c/three.py` is third

## Do Not Do

- never that
"""


class FixedClock:
    def now(self):  # type: ignore[no-untyped-def]
        return NOW


def screen(run: Driven) -> SoulScreen:
    found = run.app.screen
    assert isinstance(found, SoulScreen)
    return found


def header(run: Driven) -> str:
    return run.app.screen.query_one("#header", Bar).text()


def receipt(run: Driven) -> str:
    return str(screen(run).query_one("#soul-receipt", Static).render())


def listed(run: Driven) -> list[str]:
    """The rows of the list as a person reads them, white space folded."""
    width = 200
    rows = screen(run).rows
    return [" ".join("".join(p.text for p in soul_words.draw_row(row, width)).split()) for row in rows]


def told(run: Driven) -> str:
    return "\n".join(line.text() for line in screen(run).detail.lines)


@asynccontextmanager
async def soul(port: SoulPort, *, size: tuple[int, int] = (140, 40), settle: bool = True) -> AsyncIterator[Driven]:
    """The app, begun in the place Soul."""
    options = AppOptions(motion=False, place="soul", soul=port)
    async with driven(size=size, options=options, settle=settle) as run:
        yield run


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("projects") / "payments"
    payments(root)
    return root


@pytest.fixture
def project(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ProjectSoul:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    return ProjectSoul(str(made), FixedClock())


def held(text: str = DOCUMENT) -> HeldSoul:
    return HeldSoul(look_of(text))


# The places


async def test_the_app_opens_on_the_soul_and_esc_leads_to_recollect_and_back_finds_it_as_it_was() -> None:
    async with soul(held()) as run:
        assert screen(run).claims.has_focus
        await run.press("j", "j")
        chosen = screen(run).row
        await run.press("escape")
        assert isinstance(run.app.screen, RecollectScreen)
        assert run.screen.cue.has_focus
        await run.type("that thing 2")
        run.screen.results.focus()
        await run.press("2")
        assert screen(run).row == chosen
        await run.press("1")
        assert run.screen.cue.value == "that thing 2"


async def test_a_digit_is_a_character_in_the_cue_and_the_chord_works_there() -> None:
    async with driven(options=AppOptions(motion=False, soul=held())) as run:
        await run.press("2")
        assert run.screen.cue.value == "2"
        await run.press("ctrl+g")
        assert isinstance(run.app.screen, ChoiceScreen)
        assert "2 Soul" in run.text()
        await run.press("2")
        assert screen(run).claims.has_focus
        await run.press("f7", "up", "enter")
        assert isinstance(run.app.screen, RecollectScreen)


async def test_a_digit_in_the_dialogue_stays_a_source() -> None:
    async with driven(options=AppOptions(motion=False, soul=held())) as run:
        await run.type("retries")
        await run.press("enter")
        run.screen.dialogue.focus()
        await run.press("2")
        assert run.app.screen is run.screen
        assert run.screen.followed == 2


async def test_the_tabs_and_the_palette_lead_to_every_place() -> None:
    async with driven(options=AppOptions(motion=False, soul=held()), size=(140, 40)) as run:
        assert header(run).rstrip().endswith("2 Soul 3 Curate 4 Memory 5 Delegate")
        await run.pilot.click("#header", offset=(header(run).index("2 Soul"), 0))
        await run.settle()
        assert header(run).rstrip().endswith("1 Recollect 3 Curate 4 Memory 5 Delegate")
        await run.pilot.resize_terminal(60, 24)
        await run.settle()
        assert header(run).rstrip().endswith("1 3 4 5")  # the digits alone where there is little room
        run.app.screen.action_do("go-recollect")  # what the palette runs
        await run.settle()
        assert isinstance(run.app.screen, RecollectScreen)


def test_every_key_has_one_meaning_where_it_acts_and_every_row_an_action() -> None:
    for place in (Pane.RECOLLECT, Pane.SOUL):
        keys = [k for row in TABLE if row.pane in (place, Pane.ANY) for k in row.keys.split(",") if k]
        assert len(keys) == len(set(keys)), place
    ids = [row.id for row in TABLE]
    assert len(ids) == len(set(ids))
    for row in SOUL:
        assert not row.reason or row.reason in REASONS
        if not row.action:
            assert hasattr(SoulActions, "do_" + row.id.replace("-", "_")), row.id


def test_the_footer_shows_at_most_six_keys_that_act_now() -> None:
    for pane in Pane:
        for facts in (SoulFacts(), SoulFacts(checking=True), SoulFacts(checked=True, row=True, found=True)):
            for width in (200, 80, 20, 1):
                shown = [piece.ref for piece in soul_words.hints(pane, facts, width) if piece.style == "key"]
                assert len(shown) <= 6
                for ref in shown:
                    row = next(row for row in SOUL if f"do:{row.id}" == ref)
                    assert not why_not(row.reason, facts)


async def test_every_command_of_the_palette_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    async with soul(held()) as run:
        place = screen(run)
        for row in SOUL:
            if row.title and row.id not in ("quit", "soul-curate") and not row.id.startswith("go-"):
                place.action_do(row.id)
                await run.settle()
                while run.app.screen is not place:
                    run.app.pop_screen()
        await run.settle()
        assert run.app.is_running


# What is shown


async def test_a_real_project_is_told_whole(project: ProjectSoul) -> None:
    async with soul(project) as run:
        assert receipt(run).startswith("soul: checked 2026-04-02 @")
        rows = listed(run)
        assert "Current State ✗ 3 ? 3 $ 1" in rows
        assert "✗ stale 13 The gateway lives in pay/gateway.py" in rows
        assert "✓ fresh 14 Refunds go through refund() and are covered by tests/test_client.py" in rows
        assert "$ no receipt 16 The suite is green: pytest -q, 28/28" in rows
        assert "? undecided 19 Staging answers on localhost:5555" in rows
        assert "· declared 33 Do not retry a refund." in rows
        assert rows.index("Current State ✗ 3 ? 3 $ 1") < rows.index("Known gaps ? 1") < rows.index("Next Steps ✗ 1")
        assert "payments · docs/PATHOS.md · 1 commit behind · watching" in header(run)
        await run.press("x", "j", "j")
        assert "renamed_to pay/new_name.py" in told(run)
        assert "now: pay/new_name.py" in told(run)
        assert "18▐" in screen(run).document.text()


async def test_values_that_contradict_stand_beside_each_other_and_each_line_is_reached(project: ProjectSoul) -> None:
    async with soul(project) as run:
        await run.press("exclamation_mark")
        assert screen(run).row.kind is Kind.CONTRADICTED  # type: ignore[union-attr]
        beside = next(line for line in told(run).split("\n") if "line 17" in line)
        assert "line 24" in beside
        assert screen(run).document.marked == ((17, 17), (24, 24))
        await run.press("n")
        assert 18 <= screen(run).document.top_line <= 24
        await run.press("N")
        assert screen(run).document.top_line <= 17
        await run.pilot.resize_terminal(50, 24)
        await run.settle()
        await run.press("escape", "exclamation_mark")
        lines = told(run).split("\n")
        assert not any("│" in line for line in lines)
        assert any(line.startswith("line 24") for line in lines)


async def test_earlier_receipts_and_the_whole_are_told(project: ProjectSoul) -> None:
    async with soul(project) as run:
        rows = listed(run)
        at = rows.index("Earlier receipts")
        assert "2026-03-03 @1a2b3c4 - 6 fresh · 2 stale" in rows[at + 1]
        assert "no receipt kept" in rows[at + 2]
        await run.press("G", "k")
        assert "Check the handoff" in told(run)
        assert "kept in the commit message" in told(run)
        screen(run).claims.choose(rows.index("The whole document") + 1)
        await run.settle()
        assert "Anchored: 10 of 12." in told(run)
        assert "Declared claims: as in the last committed version." in told(run)
        assert "Symbol: 2 cited" in told(run)


async def test_states_are_filtered_by_key_and_by_mouse_and_counted() -> None:
    async with soul(held()) as run:
        line = "".join(p.text for p in soul_words.filter_line({"": 5, "evidence-stale": 3, "declared": 1}, "", "", 100))
        assert line.split("  ") == [" [all 5]", "✗ 3 stale", "· 1 declared"]
        await run.press("f")
        assert screen(run).state == "evidence-stale"
        assert [row.kind for row in screen(run).rows].count(Kind.CLAIM) == 3
        await run.press("f")
        assert screen(run).state == "unprovable-now"
        await run.press("F", "F")
        assert screen(run).state == ""
        await run.press("x")
        assert "[✗ 3 stale]" in run.text()
        await run.press("escape")
        assert screen(run).state == ""
        assert isinstance(run.app.screen, SoulScreen)
        at = run.text().split("\n")[2].index("declared")
        await run.pilot.click("#soul-states", offset=(at, 0))
        await run.settle()
        assert screen(run).state == "declared"


async def test_words_filter_keep_their_text_and_say_when_nothing_is_left() -> None:
    async with soul(held()) as run:
        await run.press("slash", *"third")
        assert [row.text for row in screen(run).rows] == ["State", "Deeper", "c/three.py is third"]
        assert screen(run).pane is Pane.WORDS
        await run.press("enter", "escape")
        assert len(screen(run).rows) > 6
        await run.press("slash")
        assert screen(run).words.value == "third"
        await run.press(*" zebra")
        assert "There is no row that holds “third zebra”." in run.text()
        assert "hint: a lists every claim again" in run.text()


async def test_sections_are_jumped_and_the_mouse_chooses_and_opens() -> None:
    async with soul(held()) as run:
        await run.press("right_square_bracket")
        assert screen(run).row.text == "Deeper"  # type: ignore[union-attr]
        await run.press("left_square_bracket")
        assert screen(run).row.text == "State"  # type: ignore[union-attr]
        await run.pilot.click("#claims", offset=(10, 3), times=2)
        await run.settle()
        assert screen(run).row.line == 6  # type: ignore[union-attr]
        assert screen(run).detail.has_focus


async def test_narrow_shows_the_list_first_the_detail_below_and_the_document_on_enter() -> None:
    async with soul(held(), size=(80, 24)) as run:
        place = screen(run)
        assert place.detail.region.y > place.claims.region.y
        assert not place.document.region
        before = place.detail.region.height
        await run.press("enter")
        assert place.detail.region.height > before
        await run.press("enter")
        assert place.document.region.height > 15
        assert not place.claims.region
        await run.press("escape")
        assert place.claims.has_focus


async def test_wide_shows_three_panes() -> None:
    async with soul(held(), size=(100, 30)) as run:
        place = screen(run)
        assert place.detail.region.x > place.claims.region.x
        assert place.document.region.y > place.detail.region.y
        assert place.document.region.height > 8


# A check, and the next


async def test_keys_work_while_a_check_runs_and_disabled_ones_say_why() -> None:
    port = held()
    port.gate.clear()
    async with soul(port, settle=False) as run:
        for _ in range(20):
            await run.pilot.pause()
            if isinstance(run.app.screen, SoulScreen) and run.app.screen.is_mounted and screen(run).claims.has_focus:
                break
        for key, words in (("y", "The check is still running."), ("r", "A check is running already.")):
            await run.tap(key)
            for _ in range(40):
                await run.pilot.pause()
                if words in run.toasts():
                    break
            assert words in run.toasts()
        await run.tap("f1")
        await run.pilot.pause()
        assert isinstance(run.app.screen, TextScreen)
        await run.tap("escape")
        port.gate.set()
        await run.settle()
        assert receipt(run).startswith("soul: checked")
        await run.press("E")
        assert "Nothing that this row cites was found" in run.toasts()


async def test_a_save_is_checked_again_and_the_person_stays_where_they_were() -> None:
    long = DOCUMENT.replace("- nobody knows\n", "".join(f"- `d/{n}.py` is there\n" for n in range(60)))
    port = held(long)
    async with soul(port) as run:
        place = screen(run)
        for _ in range(45):
            place.claims.action_move(1)
        await run.settle()
        row, seen_at = place.row, place.claims.seen_at
        assert row is not None
        port.answer = look_of(long.replace("- `a/one.py` is first\n", "- one more\n- and `another.py`\n"))
        assert port.watched.is_set()
        port.changed()
        await run.settle()
        assert place.row is not None
        assert (place.row.text, place.row.line) == (row.text, row.line + 1)
        assert place.claims.seen_at == seen_at
        assert place.document.marked == place.row.spans
        assert len(port.asked) == 2


async def test_a_claim_that_was_removed_leaves_the_person_at_the_nearest_line() -> None:
    port = held()
    async with soul(port) as run:
        await run.press("j")
        port.answer = look_of(DOCUMENT.replace("- `b/two.py` is second\n", ""))
        port.changed()
        await run.settle()
        assert screen(run).row.line == 6  # type: ignore[union-attr]


async def test_changes_during_a_check_are_checked_once_after_it() -> None:
    port = held()
    async with soul(port) as run:
        port.gate.clear()
        for _ in range(3):
            port.changed()
            await run.pilot.pause()
        port.gate.set()
        await run.settle()
        assert len(port.asked) == 3


async def test_a_change_seen_from_another_place_is_checked_on_the_way_back() -> None:
    port = held()
    async with soul(port) as run:
        await run.press("escape")
        port.changed()
        await run.settle()
        assert len(port.asked) == 1
        await run.press("f7", "2")
        assert len(port.asked) == 2


async def test_files_that_cannot_be_watched_are_told() -> None:
    port = held()
    port.trouble = OSError("no more watches")
    async with soul(port) as run:
        port.watched.wait(10)
        await run.settle()
        assert "Changes of files are no longer seen (OSError)." in run.toasts()
        assert "watching" not in header(run)


async def test_a_real_save_is_seen(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The watch itself is tried at the command line; here, that a check after a save shows the new document."""
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    root = tmp_path / "payments"
    payments(root)
    async with soul(ProjectSoul(str(root), FixedClock())) as run:
        document = root / "docs" / "PATHOS.md"
        document.write_text(document.read_text().replace("in `pay/gateway.py`", "in `pay/client.py`"))
        await run.press("r")
        assert "✓ fresh 13 The gateway lives in pay/client.py" in listed(run)
        assert "dirty" in receipt(run)


# What goes wrong


@pytest.mark.parametrize(
    ("error", "words", "hint"),
    [
        (SurroundingsError("No soul was found in x: neither docs/PATHOS.md nor PATHOS.md is there.", "Name one."), "No soul", "Name one."),
        (SurroundingsError("x lies in no git repository.", "A soul travels with git."), "no git repository", "travels with git"),
    ],
)  # fmt: skip
async def test_where_nothing_can_be_checked_it_says_what_was_looked_for(
    error: RecollectError, words: str, hint: str
) -> None:
    async with soul(HeldSoul(error)) as run:
        assert "No document was checked." in receipt(run)
        for part in (words, hint, "d lists the documents"):
            assert part in run.text()
        await run.press("y")
        assert "No document is open." in run.toasts()
        await run.press("d", *"agen", "enter")
        assert isinstance(run.app.screen, SoulScreen)
        assert run.app.is_running


async def test_no_git_and_no_soul_of_a_real_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_HOME", str(tmp_path / "own"))
    folder = tmp_path / "plain"
    folder.mkdir()
    async with soul(ProjectSoul(str(folder), FixedClock()), size=(100, 30)) as run:
        assert "git" in run.text()
        assert "hint:" in run.text()


async def test_a_check_that_fails_later_keeps_the_one_before() -> None:
    port = held()
    async with soul(port) as run:
        port.answer = SurroundingsError("PATHOS.md cannot be read: gone.", "Bring it back.")
        await run.press("r")
        assert receipt(run).startswith("PATHOS.md cannot be read: gone. Below is the check before: soul: checked")
        assert len(screen(run).rows) > 6
        port.answer = look_of(DOCUMENT)
        await run.press("r")
        assert receipt(run).startswith("soul: checked")


async def test_an_error_of_our_own_shows_no_word_of_a_document(monkeypatch: pytest.MonkeyPatch) -> None:
    port = held()
    monkeypatch.setattr(port, "look", lambda document: {}["SECRET"])
    async with soul(port) as run:
        assert "The check failed (KeyError)." in run.text()
        assert "SECRET" not in run.text()


async def test_a_document_without_a_claim_says_what_a_claim_is() -> None:
    async with soul(held("# Nothing\n")) as run:
        assert any(row.kind is Kind.SUMMARY for row in screen(run).rows)
        await run.press("x")
        assert "There is no stale claim." in run.text()


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("receipt-required", "There is no claim without its receipt."),
        ("notes", "There is no note."),
        ("", "There is no row."),
    ],
)
def test_an_empty_list_is_told_in_whole_words(state: str, words: str) -> None:
    from tui.screens.soul_words import nothing_left

    assert "".join(piece.text for piece in nothing_left(state, "", 3)[0].pieces) == words


async def test_another_document_is_chosen_by_a_part_of_its_name() -> None:
    port = held()
    async with soul(port) as run:
        await run.press("d")
        assert "which document?" in run.text()
        port.answer = look_of("# Other\n\n## State\n\n- `z.py` is last\n", "AGENTS.md")
        await run.press(*"agents", "enter")
        assert port.asked[-1] == "/made/up/AGENTS.md"
        assert "AGENTS.md" in header(run)
        assert screen(run).row.line == 5  # type: ignore[union-attr]
        await run.press("d", *"zebra")
        assert "Nothing of that name is here." in run.text()
        await run.press("escape")
        assert "AGENTS.md" in header(run)


# The editor and the clipboard


async def test_the_receipt_is_copied() -> None:
    async with soul(held()) as run:
        await run.press("y")
        assert run.app.clipboard == receipt(run)
        assert "the receipt" in run.toasts()
        assert "soul: checked" in run.toasts()


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Handle]:
    """An editor on the PATH, and what the terminal is handed over to."""
    for name in ("vi", "code"):
        tool = tmp_path / "bin" / name
        tool.parent.mkdir(exist_ok=True)
        tool.write_text("#!/bin/sh\n")
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    monkeypatch.setenv("EDITOR", "vi")
    monkeypatch.delenv("VISUAL", raising=False)
    ran: list[Handle] = []

    def run(app: object, handle: Handle) -> Returned:
        ran.append(handle)
        return Returned(0)

    monkeypatch.setattr(place_actions, "hand_over", run)
    return ran


async def test_the_editor_opens_the_document_at_the_line_and_the_check_follows(editor: list[Handle]) -> None:
    port = held()
    async with soul(port) as run:
        await run.press("j", "e")
        assert editor[0].argv == ("vi", "+6", "/made/up/PATHOS.md")
        assert editor[0].cwd == "/made/up"
        assert len(port.asked) == 2


async def test_the_editor_opens_what_was_found(project: ProjectSoul, made: Path, editor: list[Handle]) -> None:
    async with soul(project) as run:
        await run.press("x", "j", "j", "E")
        assert editor[0].argv == ("vi", str(made / "pay/new_name.py"))
        screen(run).actions.click("found:../outside.py:3")
        await run.settle()
        assert "is not there in the project" in run.toasts()
        assert len(editor) == 1


async def test_without_an_editor_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    async with soul(held()) as run:
        await run.press("e")
        assert "No editor is named." in run.toasts()
        assert "export EDITOR=vi" in run.toasts()


async def test_a_terminal_that_cannot_be_handed_over_is_told_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "vi"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(tool))
    async with soul(held()) as run:
        await run.press("e")
        assert "cannot be handed over" in run.toasts()
        assert "+5 /made/up/PATHOS.md" in run.toasts()
