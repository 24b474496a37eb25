"""What each action of the place Curate does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.widget import Widget

from core.soul.curation import Record
from core.soul.curator import Preview
from core.text import one_line, shown
from tui.keys import Pane, keyed
from tui.screens import curate_words
from tui.screens.choosing import Choice, ChoiceScreen
from tui.screens.curate_port import Done
from tui.screens.help import TextScreen
from tui.screens.place import Go
from tui.screens.place_actions import PlaceActions
from tui.widgets.pieces import Paragraph, Piece
from tui.widgets.toast import toast
from tui.widgets.wording import count

if TYPE_CHECKING:
    from tui.screens.curate import CurateScreen
    from tui.widgets.field import Field

_PANES = {"work": Pane.WORK, "change": Pane.CHANGE}


class CurateActions(PlaceActions):
    """Acts on the screen; holds nothing of its own."""

    _s: CurateScreen

    HELP = Pane.CURATE

    @property
    def pane(self) -> Pane:
        """The focused pane."""
        focused = self._s.focused
        name = focused.id or "" if focused else ""
        return Pane.FORM if self._field is not None else _PANES.get(name, Pane.CURATE)

    @property
    def panes(self) -> Sequence[Widget]:
        """The work list, the fields, the difference."""
        fields = [field.line for field in self._s.fields.values() if field.display]
        return [self._s.listed, *fields, self._s.change]

    @property
    def _field(self) -> Field | None:
        """The field that is written in."""
        return next((field for field in self._s.fields.values() if field.line.has_focus), None)

    # Deciding

    def do_curate_open(self) -> None:
        """Go to the form."""
        self._s.set_focus(self._s.fields["why"].line)

    def do_curate_next(self) -> None:
        """Go to the next field; from the last one, to the work list."""
        panes = self.panes
        at = next((n for n, pane in enumerate(panes) if pane.has_focus), 0)
        self._s.set_focus(panes[at + 1] if at + 1 < len(panes) - 1 else panes[0])

    def do_curate_decide(self) -> None:
        """Keep the decision, and go to the next claim that is open."""
        row, values, document = self._s.row, self._s.values, self._s.wanted
        if row is None:
            return
        self._s.forget_typed(row.text)
        why, where, by = values["why"].strip(), values["where"].strip(), values["by"].strip()
        word = (
            "proposed; it stays in the document until a person takes it out"
            if row.declared
            else "decided; the document is not touched yet"
        )
        self._s.jobs.write(
            document,
            lambda port: port.decide(document, row.line, why, where, by),
            f"Line {row.line} is {word}.",
            onward=True,
        )
        self._s.listed.focus()
        self._s.refresh_bars()

    def do_curate_stays(self) -> None:
        """Keep the reason why a claim stays."""
        row, values, document = self._s.row, self._s.values, self._s.wanted
        if row is not None:
            self._s.forget_typed(row.text)
            why, by = values["stays"].strip(), values["by"].strip()
            words = f"Line {row.line} stays, with your reason in the report."
            self._s.jobs.write(document, lambda port: port.leave(document, row, why, by), words, onward=True)
            self._s.listed.focus()
            self._s.refresh_bars()

    def do_curate_back(self) -> None:
        """Take the decision back; its words stay in the form."""
        row, document, goes = self._s.row, self._s.wanted, self._s.facts.decided
        if row is not None:
            self._s.remember_typed()
            words = f"The decision on line {row.line} is taken back; its words stay in the form."
            self._s.jobs.write(
                document,
                lambda port: port.take_back(document, row.line) if goes else port.unsay(document, row),
                words,
            )
            self._s.refresh_bars()

    def do_curate_drop(self) -> None:
        """Give every decision up, after a question."""
        document = self._s.wanted
        number = self._s.work.decisions if self._s.work else 0
        words = (Paragraph((Piece(f"{count(number, 'decision')} will be given up. The document is not touched."),)),)

        def answered(yes: bool | None) -> None:
            if yes:
                self._s.jobs.write(document, lambda port: port.drop(document), "The decisions were given up.")

        self._s.app.push_screen(TextScreen("give the decisions up?", words, asking="give them up"), answered)

    def do_curate_answer_on(self) -> None:
        """The next of the usual answers."""
        if (field := self._field) is not None:
            field.step(1)

    def do_curate_answer_back(self) -> None:
        """The answer before."""
        if (field := self._field) is not None:
            field.step(-1)

    def _answer(self, number: int) -> None:
        field = self._s.fields["where"]
        field.answer(number)
        self._s.set_focus(field.line)

    def do_curate_answer_1(self) -> None:
        """Memory."""
        self._answer(0)

    def do_curate_answer_2(self) -> None:
        """Another document."""
        self._answer(1)

    def do_curate_answer_3(self) -> None:
        """Git history."""
        self._answer(2)

    def do_curate_answer_4(self) -> None:
        """Gone."""
        self._answer(3)

    # Applying and undoing

    def do_curate_apply(self) -> None:
        """Show the difference and ask."""
        self._sign(commit=False)

    def do_curate_commit(self) -> None:
        """The same, and commit."""
        self._sign(commit=True)

    def _sign(self, *, commit: bool) -> None:
        values = self._s.values
        self._s.jobs.sign(self._s.wanted, values["by"].strip(), values["grader"].strip(), commit=commit)
        self._s.refresh_bars()

    def ask_apply(self, preview: Preview, grader: str, *, commit: bool) -> None:
        """Show exactly what will be written; nothing is written without a yes to it."""
        seat = preview.seat
        assert seat is not None
        if not seat.passed:
            refused = curate_words.refused(seat)
            self._s.app.push_screen(
                TextScreen("the seat-check does not pass", tuple(curate_words.seat_lines(seat))),
                lambda _: toast(self._s, refused.what, refused.hint, "warning"),  # over the words, it would hide them
            )
            return
        lines = ", ".join(str(row.line) for row in self._s.undecided)
        unsaid = f"What you typed for line {lines} is not decided, and no part of this." if lines else ""
        title = "apply this, and commit it?" if commit else "apply this?"

        def answered(yes: bool | None) -> None:
            if yes:
                self._s.jobs.apply(self._s.wanted, grader, commit=commit)
                self._s.refresh_bars()

        body = curate_words.asking(preview, unsaid)
        self._s.app.push_screen(TextScreen(title, body, asking="apply"), answered)

    def tell_done(self, done: Done) -> None:
        """Say what was done, with the receipt and what memory answered."""
        record = done.applied.record
        gone = len([row for row in record.report["pruned"] if not row["proposed"]])
        if done.word == "undone":
            words = f"Undone: {one_line(record.soul_path, 60)} is back as it was, byte for byte."
        elif not record.report["pruned"]:
            words = "The report is kept with what stays and why. The document is as it was."
        else:
            kept = "persisted in memory" if record.persisted else "queued for memory"
            words = f"Applied: {count(gone, 'claim')} {kept if gone else 'taken out'}. {record.report['receipt_line']}"
            words += f" Committed {record.commit[:7]}." if record.commit else ""
        toast(self._s, words, keyed("{curate-undo} brings the document back") if done.word == "applied" else "")
        if done.applied.error:
            toast(
                self._s,
                f"Memory did not confirm it: {shown(done.applied.error)}",
                keyed("it waits in the spool; {go-memory}, then {kept-drain}, drains it"),
                "warning",
            )
        if done.trouble:
            toast(self._s, done.trouble, done.hint, "warning")

    def do_curate_undo(self) -> None:
        """Undo the newest curation that is applied, after a look at it."""
        self._s.undo_wanted = True
        self._s.jobs.log(self._s.wanted)

    def do_curate_log(self) -> None:
        """Show every curation."""
        self._s.undo_wanted = False
        self._s.jobs.log(self._s.wanted)

    def show_log(self, records: tuple[Record, ...]) -> None:
        """Show the log, or the one that is to be undone."""
        if self._s.undo_wanted:
            self._s.undo_wanted = False
            newest = next((record for record in records if record.state == "applied"), None)
            if newest is not None:
                self._ask_undo(newest)
        elif not records:
            toast(
                self._s,
                "Nothing was curated in this project yet.",
                keyed("decide on a claim with {curate-decide}, then apply with {curate-apply}"),
            )
        else:
            by_id = {record.id: record for record in records}
            choices = [Choice(record.id, curate_words.log_row(record)) for record in records]
            self._s.app.push_screen(
                ChoiceScreen("curations, newest first", choices),
                lambda id_: self._ask_undo(by_id[id_]) if id_ else None,
            )

    def _ask_undo(self, record: Record) -> None:
        """Show a curation; where it is applied, ask whether it is to be undone."""
        parts = [Paragraph((Piece(curate_words.log_row(record), "strong"),)), Paragraph()]
        for row in record.report["pruned"]:
            word = "proposed" if row["proposed"] else "pruned"
            parts.append(Paragraph((Piece(f"{word}: {one_line(row['what'], 160)}"),), hang=2))
            words = f"why: {one_line(row['why'], 160)} · where it went: {one_line(row['where_it_went'], 100)}"
            parts.append(Paragraph((Piece(words, "dim"),), indent=2, hang=2))
        for row in record.report["declined"]:
            words = f"left as it is: {one_line(row['claim'], 160)} · {one_line(row['why'], 160)}"
            parts.append(Paragraph((Piece(words, "dim"),), hang=2))
        parts += [Paragraph(), Paragraph((Piece(one_line(str(record.report["receipt_line"]))),))]
        if record.state != "applied":
            self._s.app.push_screen(TextScreen(f"curation · {record.state}", tuple(parts)))
            return
        words = (
            "Undoing brings back every byte of the document as it was, and hides the claims in memory; they stay there."
        )
        parts.append(Paragraph((Piece(words, "strong"),)))

        def answered(yes: bool | None) -> None:
            if yes:
                self._s.jobs.undo(self._s.wanted, record.id)
                self._s.refresh_bars()

        self._s.app.push_screen(TextScreen("undo this curation?", tuple(parts), asking="undo it"), answered)

    # Going about

    def do_curate_soul(self) -> None:
        """Show the claim in Soul."""
        if self._s.row is not None:
            self._s.post_message(Go("soul", self._s.wanted, self._s.row.line))

    def do_curate_again(self) -> None:
        """Check again."""
        self._s.jobs.check(self._s.wanted)
        self._s.refresh_bars()

    def do_curate_difference(self) -> None:
        """Go to the difference."""
        self._s.change.focus()

    def do_back(self) -> None:
        """Go back one level: to the work list, then to Recollect. What was typed stays."""
        if self._s.selections:
            self._s.clear_selection()
        elif not self._s.listed.has_focus:
            self._s.listed.focus()
        else:
            self._s.post_message(Go("recollect"))
