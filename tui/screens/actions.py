"""What each action of the key table does. Methods are named `do_` and the row's id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.records.model import Locator
from core.text import one_line
from tui.keys import PANE_HELP, Pane, key_for, row_of
from tui.messages import ShowSettings
from tui.screens.completion import complete
from tui.screens.help import help_screen
from tui.screens.place import Go, KeepRecall
from tui.screens.reasons import why_not
from tui.screens.record_reader import place_of_excerpt
from tui.themes import next_theme
from tui.widgets.entries import Told
from tui.widgets.toast import toast

if TYPE_CHECKING:
    from tui.screens.recollect import RecollectScreen


def filter_words() -> tuple[str, ...]:
    """The filter words a cue understands."""
    from core.recall.filters import FILTER_WORDS  # costs 60 ms of CPU; the first tab pays it, not the first frame

    return FILTER_WORDS


class Actions:
    """Acts on a screen; holds nothing of its own."""

    def __init__(self, screen: RecollectScreen) -> None:
        self._s = screen

    def do(self, id_: str) -> None:
        """Run the action with this id, or say why it is not possible now."""
        why = why_not(row_of(id_).reason, self._s.facts)
        if why:
            toast(self._s, why)
            return
        family, _, number = id_.rpartition("-")
        if family == "go":
            self._s.post_message(Go(number))
        elif family in ("follow", "digit") and number.isdigit():
            self.follow(int(number))
        elif family == "near":
            self.open_near("abcde".index(number))
        else:
            getattr(self, "do_" + id_.replace("-", "_"))()

    def click(self, ref: str) -> None:
        """Follow what was clicked: an action, a source, a candidate, a fold."""
        kind, *rest = ref.split(":")
        if kind == "do":
            self.do(rest[0])
        elif kind == "claim":
            self.follow(int(rest[1]), entry=int(rest[0]))
        elif kind == "adjacent":
            self.open_near(int(rest[1]), entry=int(rest[0]))
        elif kind == "fold":
            self._s.dialogue.toggle(ref)
        elif kind == "go":
            self._s.post_message(Go(rest[0]))

    # The dialogue

    def do_tell(self) -> None:
        """Tell the story of the words, or open the row the person moved to."""
        row = self._s.results.chosen
        if self._s.results.moved and row is not None:
            self.open_record(row.locator, row.phrase)
            return
        text = self._s.cue.take()
        if text:
            self._s.passes.tell(text)

    def do_open(self) -> None:
        """Open the chosen row."""
        row = self._s.results.chosen
        if row is not None:
            self.open_record(row.locator, row.phrase)

    def open_record(self, locator: Locator, phrase: str) -> None:
        """Have a record told, with the typed cue before it."""
        if self._s.passes.busy:
            toast(self._s, "A search is running. esc stops it.")
            return
        self._s.passes.point(locator, phrase, self._s.cue.take())
        self._s.cue.focus()

    def do_yes(self) -> None:
        """Identify, or accept a wider search."""
        self._s.passes.tell("that's it" if self._s.talk.presented else "yes, search wider", key_for("yes"))

    def do_no(self) -> None:
        """Reject, or stop where a wider search is offered."""
        self._s.passes.tell("not that one" if self._s.talk.presented else "stop here", key_for("no"))

    def do_stop(self) -> None:
        """Close the dialogue."""
        self._s.passes.tell("stop here", key_for("stop"))

    def do_new(self) -> None:
        """Forget the dialogue and begin anew."""
        self._s.passes.begin_anew()
        self._s.cue.focus()

    def do_keep(self) -> None:
        """Keep the identified recall in memory."""
        recalled = self._s.talk.recalled
        if recalled is not None:
            self._s.kept = recalled
            self._s.post_message(KeepRecall(recalled))
            self._s.refresh_bars()

    def do_hand_over(self) -> None:
        """Begin a task in Delegate with what was identified."""
        recalled = self._s.talk.recalled
        if recalled is not None:
            first = recalled.recognizable.members[0]
            words = first.title or first.gist or (recalled.story[0].text if recalled.story else "")
            self._s.post_message(Go("delegate", one_line(words, 300)))

    def do_follow(self) -> None:
        """Open the next source of the story; where there is no room beside the dialogue, the record takes its place."""
        story = self._s.talk.story
        if story is not None:
            beside = not self._s.has_class("-narrow")
            seen = beside or self._s.pane is Pane.RECORD  # else the one that was opened last was not looked at yet
            number = self._s.followed if seen else max(0, self._s.followed - 1)
            self.follow(number % max(1, len(story[1].excerpts)) + 1, stay=beside)

    def follow(self, number: int, *, entry: int | None = None, stay: bool = False) -> None:
        """Open the record at a source; `stay` leaves the cursor where it is."""
        round_ = None
        if entry is not None:
            told = self._s.talk.entries[entry] if entry < len(self._s.talk.entries) else None
            round_ = told.round if isinstance(told, Told) else None
        elif self._s.talk.story is not None:
            round_ = self._s.talk.story[1]
        place = place_of_excerpt(round_, number) if round_ is not None else None
        if place is None:
            toast(self._s, f"The story has no source [{number}].")
            return
        self._s.followed = number
        self._s.reader.show(place)
        if not stay:
            self._s.record.focus()

    def open_near(self, number: int, *, entry: int | None = None) -> None:
        """Have one of the candidates near a story told."""
        story = self._s.talk.story
        told = self._s.talk.entries[entry] if entry is not None else None
        round_ = told.round if isinstance(told, Told) else story[1] if story else None
        if round_ is None or number >= len(round_.adjacent):
            toast(self._s, "No such candidate is named near this story.")
            return
        other = round_.adjacent[number]
        self.open_record(other.locator, one_line(other.phrase, 70))

    def do_fold_searched(self) -> None:
        """Show or hide where was searched."""
        self._fold("searched")

    def do_fold_sources(self) -> None:
        """Show or hide the quotes."""
        self._fold("sources")

    def _fold(self, what: str) -> None:
        entries = self._s.talk.entries
        numbers = [n for n, each in enumerate(entries) if isinstance(each, Told) and each.round]
        if numbers:
            self._s.dialogue.toggle(f"fold:{what}:{numbers[-1]}")

    # The cue and the list

    def do_complete(self) -> None:
        """Complete a filter word, or go to the next pane."""
        screen, cue = self._s, self._s.cue
        roots = screen.around.roots if screen.around else ()
        runtimes = tuple(dict.fromkeys(root.runtime for root in roots))
        projects = tuple(dict.fromkeys(row.project for row in screen.results.rows if row.project))
        done = complete(cue.value, cue.cursor_position, filter_words(), runtimes, projects)
        if done is None:
            self.do_next_pane()
            return
        cue.value = done.text
        cue.cursor_position = done.cursor
        if done.choices:
            toast(screen, "  ".join(done.choices[:12]))

    def do_list_up(self) -> None:
        """Choose the row above."""
        self._s.results.action_move(-1)

    def do_list_down(self) -> None:
        """Choose the row below."""
        self._s.results.action_move(1)

    def do_list_page_up(self) -> None:
        """Move a page up in the list."""
        self._s.results.action_page(-1)

    def do_list_page_down(self) -> None:
        """Move a page down in the list."""
        self._s.results.action_page(1)

    def do_tale_up(self) -> None:
        """Scroll the dialogue up."""
        self._s.dialogue.scroll_to_line(max(0, self._s.dialogue.top - 2))

    def do_tale_down(self) -> None:
        """Scroll the dialogue down."""
        self._s.dialogue.scroll_to_line(self._s.dialogue.top + 2)

    def do_history_back(self) -> None:
        """Bring back an earlier cue."""
        self._s.cue.recall(-1)

    def do_history_on(self) -> None:
        """Go to a later cue."""
        self._s.cue.recall(1)

    def do_scope(self) -> None:
        """Change to the next scope."""
        self._s.cycle_scope()

    # The record

    def do_resume(self) -> None:
        """Hand the terminal over."""
        target = self._s.target
        if target is not None:
            self._s.desk.resume(target)

    def do_copy_command(self) -> None:
        """Copy the command that resumes the record."""
        target = self._s.target
        if target is not None and target.handle is not None:
            self._s.desk.copy(target.handle.command, "the command")

    def do_copy_id(self) -> None:
        """Copy the session's id."""
        target = self._s.target
        if target is not None:
            self._s.desk.copy(target.locator.session_id, "the session's id")

    def do_copy_turn(self) -> None:
        """Copy the turn at the top of the record pane."""
        turn = self._s.record.current
        if turn is not None:
            self._s.desk.copy(turn.text, "the turn")

    def do_export_md(self) -> None:
        """Write the record as Markdown."""
        if self._s.target is not None:
            self._s.desk.export(self._s.target, "md")

    def do_export_json(self) -> None:
        """Write the record as JSON."""
        if self._s.target is not None:
            self._s.desk.export(self._s.target, "json")

    def do_raw(self) -> None:
        """Show the turn's line as it stands in the file."""
        turn, place = self._s.record.current, self._s.record.place
        if turn is not None and place is not None:
            self._s.desk.raw(place, turn)

    # The app

    def do_help(self) -> None:
        """Show the keys of the focused pane."""
        self._s.app.push_screen(help_screen(self._s.pane if self._s.pane in PANE_HELP else Pane.ANY))

    def do_palette(self) -> None:
        """Open the palette."""
        self._s.app.action_command_palette()

    def do_go(self) -> None:
        """Ask for a place."""
        self._s.post_message(Go())

    def do_settings(self) -> None:
        """Show the settings."""
        self._s.post_message(ShowSettings())

    def do_theme(self) -> None:
        """Change to the next theme."""
        self._s.app.theme = next_theme(self._s.app.theme)

    def do_next_pane(self) -> None:
        """Move to the next pane."""
        panes = (self._s.cue, self._s.dialogue, self._s.results, self._s.record)
        at = next((n for n, pane in enumerate(panes) if pane.has_focus), -1)
        panes[(at + 1) % len(panes)].focus()

    def do_back(self) -> None:
        """Go back one level."""
        if self._s.passes.busy:
            self._s.passes.stop()
        elif self._s.reader.stop():
            self._s.head_record()
        elif self._s.selections:
            self._s.clear_selection()
        elif self._s.pane is not Pane.CUE:
            self._s.cue.focus()

    def do_copy_or_quit(self) -> None:
        """Copy the selected text; without one, quit on the second press."""
        selected = self._s.get_selected_text() or self._s.cue.selected_text
        if selected:
            self._s.desk.copy(selected, "the selection")
            return
        self._s.quit_or_warn()

    def do_quit(self) -> None:
        """Quit."""
        self._s.app.exit()

    def do_quit_outside(self) -> None:
        """Quit."""
        self._s.app.exit()
