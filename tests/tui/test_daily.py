"""What a person stumbles over in daily use of the app, each held by a test."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from textual import events
from textual._compositor import Compositor
from textual._xterm_parser import XTermParser
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.widgets import Input

from core.candidates import Candidate
from core.ports import Filters, IndexCondition, IndexState, Progress, Query
from core.recall.model import Searched
from core.records.model import Locator, ReadProblem, Turn
from core.records.window import END
from core.text import cell_width
from tests.tui.driving import Driven, driven
from tests.tui.fake import NOW, SEARCHED, FakePort, candidate, locator, turn
from tui.app import LAST_SECONDS, AppOptions, RecollectApp
from tui.background import IndexProcess, NoBackground, Report
from tui.keys import RECOLLECT, Pane
from tui.messages import IndexReport
from tui.screens.opening import USUAL_PLACES
from tui.screens.record_reader import place_of_candidate
from tui.textual_private import steady_keys
from tui.widgets.turn_text import Marks, turn_paragraphs


def keys_of(sent: str) -> list[str]:
    steady_keys()
    steady_keys()
    return [event.key for event in XTermParser().feed(sent) if isinstance(event, events.Key)]


@pytest.mark.parametrize("sent", ["\x1b3", "\x1b[51;3u"], ids=["plain", "kitty"])
def test_alt_and_a_digit_is_that_key_in_every_terminal(sent: str) -> None:
    assert keys_of(sent) == ["alt+3"]


@pytest.mark.parametrize("sent", ["\x1b[97;1:3u", "\x1b[51;3:1;u", "\x1b[9999999999999u"])
def test_a_malformed_key_sequence_does_not_end_the_input(sent: str) -> None:
    assert keys_of(sent + "x")[-1] == "x"


async def test_the_cue_has_focus_in_the_very_first_frame() -> None:
    async with driven(settle=False) as run:
        assert run.app.place.AUTO_FOCUS == "#cue"
        assert run.screen.focused is run.screen.cue


async def test_the_list_marks_the_record_that_is_told() -> None:
    port = FakePort()
    told = port.round.recognizable
    assert told is not None
    port.round = replace(
        port.round, recognizable=replace(told, members=(replace(told.members[0], locator=locator(2, "codex")),))
    )
    async with driven(port) as run:
        await run.type("retry")
        assert run.screen.results.chosen_index == 0
        await run.press("enter")
        chosen = run.screen.results.chosen
        assert chosen is not None
        assert chosen.locator == locator(2, "codex")
        assert run.screen.record.place is not None
        assert run.screen.record.place.quote, "the record stays at the first source of the story"
        await run.type("b")
        assert run.screen.results.chosen_index == 0, "new words begin at the best match"


async def test_the_list_keeps_to_what_the_dialogue_was_narrowed_to() -> None:
    port = FakePort()
    cue = replace(port.round.cue, query=Query(filters=Filters(runtimes=("codex",))))
    port.round = replace(port.round, cue=cue)
    asked: list[Filters] = []
    plain = port.candidates
    port.candidates = lambda text, scope, limit=50: (asked.append(scope.filters), plain(text, scope, limit))[1]  # type: ignore[method-assign]
    async with driven(port) as run:
        await run.type("it was in codex")
        await run.press("enter")
        assert asked[-1] == Filters(runtimes=("codex",))
        await run.press("ctrl+r")
        assert asked[-1] == run.screen.scope.filters, "a scope chosen since then counts"


async def test_the_first_rows_stand_there_before_anything_was_looked_at() -> None:
    port = FakePort()
    port.first = port.rows[:3]
    port.release.clear()
    async with driven(port, settle=False) as run:
        while not run.screen.results.rows:
            await run.pilot._wait_for_screen()
        assert run.screen.results.rows == port.first
        await run.tap("down")
        assert run.screen.around is None, "how the index stands is read after the first list"
        port.release.set()
        await run.settle()
        assert run.screen.results.rows == port.rows
        assert run.screen.results.chosen_index == 1, "what was chosen by then stays chosen"


async def test_rows_that_are_known_stand_in_the_first_frame_and_are_not_asked_for_again() -> None:
    """The list beside the dialogue is filled when it is first drawn; the record of its first row is read after that."""
    port, reads = FakePort(), list[int]()
    port.release.clear()
    port.newest = lambda: pytest.fail("the newest were asked for again")  # type: ignore[method-assign]

    def known() -> Sequence[Candidate]:
        reads.append(len([call for call in port.calls if call[0] in ("candidates", "window")]))
        return port.rows[:3]

    async with driven(port, options=AppOptions(motion=False, newest=known), settle=False) as run:
        assert reads == [0], "they are asked for once, before anything is read"
        assert run.screen.results.rows == port.rows[:3]
        assert port.rows[2].phrase in run.text()
        assert "candidates (3)" in run.text()
        await run.tap("down")
        port.release.set()
        await run.settle()
        assert run.screen.results.rows == port.rows
        assert run.screen.results.chosen_index == 1, "what was chosen by then stays chosen"
        assert run.calls("window")


async def test_the_record_of_the_first_known_row_is_shown() -> None:
    port = FakePort()
    async with driven(port, options=AppOptions(motion=False, newest=lambda: port.rows)) as run:
        assert run.screen.results.chosen == port.rows[0]
        assert run.screen.record.place is not None
        assert run.screen.record.place.locator == port.rows[0].locator
        assert [call[0] for call in port.calls].count("window") == 1, "it is read once"


async def test_the_first_rows_do_not_stand_where_words_were_typed() -> None:
    port = FakePort()
    port.first = port.rows[:3]
    plain, waiting = port.newest, threading.Event()
    port.newest = lambda: (waiting.wait(10), plain())[1]  # type: ignore[method-assign]
    port.release.clear()
    async with driven(port, settle=False) as run:
        await run.tap(*"flaky")
        waiting.set()
        await run.pilot._wait_for_screen()
        assert run.screen.results.rows == ()
        port.release.set()
        await run.settle()
        assert [row.phrase for row in run.screen.results.rows] == ["flaky retry tests"]


async def test_a_list_that_failed_asks_for_the_words_typed_since() -> None:
    port = FakePort()
    port.release.clear()
    async with driven(port, settle=False) as run:
        await run.tap(*"boom")
        port.release.set()
        await run.settle()
        assert "The list failed (KeyError)" in run.text()
        port.release.clear()
        await run.tap("!")
        await run.tap(*["backspace"] * 5, *"flaky")
        port.release.set()
        await run.settle()
        assert [row.phrase for row in run.screen.results.rows] == ["flaky retry tests"]


async def test_beginning_anew_lists_the_newest_records_again() -> None:
    async with driven() as run:
        await run.type("retries")
        await run.press("enter")
        run.screen.action_do("new")
        await run.settle()
        assert run.calls("candidates")[-1] == ("", "all projects")
        assert "Half-remember a past conversation?" in run.dialogue()


async def test_the_dialogue_scrolls_from_the_cue() -> None:
    async with driven(size=(80, 20)) as run:
        await run.type("retries")
        await run.press("enter")
        top = run.screen.dialogue.top
        await run.press("shift+down")
        assert run.screen.dialogue.top > top
        await run.press("shift+up")
        assert run.screen.dialogue.top == top
        assert run.screen.focused is run.screen.cue


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (100, 30), (140, 40)])
async def test_rows_keep_room_for_the_phrase_and_a_gap_before_the_date(size: tuple[int, int]) -> None:
    """A date never touches the words before it, and a phrase keeps at least half of its row."""
    port = FakePort()
    port.rows = tuple(
        replace(candidate(n), phrase="p" * 90, project="a-long-project-name", kind="fork", ended=1_733_000_000.0)
        for n in range(8)
    )
    async with driven(port, size=size) as run:
        rows = [line for line in run.text().split("\n") if "pppp" in line]
        assert rows
        for line in rows:
            assert " Nov 2024" in line
            phrase = line.count("p") if size[0] < 100 else line[-63:].count("p")
            assert phrase >= min(28, size[0] // 4), line


async def test_a_row_of_one_line_names_the_runtime_where_there_is_room() -> None:
    async with driven(size=(80, 24)) as run:
        row = next(line for line in run.text().split("\n") if "flaky retry" in line)
        assert "payments · Codex" in row
        assert cell_width(row) == 80


async def test_the_header_never_shows_some_places_as_if_they_were_all() -> None:
    port = FakePort()
    port.roots_found = (*SEARCHED, *(Searched("pi", f"/very/long/place/for/sessions/number/{n}", 5) for n in range(3)))
    async with driven(port, size=(80, 24)) as run:
        assert "2,015 records in 5 places" in run.header()
        assert "~/.claude" not in run.header()


async def test_the_facts_of_a_near_candidate_wrap_as_a_whole() -> None:
    async with driven(size=(44, 30)) as run:
        await run.type("retries")
        await run.press("enter")
        assert any(
            line.text().strip() == "webhooks\u00a0·\u00a06\u00a0Mar\u00a02026" for line in run.screen.dialogue.lines
        )


async def test_keys_act_in_the_order_they_were_typed() -> None:
    """A burst, as a slow machine or a paste without brackets delivers it: no letter overtakes a key before it."""
    async with driven() as run:
        await run.burst(*"abx", "backspace", "c", "enter", *"next", "ctrl+a", ">", "down", "alt+1")
        await run.settle()
        assert run.calls("start") == ["abc"]
        assert run.screen.cue.value == ">next"


async def test_alt_with_a_letter_never_types_it() -> None:
    """An older terminal sends alt+n as a key that carries the letter n."""
    async with driven() as run:
        await run.type("retries")
        await run.press("enter")
        run.screen.cue.post_message(events.Key("alt+n", "n"))
        run.screen.cue.post_message(events.Key("alt+z", "z"))
        await run.settle()
        assert run.screen.cue.value == ""
        assert "not that one" in run.dialogue()


async def test_an_export_of_a_record_that_cannot_be_read_writes_no_file(tmp_path: Path) -> None:
    port = FakePort()
    port.exported = ""
    async with driven(port) as run:
        await run.press("f4")
        assert "nothing was written" in run.toasts()
    assert not list(tmp_path.glob("recollect*"))


async def test_a_long_read_says_so_and_esc_gives_it_up() -> None:
    port = FakePort(turns=40)
    held, asked = threading.Event(), threading.Event()
    plain = port.window

    def slow(where: Locator, line: int, start: int, before: int, after: int) -> tuple[Turn, ...] | ReadProblem:
        if line == END:
            asked.set()
            held.wait(10)
        return plain(where, line, start, before, after)

    port.window = slow  # type: ignore[method-assign]
    async with driven(port) as run:
        run.screen.record.focus()
        await run.settle()
        before = str(run.screen.record.border_title)
        await run.tap("G")
        assert await asyncio.to_thread(asked.wait, 10)
        while "esc stops" not in str(run.screen.record.border_title):
            await run.pilot.pause()
        await run.tap("escape")
        for _ in range(20):  # the key climbs to the screen
            await run.pilot.pause()
        assert str(run.screen.record.border_title) == before
        assert run.screen.focused is run.screen.record, "esc goes back one level"
        held.set()
        await run.settle()
        assert str(run.screen.record.border_title) == before


def test_a_turn_of_a_megabyte_is_folded_without_being_laid_out() -> None:
    giant = replace(turn(0), text="w" * 1_000_000)
    folded = list(turn_paragraphs(giant, "turn:0", Marks(), unfolded=False, day=True))
    assert sum(len(piece.text) for each in folded for piece in each.pieces) < 10_000
    assert "about 992 kB folded, o unfolds" in "".join(piece.text for piece in folded[-1].pieces)
    whole = list(turn_paragraphs(giant, "turn:0", Marks(), unfolded=True, day=True))
    assert sum(len(piece.text) for each in whole for piece in each.pieces) > 200_000
    assert "r shows the line" in "".join(piece.text for piece in whole[-1].pieces)
    many = replace(turn(4), text="line\n" * 50_000)
    folded = list(turn_paragraphs(many, "turn:0", Marks(), unfolded=False, day=True))
    assert "49,998 lines folded" in "".join(piece.text for piece in folded[-1].pieces)


async def test_an_empty_home_says_which_places_were_looked_for() -> None:
    from core.records.archive import _HOMES

    port = FakePort(rows=0)
    port.roots_found = ()
    async with driven(port) as run:
        for place in USUAL_PLACES:
            assert place in run.dialogue()
            assert place.removeprefix("~/") in [path for _, path in _HOMES]


@pytest.mark.parametrize(
    ("code", "said"),
    [("import os; os.kill(os.getpid(), 9)", "ended from outside (signal 9)"), ("raise SystemExit(3)", "code 3")],
)
def test_an_index_process_that_is_killed_is_told_in_words(code: str, said: str) -> None:
    reports: list[IndexReport] = []
    IndexProcess(argv=(sys.executable, "-c", code))._run(reports.append)
    assert reports[-1].failed
    assert said in reports[-1].message


def test_the_index_is_done_only_when_its_process_has_ended(tmp_path: Path) -> None:
    """While the process lives it holds the index, and a look at it says that it is being made."""
    mark = tmp_path / "ended"
    code = (
        f"import json,atexit;atexit.register(open, {str(mark)!r}, 'w');print(json.dumps(dict(done=True)), flush=True)"
    )
    ended: list[bool] = []
    IndexProcess(argv=(sys.executable, "-c", code))._run(lambda report: ended.append(mark.exists()))
    assert ended == [True]


async def test_no_key_of_the_table_is_taken_by_the_line_itself() -> None:
    """Textual's input has keys of its own (ctrl+x cuts, ctrl+c copies): with nothing selected, ours are heard."""
    async with driven() as run:
        await run.type("retry")
        await run.press("enter")
        assert run.screen.focused is run.screen.cue
        active = run.screen.active_bindings
        taken = [
            (row.id, key)
            for row in RECOLLECT
            if row.pane is Pane.ANY
            for key in row.keys.split(",")
            if key in active
            and isinstance(active[key].node, Input)
            and key != "tab"  # completes, else goes on to the next pane
        ]
        assert taken == []


