"""The interface criteria of design/ux.md that concern the place Recollect, each a test named after it."""

from __future__ import annotations

import pytest
from textual import events

from core.ports import IndexCondition, IndexState, Progress
from core.recall.model import Utterance
from tests.tui.driving import driven
from tests.tui.fake import FakePort, locator
from tui.app import AppOptions, wants_no_motion
from tui.background import Report
from tui.keys import RECOLLECT, Pane
from tui.messages import IndexReport
from tui.screens.bars import hints
from tui.screens.reasons import Facts, why_not


async def test_u01_the_cue_has_focus_at_start() -> None:
    async with driven() as run:
        assert run.screen.focused is run.screen.cue


async def test_u01_a_key_echoes_while_a_search_runs_and_the_last_query_wins() -> None:
    port = FakePort()
    port.release.clear()
    async with driven(port, settle=False) as run:
        await run.pilot.press("f", "l", "a")
        assert run.screen.cue.value == "fla", "the keys echo although no search has answered"
        await run.pilot.press("k", "y")
        port.release.set()
        await run.settle()
        assert [row.phrase for row in run.screen.results.rows] == ["flaky retry tests"]
        asked = [text for text, _ in run.calls("candidates")]
        assert asked[-1] == "flaky"
        assert len(asked) <= 3, "words that were typed over are never asked"


async def test_u02_the_list_moves_from_the_input() -> None:
    async with driven() as run:
        await run.press("down", "down", "ctrl+n")
        assert run.screen.results.chosen_index == 3
        await run.press("ctrl+p", "up")
        assert run.screen.results.chosen_index == 1
        await run.press("pagedown")
        assert run.screen.results.chosen_index > 3
        await run.press("pageup")
        assert run.screen.results.chosen_index < 3
        assert run.screen.focused is run.screen.cue


async def test_u02_readline_keys_edit_the_cue() -> None:
    async with driven() as run:
        await run.type("one two three")
        await run.press("ctrl+w")
        assert run.screen.cue.value == "one two "
        await run.press("ctrl+a", "x", "ctrl+e", "y")
        assert run.screen.cue.value == "xone two y"
        await run.press("ctrl+a", "right", "ctrl+k")
        assert run.screen.cue.value == "x"
        await run.press("ctrl+u")
        assert run.screen.cue.value == ""


async def test_u02_enter_opens_the_row_the_person_moved_to_and_keeps_the_cue() -> None:
    async with driven() as run:
        await run.type("retry")
        await run.press("down", "enter")
        context, utterance = None, run.calls("say")[0]
        assert isinstance(utterance, Utterance)
        assert utterance.points_at == locator(2, "codex")
        assert context is None
        assert run.screen.talk.context[0] == Utterance("retry")
        assert "open this one: flaky retry tests" in run.dialogue()


async def test_u03_letters_move_outside_inputs_only() -> None:
    async with driven() as run:
        await run.press("j", "k", "q")
        assert run.screen.cue.value == "jkq"
        run.screen.cue.value = ""
        await run.settle()
        run.screen.results.focus()
        await run.press("j", "j", "k")
        assert run.screen.results.chosen_index == 1
        await run.press("G")
        assert run.screen.results.chosen_index == 7
        await run.press("g")
        assert run.screen.results.chosen_index == 0


async def test_u03_the_record_reads_on_and_jumps_between_matches() -> None:
    async with driven(FakePort(turns=120)) as run:
        run.screen.record.focus()
        await run.press("g")
        assert run.screen.record.turns[0].line == 1
        before = run.screen.record.top
        await run.press("n")
        assert run.screen.record.top > before
        await run.press("N")
        await run.press("G")
        assert run.screen.record.turns[-1].line == 120, "the end of the record is shown"
        await run.press("g")
        for _ in range(60):
            await run.press("pagedown")
            if run.screen.record.turns[-1].line == 120:
                break
        assert run.screen.record.turns[-1].line == 120, "scrolling down reads the record to its end"


@pytest.mark.parametrize("key", ["f1", "question_mark"])
async def test_u04_help_shows_the_keys_of_the_focused_pane(key: str) -> None:
    async with driven() as run:
        run.screen.record.focus()
        await run.press(key)
        assert run.app.screen is not run.screen
        shown = run.text()
        assert "help · in the record" in shown
        assert "Go to the next match." in shown
        await run.press("escape")
        assert run.app.screen is run.screen
        assert run.screen.focused is run.screen.record


def test_u05_at_most_six_hints_and_all_are_valid() -> None:
    for pane in Pane:
        for facts in (
            Facts(),
            Facts(typed=True),
            Facts(presented=True, claims=3, target=True, command=True, open=True),
        ):
            for width in (200, 80, 20, 1):
                shown = [piece.ref for piece in hints(pane, facts, width) if piece.style == "key"]
                assert len(shown) <= 6
                for ref in shown:
                    row = next(row for row in RECOLLECT if f"do:{row.id}" == ref)
                    assert not why_not(row.reason, facts)


