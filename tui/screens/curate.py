"""The place Curate: stale claims decided on one by one, the exact difference, the seat-check, applying and undoing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from core.errors import RecollectError
from core.soul.curator import Preview
from core.text import one_line
from tui.keys import CURATE, KeyRow, Pane, keyed, pane_bindings
from tui.screens import curate_words
from tui.screens.bars import failure
from tui.screens.curate_actions import CurateActions
from tui.screens.curate_panes import ChangeView, WhatView, WorkList, form_fields
from tui.screens.curate_port import CuratePort, Typed, Work, WorkRow
from tui.screens.curate_reasons import CurateFacts, why_not
from tui.screens.curate_work import ApplyReady, CurateWork, Finished, LogRead, Previewed, WorkRead
from tui.screens.place import PlaceScreen
from tui.widgets.bar import Bar
from tui.widgets.field import Field
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.row_list import RowList
from tui.widgets.toast import toast

PAUSE = 0.25
"""Seconds without a key after which the whole seat-check runs: it reads files and git, the form's own rules do not."""


class CurateScreen(PlaceScreen):
    """Shows one `Work`; workers report by message, widgets announce, this decides. Nothing typed is ever dropped."""

    CSS_PATH = "curate.tcss"
    AUTO_FOCUS = "#work"
    PLACE = "curate"
    ROWS = CURATE
    BINDINGS: ClassVar[list[BindingType]] = [*pane_bindings(Pane.CURATE), *pane_bindings(Pane.ANY)]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (20, "-tall")]  # noqa: RUF012

    listed = getters.query_one("#work", WorkList)
    what = getters.query_one("#what", WhatView)
    change = getters.query_one("#change", ChangeView)

    def __init__(self, port: CuratePort, document: str = "") -> None:
        super().__init__()
        self.wanted = document
        """The document the person named, `""` for the one by custom."""
        self.work: Work | None = None
        self.rows: tuple[WorkRow, ...] = ()
        """The claims that are listed."""
        self.jobs = CurateWork(self, port)
        self.preview: Preview | None = None
        self.problem: RecollectError | None = None
        self._typed: dict[str, dict[str, str]] = {}
        """By the words of a claim: what was typed for it and is not decided."""
        self._sent: set[str] = set()
        """Words of claims that were sent here."""
        self._going_to = 0
        """The line of a claim to choose when the document was read."""
        self._pause: Timer | None = None
        self._shown = ""
        """The words of the claim that the form shows."""
        self.undo_wanted = False
        """The log is read to find what is to be undone."""

    def compose(self) -> ComposeResult:
        """The header, the receipt, the panes, the footer."""
        yield Bar(self._header, id="header")
        yield Static(Content("Checking …"), id="curate-receipt", markup=False)
        with Container(id="curate-panes"):
            yield WorkList(id="work")
            with Vertical(id="curate-side"):
                with VerticalScroll(id="form", can_focus=False):
                    yield WhatView(id="what")
                    yield from form_fields()
                yield ChangeView(id="change")
        yield Bar(self._footer, id="hints")

    def on_mount(self) -> None:
        """Say what is going on, and begin the check."""
        self.listed.border_title = Content("work list")
        self.query_one("#form").border_title = Content("decision")
        self.change.border_title = Content("what would change")
        self.listed.say(curate_words.said("The document is checked first.", "Keys work meanwhile."))
        self.show_row()
        self.jobs.check(self.wanted)

    # What is known

    @property
    def row(self) -> WorkRow | None:
        """The chosen claim."""
        at = self.listed.chosen
        return self.rows[at] if 0 <= at < len(self.rows) else None

    @property
    def fields(self) -> Mapping[str, Field]:
        """The fields of the form by name."""
        return {name: self.query_one(f"#{name}", Field) for name in curate_words.FIELDS}

    @property
    def values(self) -> dict[str, str]:
        """What stands in the form."""
        return {name: field.value for name, field in self.fields.items()}

    @property
    def facts(self) -> CurateFacts:
        """What decides which keys are valid now."""
        row, work, values = self.row, self.work, self.values
        goes, stays = bool(work and row and work.decision(row)), work.stays(row) if work and row else ""
        written = values["stays"].strip()
        return CurateFacts(
            self.jobs.running > 0, work is not None, bool(work and work.moved), row is not None, goes, bool(stays),
            curate_words.missing(values), self._same, bool(written), bool(written) and written == stays,
            work.decisions if work else 0, bool(values["by"].strip()), bool(values["grader"].strip()),
            bool(work and work.undoable),
        )  # fmt: skip

    @property
    def _same(self) -> bool:
        """The form says what is decided already."""
        row, values = self.row, self.values
        decision = self.work.decision(row) if row and self.work else None
        return decision is not None and (decision.why, decision.where_it_went) == (values["why"], values["where"])

    @property
    def actions(self) -> CurateActions:
        """What the keys do."""
        return CurateActions(self)

    def why_not(self, row: KeyRow) -> str:
        """Why the action of a row is not possible now."""
        return why_not(row.reason, self.facts)

    def action_do(self, id_: str) -> None:
        """Run an action of the key table, or say why it is not possible."""
        self.actions.do(id_)

    def _header(self, width: int) -> Sequence[Piece]:
        state = "checking …" if self.jobs.running else ""
        return self.cornered(width, lambda room: curate_words.header(self.work, state, room))

    def _footer(self, width: int) -> Sequence[Piece]:
        return curate_words.hints(self.actions.pane, self.facts, width)

    def refresh_bars(self) -> None:
        """Draw the header, the answers and the footer anew."""
        for bar in self.query(Bar):
            bar.refresh()

    # The work list

    def arrive(self, document: str, line: int) -> None:
        """Choose the claim at a line of a document, which another place sent here."""
        if document:
            self.wanted = document
        self._going_to = line
        if self.is_mounted:
            self.jobs.check(self.wanted)

    def on_screen_resume(self) -> None:
        """The document may have been changed meanwhile."""
        if self.work is not None and not self.jobs.running:
            self.jobs.check(self.wanted)

    def on_work_read(self, message: WorkRead) -> None:
        """Show a check; the chosen claim stays chosen."""
        self.jobs.ended()
        if message.after:
            toast(self, message.after)
        self._take(message.work, onward=message.onward)

    def _take(self, work: Work, *, onward: bool = False) -> None:
        before = self.row
        other = self.work is None or self.work.path != work.path
        self.work = work
        if other:
            self._sent.clear()
        sent = next((r for r in work.rows if r.lines[0] <= self._going_to <= r.lines[1]), None)
        if sent is not None:
            self._sent.add(sent.text)
        self.rows = curate_words.listed(work, self._sent)
        self._going_to = 0
        chosen = sent or before
        at = next((n for n, r in enumerate(self.rows) if chosen is not None and r.text == chosen.text), 0)
        if onward and self.rows:
            order = (*range(at, len(self.rows)), *range(at))
            at = next((n for n in order if not (work.decision(self.rows[n]) or work.stays(self.rows[n]))), at)
        if self.rows:
            self.listed.show(len(self.rows), self._draw, chosen=at)
        else:
            words = f"Nothing in {one_line(work.path, 60)} is stale or superseded."
            hint = keyed("any other claim can be sent here from Soul: {go-soul}, then {soul-curate}")
            self.listed.say(curate_words.said(words, hint=hint))
        open_ = sum(not (work.decision(r) or work.stays(r)) for r in self.rows)
        self.listed.border_title = Content(f"work list ({open_} open of {len(self.rows)})")
        self._receipt("The document changed after your decisions; they are kept, and nothing was written. "
                      "F5, “give the decisions up”, begins anew." if work.moved else work.receipt, failed=work.moved)  # fmt: skip
        if work.draft.curated_by and not self.fields["by"].value:
            self._fill({"by": work.draft.curated_by})
        self.show_row()

    def _receipt(self, words: str, *, failed: bool = False) -> None:
        receipt = self.query_one("#curate-receipt", Static)
        receipt.update(Content(one_line(words, 600)))
        receipt.set_class(failed, "-failed")

    def _draw(self, number: int, width: int, _chosen: bool) -> Sequence[Piece]:
        assert self.work is not None
        return curate_words.draw_row(self.rows[number], self.work, width)

    @on(RowList.Chosen, "#work")
    def _follow(self) -> None:
        self.show_row()

    @on(RowList.Opened, "#work")
    def _opened(self) -> None:
        self.action_do("curate-open")

    # The form

    def show_row(self) -> None:
        """Show the chosen claim in the form: what was typed for it, else what was decided."""
        row, work = self.row, self.work
        self._shown = row.text if row else ""
        self.what.show_paragraphs(curate_words.what(row))
        decision = work.decision(row) if row and work else None
        known = {
            "why": decision.why if decision else "",
            "where": decision.where_it_went if decision else "",
            "stays": work.stays(row) if row and work else "",
        }
        self._fill({**known, **self._typed.get(self._shown, {})})
        self.query_one("#form").border_title = Content(self._title(row))
        self.judge(soon=False)

    def _title(self, row: WorkRow | None) -> str:
        decision = self.work.decision(row) if row and self.work else None
        word = "" if decision is None else " · proposed" if decision.proposed else " · decided"
        return f"decision · line {row.line}{word}" if row else "decision"

    def _fill(self, values: Mapping[str, str]) -> None:
        with self.prevent(Field.Written):
            for name, value in values.items():
                if self.fields[name].value != one_line(value):
                    self.fields[name].value = value

    def remember_typed(self) -> None:
        """Keep what stands in the form for the chosen claim, whatever happens to its decision."""
        if self._shown:
            self._typed[self._shown] = {n: self.values[n] for n in ("why", "where", "stays")}

    def forget_typed(self, text: str) -> None:
        """What was typed for a claim was decided."""
        self._typed.pop(text, None)

    @property
    def undecided(self) -> tuple[WorkRow, ...]:
        """Claims with words in their form that are not decided."""
        return tuple(r for r in self.rows if any(v.strip() for v in self._typed.get(r.text, {}).values()))

    def on_field_written(self, message: Field.Written) -> None:
        """Judge at once by the form's own rules, and by all rules after a pause."""
        name = message.field.id or ""
        if name in ("why", "where", "stays") and self._shown:
            if self._same and name != "stays":
                self._typed.pop(self._shown, None)
            else:
                self.remember_typed()
        self.judge(soon=True)

    def judge(self, *, soon: bool) -> None:
        """Say beside each field what the rules say of it; the whole seat-check follows, `soon` after the last key."""
        values = self.values
        decisions = [
            {"what": p.what, "why": p.why, "where_it_went": p.where_it_went, "proposed": p.proposed,
             "tissue": "declared" if p.proposed else "verifiable"}
            for p in (self.work.draft.prunes if self.work else ())
            if self.row is None or p.lines != self.row.lines
        ]  # fmt: skip
        self._say(curate_words.at_once(values, self.row, decisions))
        self.refresh_bars()
        self._end_pause()
        if self.work is None:
            self.change.show_paragraphs(
                curate_words.said("What would change stands here once the document is checked.")
            )
        elif soon:
            self._pause = self.set_timer(PAUSE, self.ask_preview)
        else:
            self.ask_preview()

    def _end_pause(self) -> None:
        if self._pause is not None:
            self._pause.stop()
            self._pause = None

    def _say(self, found: Mapping[str, str]) -> None:
        for name, field in self.fields.items():
            words = found.get(name, "")
            if field.said != one_line(words, 400):
                field.say(words)

    def ask_preview(self) -> None:
        """Ask for the whole seat-check of the decisions and the form."""
        self._end_pause()
        row, values = self.row, self.values
        if self.work is None or self.work.moved:
            self.preview = None
            moved = curate_words.said(
                "The document changed after your decisions.", hint="F5, “give the decisions up”, begins anew"
            )
            self.change.show_paragraphs(moved)
            return
        goes = row is not None and not curate_words.missing({**values, "by": "x"})
        stale, text = (row.stale_as, row.text) if row and values["stays"].strip() and not goes else ("", "")
        self.jobs.preview(
            self.wanted,
            Typed(values["by"], row.line if goes and row else 0, values["why"], values["where"], stale,
                  "" if stale else text, values["stays"]),
            values["grader"],
        )  # fmt: skip

    def on_previewed(self, message: Previewed) -> None:
        """Show what would change, and the seat-check beside the fields."""
        if message.number != self.jobs.number or self._pause is not None:
            return
        self.preview, self.problem = message.preview, message.problem
        self.change.show_paragraphs(curate_words.difference(message.preview, message.problem))
        if message.preview is not None:
            found, rest = curate_words.beside(message.preview.seat)
            at_once = {name: field.said for name, field in self.fields.items() if field.said}
            self._say({**found, **at_once})
            extra = tuple(Paragraph((Piece(f"✗ {one_line(v.message, 300)}", "warn"),)) for v in rest)
            self.what.show_paragraphs((*curate_words.what(self.row), *extra))
        elif message.problem is not None:
            words = Paragraph((Piece(f"✗ {one_line(message.problem.what, 400)}", "warn"),))
            self.what.show_paragraphs((*curate_words.what(self.row), words))
        self.refresh_bars()

    # Applying, undoing, the log

    def on_apply_ready(self, message: ApplyReady) -> None:
        """Show the exact difference and ask."""
        self.jobs.ended()
        self.actions.ask_apply(message.preview, message.grader, commit=message.commit)
        self.refresh_bars()

    def on_finished(self, message: Finished) -> None:
        """Say what was done, and show the document as it stands now."""
        self.jobs.ended()
        self._take(message.work)
        self.actions.tell_done(message.done)
        self.announce_memory()

    def on_log_read(self, message: LogRead) -> None:
        """Show the log."""
        self.jobs.ended()
        self.actions.show_log(message.records)
        self.refresh_bars()

    @on(Worker.StateChanged)
    def _failed(self, event: Worker.StateChanged) -> None:
        """The crash boundary of the workers: say what failed, with no word of a document."""
        if event.state is not WorkerState.ERROR:
            return
        if event.worker.group != "preview":
            self.jobs.ended()
        what, hint = failure(event.worker.error, event.worker.group, type(event.worker.error).__name__)
        if self.work is None:
            self._receipt("No document was checked.", failed=True)
            self.listed.say(curate_words.said(what, keyed("{curate-again} checks again."), hint=hint))
        else:
            toast(self, what, hint, "warning")
        self.refresh_bars()

    # Focus and clicks

    def on_descendant_focus(self) -> None:
        """Show the keys of the focused pane; in a narrow terminal, give it the room."""
        pane = self.actions.pane
        self.set_class(pane is Pane.FORM, "-writing")
        self.set_class(pane is Pane.CHANGE, "-reading")
        self.refresh_bars()

    def on_bar_clicked(self, message: Bar.Clicked) -> None:
        """A hint or a tab was clicked."""
        self.actions.click(message.ref)
