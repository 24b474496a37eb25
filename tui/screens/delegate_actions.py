"""What each action of the place Delegate does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.widget import Widget

from core.delegation.desk import Made
from core.delegation.model import Status
from core.text import one_line, shown
from tui.keys import Pane
from tui.screens import delegate_words
from tui.screens.copying import copy
from tui.screens.delegate_debrief import DebriefForm, Debriefing
from tui.screens.delegate_panes import Answered
from tui.screens.delegate_picker import Picked, PickScreen
from tui.screens.place import Go
from tui.screens.place_actions import PlaceActions
from tui.widgets.field import Field
from tui.widgets.toast import toast

if TYPE_CHECKING:
    from tui.screens.delegate import DelegateScreen

_PANES = {"delegated": Pane.DELEGATED, "packet": Pane.PACKET}


class DelegateActions(PlaceActions):
    """Acts on the screen; holds nothing of its own."""

    _s: DelegateScreen
    HELP = Pane.DELEGATE

    @property
    def pane(self) -> Pane:
        """The focused pane."""
        focused = self._s.focused
        name = focused.id or "" if focused else ""
        return Pane.ORDER if name.startswith("order-") else _PANES.get(name, Pane.DELEGATE)

    @property
    def panes(self) -> Sequence[Widget]:
        """The task, the list, the packet."""
        return [self._s.query_one("#order-task", Field).line, self._s.listed, self._s.packet]

    def do_next_pane(self) -> None:
        """Move to the next pane; within the fields, to the next one."""
        if self.pane is Pane.ORDER:
            self._s.listed.focus()
        else:
            super().do_next_pane()

    # Writing an order

    def do_delegate_order(self) -> None:
        """Go to the task."""
        self._s.query_one("#order-task", Field).line.focus()
        if self._s.preview is not None and self._s.shown is not self._s.preview:
            self._s.show(self._s.preview, "packet: not recorded yet")

    def do_delegate_next(self) -> None:
        """Go to the next field; after the last one, to the packet."""
        fields = list(self._s.query(Field))
        at = next((n for n, field in enumerate(fields) if field.line.has_focus), -1)
        (fields[at + 1].line if 0 <= at < len(fields) - 1 else self._s.packet).focus()

    def do_delegate_pick(self) -> None:
        """Pick paths of the project."""
        draft = self._s.draft

        def job() -> None:
            paths = self._s.port.paths()
            self._s.post_message(Answered(lambda: self._pick(paths, draft.scope, draft.must_not)))

        self._s.work(job, "paths")

    def _pick(self, paths: Sequence[str], scope: str, must_not: str) -> None:
        if self._s.app.screen is not self._s:
            return  # the person went on to something else meanwhile

        def left(picked: Picked | None) -> None:
            if picked is not None:
                self._s.query_one("#order-scope", Field).value = ", ".join(picked.scope)
                self._s.query_one("#order-must-not", Field).value = ", ".join(picked.must_not)
                self._s.query_one("#order-task", Field).line.focus()

        self._s.app.push_screen(PickScreen(paths, scope, must_not), left)

    def do_delegate_make(self) -> None:
        """Record the packet and copy it."""
        made = self._s.preview
        if not isinstance(made, Made):
            return

        def then() -> None:
            self._s.query_one("#order-task", Field).value = ""
            self._s.compose_packet()
            self._s.show(made, f"packet {made.delegation.packet.id[-10:]}: live")
            copy(self._s, made.text.text, "the packet")
            self._s.listed.focus()

        self._s.record(made, then)

    # A packet

    def do_delegate_show(self) -> None:
        """Go to the packet of the chosen delegation."""
        self._s.show_chosen()
        self._s.packet.focus()

    def do_delegate_copy(self) -> None:
        """Copy the packet that is shown."""
        if isinstance(self._s.shown, Made):
            copy(self._s, self._s.shown.text.text, "the packet")

    def do_delegate_write(self) -> None:
        """Write the packet to a file, and copy its path."""
        one = self._s.recorded
        if one is None:
            return

        def job() -> None:
            path = self._s.port.write(one.packet.id)
            self._s.post_message(Answered(lambda: self._written(path)))

        self._s.work(job, "write")

    def _written(self, path: str) -> None:
        copy(self._s, path, "the path of the packet's file")
        toast(self._s, f"Written to {one_line(shown(path), 200)}")

    def do_delegate_all(self) -> None:
        """List those that ended too, or no longer."""
        self._s.ended = not self._s.ended
        self._s.list_delegations()
        one = self._s.chosen
        if one is not None and self.pane is Pane.DELEGATED and self._s.recorded is not one:
            self._s.show_chosen()  # the list was empty, or lost the one that was chosen

    def do_delegate_again(self) -> None:
        """Read again, and compose anew."""
        self._s.read()
        if self._s.draft.task.strip():
            self._s.compose_packet()

    # How it went

    def do_delegate_debrief(self) -> None:
        """Ask how it went."""
        one, look = self._s.recorded, self._s.look
        if one is None or look is None:
            return
        identity = one.packet.id
        begin = {"grader": look.agent, **self._s.typed.get(identity, {})}

        def left(done: Debriefing | None) -> None:
            if done is None:
                return
            self._s.typed[identity] = dict(done.values)
            if done.result is None:
                return
            self._s.typed.pop(identity, None)
            result = done.result
            self._s.read(identity, lambda: self._s.tell("debrief", delegate_words.debrief_paragraphs(result)))
            self._s.announce_memory()
            waits = any(t.state == "queued" for t in result.taught)
            toast(
                self._s, f"Debriefed: {result.graded.verdict.value}.", "what was taught waits in the spool" if waits else "",
                "warning" if waits else "information",
            )  # fmt: skip

        regrade = one.status is not Status.LIVE
        self._s.app.push_screen(DebriefForm(self._s.port, one, begin, regrade=regrade), left)

    # Going about

    def do_back(self) -> None:
        """Go back one level: to the list, to the live ones, to Recollect."""
        if self._s.selections:
            self._s.clear_selection()
        elif self.pane is not Pane.DELEGATED:
            self._s.listed.focus()
        elif self._s.ended:
            self.do_delegate_all()
        else:
            self._s.post_message(Go("recollect"))