async def test_ctrl_x_rejects_from_the_cue() -> None:
    async with driven() as run:
        await run.type("retry")
        await run.press("enter")
        await run.press("ctrl+x")
        assert "not that one" in run.dialogue()


async def test_the_record_pane_goes_back_to_what_was_identified() -> None:
    """While "that's it" is typed, the pane follows rows that match these words; they are not what was meant."""
    async with driven() as run:
        await run.type("retries")
        await run.press("enter")
        told = run.screen.record.place
        other = next(row for row in run.screen.results.rows if row.locator != run.screen.talk.recognized)
        await run.type("that's it")
        run.screen.reader.show(place_of_candidate(other))
        await run.settle()
        assert run.screen.record.place != told
        await run.press("enter")
        assert run.screen.talk.recalled is not None
        assert run.screen.record.place == told


async def test_everything_is_styled_once_before_the_first_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the cue is styled again, when it takes the cursor; its frame is heavy at once."""
    styled, frames = list[str](), list[list[str]]()
    apply, draw = Stylesheet.apply, Compositor.render_full_update

    def counted(self: Stylesheet, node: DOMNode, *given: object, **named: object) -> None:
        styled.append(node.id or "")
        apply(self, node, *given, **named)  # type: ignore[arg-type]

    def drawn(self: Compositor, *given: object, **named: object) -> object:
        frames.append(list(styled))
        return draw(self, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Stylesheet, "apply", counted)
    monkeypatch.setattr(Compositor, "render_full_update", drawn)
    async with driven() as run:
        for one in (
            "header",
            "panes",
            "talk",
            "dialogue",
            "cue-row",
            "prompt",
            "side",
            "candidates",
            "record",
            "hints",
        ):
            assert frames[0].count(one) == 1, one
        assert run.screen.query_one("#cue-row").has_class("-focused")
        times = []
        for place in ("curate", "recollect", "curate"):
            run.app.action_go(place)
            await run.settle()
            times.append(styled.count("curate-panes"))
        assert times[0] == times[1] < times[2], "what may have changed meanwhile is styled when it is shown again"


async def test_the_first_frame_shows_lines_and_not_columns_of_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are wrapped to the width that they have in it, and what does not fit is scrolled to as ever."""
    frames = list[str]()
    draw = Compositor.render_full_update

    def drawn(self: Compositor, *given: object, **named: object) -> object:
        done = draw(self, *given, **named)  # type: ignore[arg-type]
        frames.append("\n".join(strip.text for strip in self.render_strips()))
        return done

    monkeypatch.setattr(Compositor, "render_full_update", drawn)
    port = FakePort(rows=45)
    async with driven(port, size=(140, 40), options=AppOptions(motion=False, newest=lambda: port.rows)) as run:
        assert f"│▌ {port.rows[0].phrase}" in frames[0], "the list begins with its first row"
        assert "│ Looking for sessions …" in frames[0]
        assert "│ Choose a record in the list to read it here." in frames[0]
        record = run.screen.record
        assert record.virtual_size.height == len(record.lines) > record.size.height
        assert record.show_vertical_scrollbar


