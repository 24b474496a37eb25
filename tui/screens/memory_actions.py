"""What each action of the place Memory does."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.widget import Widget

from core.memory.claim import Evidence, EvidenceKind
from core.memory.view import Fork
from core.text import one_line, shown
from tui.keys import Pane, keyed
from tui.screens import memory_words
from tui.screens.choosing import Choice, ChoiceScreen
from tui.screens.copying import copy
from tui.screens.memory_form import CLAIM, WHY, ClaimForm, Filled, claim_fields, judged_claim, judged_reason
from tui.screens.place import Go, OpenRecord
from tui.screens.place_actions import PlaceActions
from tui.widgets.toast import toast
from tui.widgets.wording import short_path

if TYPE_CHECKING:
    from tui.screens.memory import MemoryScreen

Reasoned = Callable[[str, str], None]
"""Does something with a reason and a name."""
_PANES = {"kept": Pane.KEPT, "kept-claim": Pane.KEPT_CLAIM, "kept-words": Pane.KEPT_WORDS}


class MemoryActions(PlaceActions):
    """Acts on the screen; holds nothing of its own."""

    _s: MemoryScreen
    HELP = Pane.MEMORY

    @property
    def pane(self) -> Pane:
        """The focused pane."""
        focused = self._s.focused
        return _PANES.get(focused.id or "" if focused else "", Pane.MEMORY)

    @property
    def panes(self) -> Sequence[Widget]:
        """The list, the claim."""
        return [self._s.kept, self._s.claim]

    def follow(self, kind: str, rest: str) -> None:
        """Open evidence or another claim that was clicked."""
        held = self._s.held
        if kind == "evidence" and held is not None and rest.isdigit() and 1 <= int(rest) <= len(held.claim.evidence):
            self._open(held.claim.evidence[int(rest) - 1])
        elif kind == "claim":
            self._s.choose(rest)

    # Reading

    def do_kept_open(self) -> None:
        """Go to the claim."""
        self._s.claim.focus()

    def do_kept_evidence(self) -> None:
        """Open the evidence; of several, the one that is chosen."""
        held = self._s.held
        if held is None:
            return
        evidence = held.claim.evidence
        if len(evidence) == 1:
            self._open(evidence[0])
            return
        choices = [
            Choice(str(n), f"{e.kind.value} {one_line(short_path(shown(e.at)), 100)}" + (f":{e.line}" if e.line else ""),
                   key=str(n + 1) if n < 9 else "")
            for n, e in enumerate(evidence)
        ]  # fmt: skip
        self._s.app.push_screen(
            ChoiceScreen("which evidence?", choices), lambda id_: self._open(evidence[int(id_)]) if id_ else None
        )

    def _open(self, one: Evidence) -> None:
        if one.kind is EvidenceKind.RECORD:
            self._s.post_message(OpenRecord(one.at, one.line or 0))
        elif one.kind is EvidenceKind.COMMIT:
            copy(self._s, f"git show {one.at}", "the command that shows the commit")
        else:
            path = os.path.realpath(os.path.join(self._s.folder, os.path.expanduser(one.at)))
            if not os.path.isfile(path):
                where = "it is named from the project it was kept in; start recollect there"
                toast(self._s, f"{one_line(one.at, 120)} is not there in this project.", where, "warning")
                return
            self.edit(path, one.line or 0, self._s.folder)

    def do_kept_copy(self) -> None:
        """Copy the text."""
        if self._s.held is not None:
            copy(self._s, shown(self._s.held.claim.text), "the claim")

    def do_kept_again(self) -> None:
        """Read again."""
        self._s.read()

    # Narrowing

    def do_kept_tier(self) -> None:
        """The next tier."""
        self._step("tier")

    def do_kept_kind(self) -> None:
        """The next kind."""
        self._step("kind")

    def do_kept_tag(self) -> None:
        """The next tag."""
        self._step("tag")

    def _step(self, name: str) -> None:
        assert self._s.look is not None
        choices = self._s.sieve.choices(self._s.look.view, name)
        now = getattr(self._s.sieve, name)
        at = choices.index(now) if now in choices else 0
        self._s.narrow(**{name: choices[(at + 1) % len(choices)]})

    def do_kept_all(self) -> None:
        """Every claim that stands. The words stay in their line, and act again when it is opened."""
        self._s.narrow(tier="", kind="", tag="", words="", hidden=False)
        self._s.query_one("#kept-words-row").remove_class("-open")

    def do_kept_hidden(self) -> None:
        """Superseded and forgotten ones too, or no longer."""
        self._s.narrow(hidden=not self._s.sieve.hidden)

    def do_kept_words(self) -> None:
        """Write words to search by."""
        self._s.query_one("#kept-words-row").add_class("-open")
        self._s.words.focus()
        self._s.narrow(words=self._s.words.value.strip())

    def do_kept_words_done(self) -> None:
        """Go to the claims that are left."""
        self._s.kept.focus()

    # Writing

    def do_kept_add(self) -> None:
        """Write a claim."""
        begin = {**memory_words.form_values(None), **self._s.typed.get("add", {})}

        def left(filled: Filled | None) -> None:
            if filled is None:
                return
            if not filled.keep:
                self._s.typed["add"] = filled.values
                return
            self._s.typed.pop("add", None)
            self._s.write(lambda port: port.add(claim_fields(filled.values)), "Kept.")

        form = ClaimForm("add a claim", CLAIM, begin, judged_claim, writing=True)
        self._s.app.push_screen(form, left)

    def do_kept_change(self) -> None:
        """Write a claim that supersedes the chosen one."""
        held = self._s.held
        if held is None:
            return
        identity, before = held.claim.id, memory_words.form_values(held.claim)
        begin = {**before, **self._s.typed.get(f"change {identity}", {})}

        def left(filled: Filled | None) -> None:
            if filled is None:
                return
            if not filled.keep:
                self._s.typed[f"change {identity}"] = filled.values
                return
            self._s.typed.pop(f"change {identity}", None)
            fields = claim_fields(filled.values, before)
            if not fields:
                toast(self._s, "Nothing was changed, so nothing was kept.")
            else:
                self._s.write(lambda port: port.change(identity, fields), "Changed; the original stays.")

        form = ClaimForm("change a claim: a new one supersedes it", CLAIM, begin, judged_claim, writing=True)
        self._s.app.push_screen(form, left)

    def do_kept_forget(self) -> None:
        """Hide the claim, with why."""
        held = self._s.held
        if held is not None:
            identity = held.claim.id
            self._reason("forget", identity, "forget a claim: it stays, lists hide it",
                         lambda why, by: self._s.write(lambda port: port.forget((identity,), why, by), keyed("Forgotten; {kept-restore} shows it again.")))  # fmt: skip

    def do_kept_restore(self) -> None:
        """Show it again."""
        held = self._s.held
        if held is not None:
            identity = held.claim.id
            self._reason("restore", identity, "show a claim again",
                         lambda why, by: self._s.write(lambda port: port.restore(identity, why, by), "Shown again."))  # fmt: skip

    def _reason(self, what: str, identity: str, title: str, done: Reasoned) -> None:
        key = f"{what} {identity}"
        held = self._s.look.view.held.get(identity) if self._s.look else None

        def left(filled: Filled | None) -> None:
            if filled is None:
                return
            if not filled.keep:
                self._s.typed[key] = filled.values
                return
            self._s.typed.pop(key, None)
            done(filled.values["why"].strip(), filled.values["by"].strip())

        about = one_line(held.claim.text, 400) if held else ""
        self._s.app.push_screen(ClaimForm(title, WHY, self._s.typed.get(key, {}), judged_reason, about=about), left)

    def do_kept_resolve(self) -> None:
        """Choose between claims that superseded the same one."""
        assert self._s.look is not None
        fork = self._s.look.view.forks()[0]
        choices = [
            Choice(head.id, one_line(head.label, 120), f"by {one_line(head.source_agent, 40) or 'unknown'}", str(n))
            for n, head in enumerate(fork.heads[:9], 1)
        ]
        title = f"which one stands after “{one_line(fork.of.label, 40)}”?"
        self._s.app.push_screen(ChoiceScreen(title, choices), lambda id_: self._resolve(fork, id_) if id_ else None)

    def _resolve(self, fork: Fork, chosen: str) -> None:
        others = tuple(head.id for head in fork.heads if head.id != chosen)
        self._reason(
            "resolve", chosen, "why does this one stand? the others are forgotten, and can be shown again",
            lambda why, by: self._s.write(lambda port: port.forget(others, why, by), "Resolved; the others are hidden."),
        )  # fmt: skip

    def do_kept_drain(self) -> None:
        """Take what waits to the owner."""
        self._s.drain()

    # Going about

    def do_back(self) -> None:
        """Go back one level: to the list, to every claim, to Recollect."""
        if self._s.selections:
            self._s.clear_selection()
        elif self.pane is not Pane.KEPT:
            self._s.kept.focus()
        elif self._s.sieve.narrow or self._s.sieve.hidden:
            self.do_kept_all()
        else:
            self._s.post_message(Go("recollect"))