async def test_u05_the_footer_follows_the_state() -> None:
    async with driven() as run:
        assert "tell me" not in run.footer()
        await run.type("retry")
        assert "enter tell me" in run.footer()
        await run.press("down")
        assert "enter open this one" in run.footer()
        await run.press("ctrl+u")
        await run.type("look wider")
        await run.press("enter")
        assert "ctrl+y search wider" in run.footer()


async def test_u06_a_disabled_action_says_why() -> None:
    async with driven() as run:
        await run.press("ctrl+y")
        assert "Nothing was told yet" in run.toasts()
        await run.press("ctrl+o")
        assert "no source to open" in run.toasts()
        await run.press("enter")
        assert "Type what you remember first" in run.toasts()


def test_u07_palette_titles_read_noun_verb() -> None:
    titled = [row for row in RECOLLECT if row.title]
    assert len(titled) > 12
    for row in titled:
        noun, colon, verb = row.title.partition(": ")
        assert noun.isalpha(), row.title
        assert colon, row.title
        assert verb, row.title


async def test_u07_every_command_of_the_palette_runs() -> None:
    async with driven() as run:
        for row in RECOLLECT:
            if row.title and row.id not in ("quit", "resume"):
                run.screen.action_do(row.id)
                await run.settle()
                while run.app.screen is not run.screen:
                    run.app.pop_screen()


async def test_u08_esc_pops_one_level_and_keeps_the_text() -> None:
    async with driven() as run:
        await run.type("retry")
        run.screen.record.focus()
        await run.press("f1")
        await run.press("escape")
        assert run.screen.focused is run.screen.record
        await run.press("escape")
        assert run.screen.focused is run.screen.cue
        await run.press("escape", "escape")
        assert run.screen.cue.value == "retry"


async def test_u08_history_loses_nothing() -> None:
    async with driven() as run:
        await run.type("first")
        await run.press("enter")
        await run.type("second")
        await run.press("enter")
        await run.type("dra")
        await run.press("ctrl+up")
        assert run.screen.cue.value == "second"
        await run.press("ctrl+up", "ctrl+up")
        assert run.screen.cue.value == "first"
        await run.press("ctrl+down", "ctrl+down")
        assert run.screen.cue.value == "dra"


async def test_u08_ctrl_c_twice_quits_and_once_does_not() -> None:
    async with driven() as run:
        await run.press("ctrl+c")
        assert "again to quit" in run.toasts()
        assert run.app.is_running
        await run.pilot.press("ctrl+c")
        assert run.app._exit


async def test_u08_ctrl_c_copies_a_selection() -> None:
    async with driven() as run:
        await run.type("retry")
        await run.press("ctrl+shift+a", "ctrl+c")
        assert run.app.clipboard == "retry"
        assert not run.app._exit


async def test_u08_q_quits_outside_the_cue() -> None:
    async with driven() as run:
        run.screen.results.focus()
        await run.pilot.press("q")
        assert run.app._exit


async def test_u09_one_key_cycles_the_scope() -> None:
    async with driven() as run:
        seen = []
        for _ in range(5):
            seen.append(run.screen.scope.label)
            assert run.screen.scope.label in run.header()
            await run.press("ctrl+r")
        assert seen == ["all projects", "this project: payments", "only Claude Code", "only Codex", "all projects"]
        assert run.calls("candidates")[-1] == ("", "this project: payments")


async def test_u10_filter_words_and_values_complete_with_tab() -> None:
    async with driven() as run:
        await run.type("retry ag")
        await run.press("tab")
        assert run.screen.cue.value == "retry agent:"
        await run.type("cl")
        await run.press("tab")
        assert run.screen.cue.value == "retry agent:claude "
        await run.type("-pro")
        await run.press("tab")
        assert run.screen.cue.value == "retry agent:claude -project:"


async def test_u10_an_unknown_filter_word_is_a_hint() -> None:
    port = FakePort()
    port.hints = ("“agnt:” is no filter and was read as words; did you mean “agent:”?",)
    async with driven(port) as run:
        await run.type("agnt:x zzz")
        assert "did you mean “agent:”" in run.text()


async def test_u11_the_preview_follows_the_selection() -> None:
    async with driven() as run:
        await run.press("down", "down")
        assert run.screen.record.place is not None
        assert run.screen.record.place.locator == locator(2, "codex")
        assert "retry" in run.record()


async def test_u12_copying_says_what_was_copied() -> None:
    async with driven() as run:
        await run.type("retries")
        await run.press("enter")
        await run.press("f3")
        assert run.app.clipboard.startswith("cd ~/code/payments && claude --resume 3f2a9c00")
        assert "claude --resume" in run.toasts(), "the text is shown, for terminals that take no clipboard"
        run.screen.action_do("copy-id")
        await run.settle()
        assert run.app.clipboard == locator(0).session_id


async def test_u13_resume_refuses_when_the_binary_is_missing() -> None:
    async with driven() as run:
        await run.type("retries")
        await run.press("enter", "f2")
        assert "claude is not on the PATH" in run.toasts()
        assert "claude --resume" in run.toasts()