@pytest.mark.parametrize("enter", [events.Key("enter", "\r"), events.Key("ctrl+j", "\n")], ids=["as ever", "cooked"])
async def test_what_is_typed_while_the_app_starts_is_not_lost(enter: events.Key) -> None:
    """Not even an enter, which a terminal that nobody asked for more yet sends as the end of a line."""
    port = FakePort()

    def type_early() -> Sequence[Candidate]:
        assert app._driver is not None
        for letter in "retries":
            app._driver.send_message(events.Key(letter, letter))
        app._driver.send_message(events.Paste("again"))
        app._driver.send_message(enter)
        app._driver.send_message(events.Key("x", "x"))
        return ()

    app = RecollectApp(port, None, AppOptions(motion=False, newest=type_early), now=NOW)
    async with app.run_test(size=(140, 40)) as pilot:
        run = Driven(app, pilot, port)
        await run.settle()
        assert run.calls("start") == ["retriesagain"]
        assert run.screen.cue.value == "x"
        await run.press("y")
        assert run.screen.cue.value == "xy"


async def test_a_program_that_is_left_while_it_starts_ends() -> None:
    def leave_early() -> Sequence[Candidate]:
        assert app._driver is not None
        app._driver.send_message(events.Key("ctrl+c", None))
        app._driver.send_message(events.Key("ctrl+c", None))
        return ()

    app = RecollectApp(FakePort(), None, AppOptions(motion=False, newest=leave_early), now=NOW)
    async with app.run_test(size=(140, 40)) as pilot:
        await Driven(app, pilot, FakePort()).settle()
        assert app._exit


