"""Verifies tags, commits and numbers of pull requests against what git lists."""

from __future__ import annotations

import re

from core.soul.context import Ground
from core.soul.libraries import depends_on
from core.soul.model import Anchor, Claim, Reason, State, Verdict
from core.soul.path_check import SHA


def check_git(anchor: Anchor, claim: Claim, ground: Ground) -> Verdict | None:
    """The verdict on a reference; `None` for a two-part version that is no tag here, and for another project's."""
    if anchor.form == "tag":
        return _tag(anchor, claim, ground)
    return _commit(anchor, ground) if anchor.form == "commit" else _numbers(anchor, ground)


def _tag(anchor: Anchor, claim: Claim, ground: Ground) -> Verdict | None:
    tags = ground.evidence.tags
    if tags is None:
        return Verdict(anchor, State.UNPROVABLE, "git_unavailable", "Git did not list the tags.")
    name = anchor.target
    for candidate in (name, name.partition("+")[0], name.removeprefix("v")):
        if candidate in tags:
            return Verdict(
                anchor,
                State.FRESH,
                detail="" if candidate == name else f"tagged {candidate}",
                found=tags[candidate][:SHA],
            )
    if ground.evidence.shallow:
        return Verdict(
            anchor, State.UNPROVABLE, "history_incomplete", "This clone is shallow: the tag may not have been fetched."
        )
    if name.count(".") < 2 or _of_another(anchor, claim, ground):
        return None
    if ground.evidence.untagged:
        why = (
            "This clone does not fetch every tag."
            if tags
            else "This clone has no tags: they may not have been fetched."
        )
        return Verdict(anchor, State.UNPROVABLE, "history_incomplete", why)
    return Verdict(anchor, State.STALE, Reason.UNANCHORED_REF.value, f"There is no tag {name}.")


_RUNTIMES = frozenset(
    """
    python node nodejs deno bun npm pnpm yarn go golang rust cargo ruby java kotlin php perl swift dart git docker kubernetes k8s postgres
    postgresql sqlite redis nginx ubuntu debian macos
    """.split()  # noqa: SIM905
)


def _of_another(anchor: Anchor, claim: Claim, ground: Ground) -> bool:
    """True if what stands directly before a version is a runtime or what the project depends on (`Textual v0.60.0`), or
    the word version: that is a manifest's (`core/soul/facts.py`)."""
    if re.search(rf"\bversion(?: is(?: now)?|\s?[:=])? ?[`*]*{re.escape(anchor.raw)}", claim.text, re.IGNORECASE):
        return True
    found = re.search(rf"([\w@/.-]+)[`*]*(?: version| at| ==?|@)? ?[`*]*{re.escape(anchor.raw)}", claim.text)
    name = found.group(1).lower() if found else ""
    if not name or name in _RUNTIMES:
        return bool(name)
    return depends_on(name, ground.manifests)


def _commit(anchor: Anchor, ground: Ground) -> Verdict:
    history, evidence = ground.history, ground.evidence
    if history is not None:
        found = history.matching(anchor.target)
        if len(found) == 1:
            return Verdict(anchor, State.FRESH, found=found[0][:SHA])
        if found:
            why = f"{len(found)} commits begin so."
            return Verdict(anchor, State.UNPROVABLE, Reason.AMBIGUOUS.value, why)
    kind = evidence.object_kind(anchor.target)
    if kind is None:
        return Verdict(anchor, State.UNPROVABLE, "git_unavailable", "Git did not answer.")
    if kind == "commit" and history is not None and history.complete:
        why = "The commit exists, and no branch or tag reaches it: history was rewritten, or it was never pushed."
        return Verdict(anchor, State.UNPROVABLE, "unreachable", why)
    if kind:
        return Verdict(anchor, State.FRESH, detail="" if kind == "commit" else f"a {kind}", found=anchor.target[:SHA])
    if evidence.shallow or history is None:
        return Verdict(anchor, State.UNPROVABLE, "history_incomplete", "The history here is not whole.")
    return Verdict(anchor, State.STALE, Reason.UNANCHORED_REF.value, f"There is no commit {anchor.target}.")


def _numbers(anchor: Anchor, ground: Ground) -> Verdict:
    history = ground.history
    if history is None:
        return Verdict(anchor, State.UNPROVABLE, "git_unavailable", "Git did not list the commits.")
    missing = [n for n in anchor.numbers if n not in history.numbers]
    if not missing:
        shas = dict.fromkeys(history.numbers[n][:SHA] for n in anchor.numbers)
        return Verdict(anchor, State.FRESH, found=", ".join(list(shas)[:4]))
    if not history.complete:
        return Verdict(anchor, State.UNPROVABLE, "history_incomplete", "The history here is not whole.")
    named = [n for n in missing if n in history.foreign_numbers]
    if len(named) == len(missing):
        why = f"Commits name #{named[0]} only as {history.foreign_numbers[named[0]]}#{named[0]}."
        return Verdict(anchor, State.UNPROVABLE, Reason.AMBIGUOUS.value, why)
    listed = ", ".join(f"#{n}" for n in missing[:6]) + (" …" if len(missing) > 6 else "")
    return Verdict(anchor, State.STALE, Reason.UNANCHORED_REF.value, f"No commit names {listed}.")