async def test_u14_a_click_chooses_and_a_marker_is_followed() -> None:
    async with driven() as run:
        await run.pilot.click("#candidates", offset=(5, 3))
        await run.settle()
        assert run.screen.results.chosen_index == 1
        await run.type("retries")
        run.screen.results.forget_move()
        await run.press("enter")
        view = run.screen.dialogue
        row, column = next((n, line.text().index("[3]")) for n, line in enumerate(view.lines) if "[3]" in line.text())
        assert await run.pilot.click("#dialogue", offset=(column + 3, row - view.top + 1))
        await run.settle()
        assert run.screen.followed == 3
        assert run.screen.focused is run.screen.record


async def test_u14_a_hint_can_be_clicked() -> None:
    async with driven() as run:
        at = run.footer().index("F1")
        await run.pilot.click("#hints", offset=(at, 0))
        await run.settle()
        assert run.app.screen is not run.screen


@pytest.mark.parametrize("theme", ["recollect-ansi", "recollect-dark"])
async def test_u16_states_do_not_depend_on_colour(theme: str) -> None:
    async with driven(options=AppOptions(motion=False, theme=theme)) as run:
        await run.press("down")
        assert "▌" in run.text()
        await run.type("retries")
        await run.press("enter", "ctrl+y")
        shown = run.text()
        for word in ("you", "assistant", "✓ Identified", "index current"):
            assert word in shown


def test_u17_reduced_motion_is_asked_for_by_the_environment() -> None:
    assert wants_no_motion({"NO_MOTION": "1"})
    assert wants_no_motion({"TEXTUAL_ANIMATIONS": "none"})
    assert not wants_no_motion({})


async def test_u17_reduced_motion_is_kept() -> None:
    async with driven() as run:
        assert run.app.animation_level == "none"
        assert run.screen.cue.cursor_blink is False


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])  # the last is what nearly every terminal pastes
async def test_u20_a_paste_of_several_lines_keeps_every_word(end: str) -> None:
    async with driven() as run:
        run.screen.cue.post_message(events.Paste(f"one two{end}three{end}\tfour\x1b[31m{end}"))
        await run.settle()
        assert run.screen.cue.value == "one two three four␛[31m"


async def test_u22_empty_and_error_states_have_words_and_a_next_step() -> None:
    port = FakePort(rows=0)
    port.roots_found = ()
    async with driven(port) as run:
        assert "No sessions were found" in run.dialogue()
        assert "recollect demo" in run.dialogue()
        assert "No records in all projects" in run.text()
    async with driven() as run:
        await run.type("zzz")
        assert "fits these words" in run.text()
        await run.press("ctrl+u")
        await run.type("boom")
        await run.press("enter")
        assert "The search failed (KeyError)" in run.dialogue()
        assert "SECRET" not in run.text()
        assert run.app.is_running


async def test_u22_a_record_that_cannot_be_read_says_why() -> None:
    from dataclasses import replace

    port = FakePort()
    gone = replace(port.rows[0], locator=replace(locator(0), path="/gone.jsonl"))
    port.rows = (gone,)
    async with driven(port) as run:
        assert "the file is not there any more" in run.record()


class FakeBackground:
    """Reports when a test says so."""

    def __init__(self) -> None:
        self.report: Report | None = None
        self.stopped = False

    def start(self, report: Report) -> None:
        self.report = report

    def stop(self) -> None:
        self.stopped = True


async def test_u22_indexing_is_shown_while_recall_works() -> None:
    port, background = FakePort(), FakeBackground()
    port.index = IndexState(IndexCondition.BUILDING)
    async with driven(port, background=background) as run:
        assert background.report is not None
        background.report(IndexReport(Progress(412, 2000, 63_000_000, 200_000_000, 2.0)))
        await run.settle()
        assert "indexing 412/2,000 · 63 MB of 200 MB · 4 s left" in run.header()
        assert "Recall works already" in run.dialogue()
        await run.type("retries")
        await run.press("enter")
        assert "One conversation" in run.dialogue()
        port.index = IndexState(IndexCondition.CURRENT, 2000)
        port.calls = []
        background.report(IndexReport(Progress(2000, 2000, 1, 1, 4.0, done=True)))
        await run.settle()
        assert "index current" in run.header()
        done = [name for name, _ in port.calls]
        assert done.index("reload") < done.index("candidates"), "the list was asked for before it was looked at anew"
    assert background.stopped


async def test_u22_a_failed_refresh_is_said() -> None:
    background = FakeBackground()
    async with driven(background=background) as run:
        assert background.report is not None
        background.report(IndexReport(Progress(0, 0, 0, 0, 0.0), "no space left", failed=True))
        await run.settle()
        assert "index not brought up to date" in run.header()
        assert "no space left" in run.dialogue()


async def test_u24_wide_text_stays_aligned() -> None:
    """The dates stand in one column although a phrase is written in wide characters."""
    async with driven(size=(80, 24)) as run:
        from core.text import cell_width

        lines = run.text().split("\n")
        wide = next(line for line in lines if "支払い" in line)
        plain = next(line for line in lines if "flaky retry" in line)
        assert cell_width(wide[: wide.index("12 Mar")]) == cell_width(plain[: plain.index("13 Mar")])