async def test_the_index_is_brought_up_to_date_once_the_first_frame_is_laid_out() -> None:
    """Starting its process takes from the time until something is shown."""
    seen = []

    class Watching(NoBackground):
        def start(self, report: Report) -> None:
            seen.append(app.place.results.size.width)

    app = RecollectApp(FakePort(), Watching(), AppOptions(motion=False))
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.pause()
    assert len(seen) == 1
    assert seen[0] > 0


async def test_an_index_that_a_search_finds_broken_is_built_anew_beside_the_app() -> None:
    asked: list[Report] = []

    class Mending(NoBackground):
        def again(self, report: Report) -> None:
            asked.append(report)
            port.index = IndexState(IndexCondition.CURRENT, 2000)

    port = FakePort()
    port.index = IndexState(IndexCondition.DAMAGED)
    async with driven(port, background=Mending()) as run:
        await run.type("retry")
        await run.settle()
        assert len(asked) == 1  # once: what does not mend it does not mend it the second time
        asked[0](IndexReport(Progress(9, 9, 9, 9, 1.0, True)))
        await run.settle()
        assert run.app.place.around is not None
        assert run.app.place.around.state.condition is IndexCondition.CURRENT


class Waiting:
    """Stands in for the timer that ends a process which does not end itself."""

    began: list[tuple[float, object, tuple[int, ...]]]

    def __init__(self, seconds: float, what: object, codes: tuple[int, ...]) -> None:
        self.set = seconds, what, codes
        self.daemon = False

    def start(self) -> None:
        assert self.daemon
        Waiting.began.append(self.set)


async def test_a_signal_while_the_place_is_made_ends_once_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """A screen that is taken away while it mounts does not find its parts."""
    Waiting.began = []
    monkeypatch.setattr("tui.app.threading.Timer", Waiting)

    def early(app: RecollectApp) -> None:
        app._end(143)
        assert app.return_code is None

    monkeypatch.setattr(RecollectApp, "_end_on_signals", early)
    app = RecollectApp(FakePort(), None, AppOptions(motion=False), now=NOW)
    await app.run_async(headless=True, size=(80, 24))
    assert app.return_code == 143
    assert Waiting.began == [(LAST_SECONDS, os._exit, (143,))]


async def test_a_second_signal_is_not_made_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    Waiting.began = []
    monkeypatch.setattr("tui.app.threading.Timer", Waiting)
    async with driven() as run:
        run.app._stands = False
        run.app._end(130)
        assert run.app.return_code is None
        run.app._end(130)
        assert run.app.return_code == 130
    assert len(Waiting.began) == 1
