"""The place Soul: the project's handoff document with what the check says of each of its claims."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, Static
from textual.worker import Worker, WorkerState

from core.soul.receipt_history import PastReceipt
from core.text import one_line
from tui.keys import SOUL, KeyRow, Pane, keyed, pane_bindings
from tui.screens import soul_words
from tui.screens.bars import failure
from tui.screens.choosing import Choice, ChoiceScreen
from tui.screens.place import PlaceScreen
from tui.screens.soul_actions import SoulActions
from tui.screens.soul_detail import detail
from tui.screens.soul_port import Look, SoulPort
from tui.screens.soul_reasons import SoulFacts, why_not
from tui.screens.soul_rows import Kind, Row, counts, filtered, first_claim, place_of, rows_of
from tui.screens.soul_watch import DocumentsRead, PastRead, ProjectChanged, SoulChecked, SoulWork
from tui.widgets.bar import Bar
from tui.widgets.document_view import DocumentView
from tui.widgets.line_input import LineInput
from tui.widgets.line_view import LineView
from tui.widgets.pieces import Piece
from tui.widgets.row_list import RowList
from tui.widgets.toast import toast


class ClaimList(RowList):
    """The outline of the document."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.CLAIMS)

    def action_section(self, step: int) -> None:
        """Choose the next heading, or the one before."""
        self.screen.action_section(step)  # type: ignore[attr-defined]


class DetailView(LineView):
    """What is known of the chosen row."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.DETAIL)


class WordsInput(LineInput):
    """The words that filter the claims."""

    BINDINGS: ClassVar[list[BindingType]] = pane_bindings(Pane.WORDS)


class SoulScreen(PlaceScreen):
    """Shows one `Look`; checks report by message, widgets announce, this decides."""

    CSS_PATH = "soul.tcss"
    AUTO_FOCUS = "#claims"
    PLACE = "soul"
    ROWS = SOUL
    BINDINGS: ClassVar[list[BindingType]] = [*pane_bindings(Pane.SOUL), *pane_bindings(Pane.ANY)]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (16, "-tall")]  # noqa: RUF012

    claims = getters.query_one("#claims", ClaimList)
    detail = getters.query_one("#detail", DetailView)
    document = getters.query_one("#document", DocumentView)
    words = getters.query_one("#soul-words", WordsInput)

    def __init__(self, port: SoulPort, document: str = "", *, now: float | None = None) -> None:
        super().__init__()
        self.wanted = document
        """The document the person named, `""` for the one by custom."""
        self.look: Look | None = None
        self.work = SoulWork(self, port)
        self.state = ""
        """The filter in force."""
        self.narrowed = ""
        """The words in force."""
        self.rows: tuple[Row, ...] = ()
        """The rows that are listed."""
        self._all: tuple[Row, ...] = ()
        self._counts: Mapping[str, int] = {}
        self._past: tuple[PastReceipt, ...] | None = None
        self._now = now
        self._trouble = ""
        self._due = False
        self._told_at = -1
        self._going_to = 0
        """The line of a claim to choose when the document was checked."""
        self.turned = 0
        """Which of the lines of the chosen row was gone to last."""

    def compose(self) -> ComposeResult:
        """The header, the receipt, the filter line, the panes, the line for words, the footer."""
        yield Bar(self._header, id="header")
        yield Static(Content("Checking …"), id="soul-receipt", markup=False)
        yield Bar(self._filter_line, id="soul-states")
        with Container(id="soul-panes"):
            yield ClaimList(id="claims")
            with Vertical(id="soul-side"):
                yield DetailView(id="detail")
                yield DocumentView(id="document")
        with Horizontal(id="soul-words-row"):
            yield Static("/ ", markup=False)
            yield WordsInput(id="soul-words", placeholder="words of a claim")
        yield Bar(self._footer, id="hints")

    def on_mount(self) -> None:
        """Say what is going on, and begin the check."""
        self.claims.border_title = Content("claims")
        self.detail.border_title = Content("detail")
        self.document.border_title = Content("document")
        self.claims.say(
            soul_words.said("Each claim is looked up in files, git, symbols and receipts.", "Keys work meanwhile.")
        )
        self.check()

    def on_unmount(self) -> None:
        """End the watch."""
        self.work.stop()

    # What is known

    @property
    def pane(self) -> Pane:
        """The focused pane."""
        panes = {"claims": Pane.CLAIMS, "detail": Pane.DETAIL, "document": Pane.DOCUMENT, "soul-words": Pane.WORDS}
        return panes.get(self.focused.id or "" if self.focused else "", Pane.SOUL)

    @property
    def row(self) -> Row | None:
        """The chosen row."""
        at = self.claims.chosen
        return self.rows[at] if 0 <= at < len(self.rows) else None

    @property
    def facts(self) -> SoulFacts:
        """What decides which keys are valid now."""
        row = self.row
        found = row is not None and any(anchor["found"] for anchor in row.data.get("anchors", ()))
        claim = row is not None and row.kind is Kind.CLAIM
        return SoulFacts(self.work.running, self.look is not None, row is not None, claim, found)

    @property
    def actions(self) -> SoulActions:
        """What the keys do."""
        return SoulActions(self)

    def why_not(self, row: KeyRow) -> str:
        """Why the action of a row is not possible now."""
        return why_not(row.reason, self.facts)

    def count(self, state: str) -> int:
        """How many rows a filter would list."""
        return self._counts.get(state, 0)

    def action_do(self, id_: str) -> None:
        """Run an action of the key table, or say why it is not possible."""
        self.actions.do(id_)

    def _header(self, width: int) -> Sequence[Piece]:
        state = "checking …" if self.work.running else "watching" if self.work.watching else ""
        return self.cornered(width, lambda room: soul_words.header(self.look, state, room))

    def _filter_line(self, width: int) -> Sequence[Piece]:
        if self.look is None:
            return []
        return soul_words.filter_line(self._counts, self.state, self.narrowed, width)

    def _footer(self, width: int) -> Sequence[Piece]:
        return soul_words.hints(self.pane, self.facts, width)

    def refresh_bars(self) -> None:
        """Draw the header, the filter line and the footer anew."""
        for bar in self.query(Bar):
            bar.refresh()

    # The check

    def check(self) -> None:
        """Check now."""
        self.work.check(self.wanted)
        self.refresh_bars()

    def on_soul_checked(self, message: SoulChecked) -> None:
        """Show a check; what was chosen and where it stood in the pane stays."""
        before, self.look = self.look, message.look
        self._trouble = ""
        self._receipt(str(message.look.report["receipt"]))
        other = before is None or (before.root, before.path) != (message.look.root, message.look.path)
        if other or (before is not None and before.lines != message.look.lines):
            self.document.load(message.look.lines)
        if other:
            self._past = None
            self.state = self.narrowed = ""
            self.document.show_line(1)
        self.document.border_title = Content(one_line(message.look.path, 60))
        self._rebuild(anew=other)
        if self._going_to:
            self._go_to_line()
        self.work.watch(message.look.root)
        if not self.work.ended():
            self.work.read_past(message.look)
        self.refresh_bars()

    def on_past_read(self, message: PastRead) -> None:
        """Show the earlier receipts."""
        if self.look is not None and message.look.path == self.look.path and message.past != self._past:
            self._past = message.past
            self._rebuild()

    @on(Worker.StateChanged)
    def _failed(self, event: Worker.StateChanged) -> None:
        """The crash boundary of the workers: say what failed, with no word of a document."""
        if event.state is not WorkerState.ERROR:
            return
        group = event.worker.group
        name = {"past": "reading of earlier receipts", "documents": "list of documents"}.get(group, group)
        what, hint = failure(event.worker.error, name, type(event.worker.error).__name__)
        if group != "check":
            toast(self, what, hint, "warning")
            return
        self.work.ended()
        self._trouble = what
        if self.look is None:
            self._receipt("No document was checked.", failed=True)
            self.claims.say(
                soul_words.said(
                    what,
                    keyed("{soul-choose} lists the documents of the project, {soul-check} checks again."),
                    hint=hint,
                )
            )
            self.detail.show_paragraphs(soul_words.said("What a claim cites and what was found of it stands here."))
        else:
            self._receipt(f"{what} Below is the check before: {self.look.report['receipt']}", failed=True)
        self.refresh_bars()

    def _receipt(self, words: str, *, failed: bool = False) -> None:
        receipt = self.query_one("#soul-receipt", Static)
        receipt.update(Content(one_line(words, 600)))
        receipt.set_class(failed, "-failed")

    def arrive(self, document: str, line: int) -> None:
        """Choose the claim at a line, which another place sent here; all claims are listed for it."""
        self._going_to = line
        if document and document != self.wanted:
            self.wanted = document
            self.check()
        elif self.look is not None:
            self.filter("", "")
            self._go_to_line()

    def _go_to_line(self) -> None:
        line, self._going_to = self._going_to, 0
        at = next((n for n, row in enumerate(self.rows) if any(a <= line <= b for a, b in row.spans)), None)
        if line and at is not None:
            self.claims.choose(at)

    def on_project_changed(self, message: ProjectChanged) -> None:
        """Check again; where another place is shown, when the person comes back."""
        if message.trouble:
            self.work.stop()
            toast(
                self,
                f"Changes of files are no longer seen ({message.trouble}).",
                keyed("{soul-check} checks again"),
                "warning",
            )
        elif self.is_current:
            self.check()
        else:
            self._due = True
        self.refresh_bars()

    def on_screen_resume(self) -> None:
        """Check what changed meanwhile."""
        if self._due:
            self._due = False
            self.check()

    # The rows

    def filter(self, state: str, words: str) -> None:
        """List what a state and words leave."""
        self.state, self.narrowed = state, words
        self._list()
        self.refresh_bars()

    def _rebuild(self, *, anew: bool = False) -> None:
        """Make the rows again, of a new check or a past that was read."""
        if self.look is None:
            return
        now = time.time() if self._now is None else self._now
        self._all = rows_of(self.look, self._past, now)
        self._counts = counts(self.look, self._all)
        self._list(anew=anew)

    def _list(self, *, anew: bool = False) -> None:
        """List what the filters leave, the chosen row where it stood."""
        if self.look is None:
            return
        before, seen_at = (None, None) if anew else (self.row, self.claims.seen_at)
        self.rows = filtered(self._all, self.state, self.narrowed)
        if self.rows:
            place = first_claim(self.rows) if before is None else place_of(self.rows, before)
            self.claims.show(len(self.rows), self._draw, chosen=place, seen_at=seen_at)
        else:
            self.claims.say(soul_words.nothing_left(self.state, self.narrowed, len(self._all)))
        self.claims.border_title = Content(f"claims ({self.look.report['claims']['total']:,})")
        after = self.row
        self.tell(follow=anew or before is None or after is None or after.text != before.text)

    def _draw(self, number: int, width: int, _chosen: bool) -> Sequence[Piece]:
        return soul_words.draw_row(self.rows[number], width)

    @on(RowList.Chosen, "#claims")
    def _follow(self) -> None:
        """Let the detail and the document follow."""
        self.turned = 0
        self.tell()
        self.refresh_bars()

    @on(RowList.Opened, "#claims")
    def _opened(self) -> None:
        """A double click goes to the detail."""
        self.action_do("soul-open")

    def tell(self, *, follow: bool = True) -> None:
        """Show the chosen row beside the list; `follow` brings the document to its line."""
        row = self.row
        if row is None or self.look is None:
            self.detail.show_paragraphs(soul_words.said("No row is chosen."))
            self.document.mark(())
            return
        self._told_at = self.detail.text_width
        self.detail.show_paragraphs(detail(row, self.look, self._told_at))
        self.document.mark(row.spans)
        if follow:
            self.detail.scroll_to_line(0)
            if row.line:
                self.document.show_line(row.line)

    def action_section(self, step: int) -> None:
        """Choose the next heading, or the one before."""
        at = self.claims.chosen
        ahead = range(at + 1, len(self.rows)) if step > 0 else range(at - 1, -1, -1)
        found = next((n for n in ahead if self.rows[n].kind.value == "heading"), None)
        if found is not None:
            self.claims.choose(found)

    # Words, documents, focus and clicks

    @on(Input.Changed, "#soul-words")
    def _typed(self, event: Input.Changed) -> None:
        if self.words.has_focus:
            self.filter(self.state, event.value.strip())

    def on_documents_read(self, message: DocumentsRead) -> None:
        """Ask which document to check."""
        if not message.paths:
            toast(self, "The project holds no Markdown document.", "recollect soul check FILE names any other one")
            return
        choices = [Choice(f"{message.root}/{path}", one_line(path, 200)) for path in message.paths]
        self.app.push_screen(ChoiceScreen("which document?", choices, narrowing="part of its name"), self._chosen)

    def _chosen(self, path: str | None) -> None:
        if path:
            self.wanted = path
            self.check()

    def on_descendant_focus(self) -> None:
        """Show the keys of the focused pane; in a narrow terminal, give it the room."""
        self.set_class(self.pane is Pane.DOCUMENT, "-reading")
        self.set_class(self.pane is Pane.DETAIL, "-detailing")
        row = self.query_one("#soul-words-row")
        row.set_class(self.pane is Pane.WORDS or bool(self.narrowed), "-open")
        self.refresh_bars()

    def on_resize(self) -> None:
        """Lay out again what depends on the width."""
        if self.look is not None and self._told_at != self.detail.text_width:
            self.call_after_refresh(self.tell, follow=False)

    def on_line_view_followed(self, message: LineView.Followed) -> None:
        """A line or a file was clicked."""
        self.actions.click(message.ref)

    def on_bar_clicked(self, message: Bar.Clicked) -> None:
        """A hint, a state or a tab was clicked."""
        self.actions.click(message.ref)
