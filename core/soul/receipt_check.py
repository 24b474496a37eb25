"""Verifies commands and results against stored receipts; what a command names that is not there is stale at once."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from core.soul.commands import amount_of, words_of
from core.soul.context import Ground
from core.soul.evidence import Receipt, Standing
from core.soul.model import Anchor, AnchorClass, Claim, Reason, State, Verdict
from core.soul.names import EXTENSIONS
from core.soul.whole import plain, says_whole

_RUN = frozenset(("run", "run-script", "exec"))
_OWN = frozenset(
    """
    install i ci add remove update upgrade init login logout publish pack link audit outdated list ls start test t stop restart dlx create why
    info view version config cache help exec up down dedupe rebuild prune fund set get store workspaces workspace patch import node
    """.split()  # noqa: SIM905
)
"""Words after a package manager that are its own commands, not scripts. `test`, `start`, `stop` and `restart` are both."""
_TARGET = re.compile(r"^([A-Za-z0-9_.][\w./ %-]*?)\s*:(?!=)", re.MULTILINE)
_INTERPRETERS = frozenset(
    ("python", "python3", "bash", "sh", "zsh", "node", "deno", "bun", "ruby", "tsx", "ts-node", "source")
)
_TESTERS = re.compile(r"\b(?:pytest|py\.test|unittest|nose|tox|nox|jest|vitest|mocha|ava|rspec|phpunit|ctest|test)\b")


def canonical(command: str) -> str:
    """A command as its words: assignments, prompts and doubled spaces left out, so that two spellings meet."""
    return " ".join(words_of(command)) or command.strip()


def check_receipt(anchor: Anchor, claim: Claim, ground: Ground, nearby: Sequence[str]) -> Verdict:
    """The verdict on a command or a result phrase. `nearby`: the commands of its section's fences."""
    if anchor.form == "command":
        broken = _broken(anchor.target, ground)
        if broken:
            return Verdict(anchor, State.STALE, Reason.FILE_MISSING.value, broken)
        return _by_receipt(anchor, ground)
    return _result(anchor, claim, ground, nearby)


def _by_receipt(anchor: Anchor, ground: Ground) -> Verdict:
    wanted = canonical(anchor.target)
    mine = [r for r in ground.evidence.receipts() if canonical(r.command) == wanted]
    if here := _here(mine, ground):
        return _judged(anchor, here[0])
    return _required(anchor, mine, f"recollect soul receipt -- {wanted}")


def _result(anchor: Anchor, claim: Claim, ground: Ground, nearby: Sequence[str]) -> Verdict:
    receipts = ground.evidence.receipts()
    own = {canonical(a.target) for a in claim.anchors if a.kind is AnchorClass.RECEIPT and a.form == "command"}
    own = {c for c in own if _TESTERS.search(c)}
    wanted = own or {canonical(c) for c in nearby}
    mine = [r for r in receipts if canonical(r.command) in wanted and r.counts]
    if not mine and not own:
        mine = [r for r in receipts if r.counts and _TESTERS.search(r.command)]
    here = _here(mine, ground)
    if not here:
        command = next(iter(sorted(own)), "<the command that counts them>")
        return _required(anchor, mine, f"recollect soul receipt -- {command}")
    if not anchor.numbers:
        if re.search(r"\b(?:CI|pipeline|build)\b", anchor.raw):
            why = "What a service elsewhere says is not known here."
            return Verdict(anchor, State.RECEIPT_REQUIRED, "receipt_required", why)
        return _judged(anchor, here[0], red=bool(_RED.search(anchor.raw)))
    agreeing = next((r for r in here if _agrees(anchor, r.counts)), None)
    said = f"The receipt of “{(agreeing or here[0]).command}” says {_shown(agreeing or here[0])}."
    if agreeing is not None:
        return Verdict(anchor, State.FRESH, detail=said)
    if own or (len(here) == 1 and not _partial(here[0].command) and _of_all(anchor, claim, ground)):
        return Verdict(anchor, State.STALE, Reason.CHANGED.value, said)
    why = f"{said} Whether the claim counts the same cannot be told."
    return Verdict(anchor, State.UNPROVABLE, Reason.AMBIGUOUS.value, why)


_RED = re.compile(r"fail|red\b")
_GREEN = re.compile(r"pass|green|\bok\b")
_SOME = re.compile(
    r"\b(?:unit|integration|e2e|end-to-end|regression|snapshot|spec|check|assertion|scenario)", re.IGNORECASE
)
"""Words for some of the tests, or for something else that is counted."""


def _agrees(anchor: Anchor, counts: Mapping[str, int]) -> bool:
    """True if a receipt's counts are what a result phrase says."""
    passed, failed, skipped = (counts.get(name, 0) for name in ("passed", "failed", "skipped"))
    total = counts.get("total", passed + failed)
    every = total + skipped if total == passed + failed else total  # runners count what they skip, or not
    *ran, last = anchor.numbers
    if ran:
        return last in (total, passed + failed, every) and ran[0] == passed
    if re.search(r"skipped|ignored", anchor.raw):
        known = [skipped]
    elif _RED.search(anchor.raw):
        known = [failed]
    elif _GREEN.search(anchor.raw):
        known = [passed]
    else:
        known = [total, passed, every]
    amount = amount_of(anchor.raw)
    return any(n == last if amount is None else amount.allows(n) for n in known)


def _partial(command: str) -> bool:
    """True if a command names what it runs: some of the tests, maybe."""
    rest = [w for w in words_of(command)[1:] if not w.startswith("-") and not w.isdigit()]
    return any(w.strip("./") not in _WHOLE for w in rest)


_WHOLE = frozenset("test tests t run pytest unittest all check ... workspace".split())  # noqa: SIM905
"""Words after a program that leave out no test."""


def _of_all(anchor: Anchor, claim: Claim, ground: Ground) -> bool:
    """True if a claim counts every test of the project, not those of a part."""
    if _SOME.search(anchor.raw) or not plain(" ".join((*claim.section[1:], ground.above.get(claim.lines[0], "")))):
        return False
    for sentence in _SENTENCE.split(claim.text):
        at = sentence.find(anchor.raw)
        if at >= 0:
            return says_whole(sentence, at, at + len(anchor.raw))
    return False


_SENTENCE = re.compile(r"(?<=[.;!?])\s+")


def _here(receipts: Sequence[Receipt], ground: Ground) -> tuple[Receipt, ...]:
    """The newest receipt of each command that was taken of the project exactly as it stands, newest first."""
    evidence = ground.evidence
    if not evidence.head or evidence.dirty is None:
        return ()
    found: dict[str, Receipt] = {}
    for receipt in receipts:
        if receipt.head == evidence.head and receipt.dirty_hash == evidence.dirty_hash:
            found.setdefault(canonical(receipt.command), receipt)
    return tuple(found.values())


def _judged(anchor: Anchor, receipt: Receipt, *, red: bool = False) -> Verdict:
    """By a receipt's exit code: a claim that something fails (`red`) is fresh where it does."""
    detail = f"The receipt of “{receipt.command}” says {_shown(receipt)}."
    if (receipt.exit_code != 0) is red:
        return Verdict(anchor, State.FRESH, detail=detail)
    if red:
        return Verdict(anchor, State.STALE, Reason.CHANGED.value, detail)
    return Verdict(anchor, State.STALE, "receipt_failed", detail)


def _shown(receipt: Receipt) -> str:
    counts = ", ".join(f"{n} {name}" for name, n in receipt.counts.items())
    return f"exit {receipt.exit_code}" + (f", {counts}" if counts else "")


def _required(anchor: Anchor, older: Sequence[Receipt], hint: str) -> Verdict:
    detail = f"No receipt of it is stored. Run: {hint}"
    if older:
        detail = (
            f"Its last receipt is of {older[0].head[:7] or 'no commit'}, and the project has changed since. Run: {hint}"
        )
    return Verdict(anchor, State.RECEIPT_REQUIRED, "receipt_required", detail)


# -- what a command names


def _broken(command: str, ground: Ground) -> str:
    """In words what a command names that does not exist, or `""`. Only names that can be told are looked for."""
    words = words_of(command)
    if not words:
        return ""
    program, rest = words[0].rpartition("/")[2], words[1:]
    if "cd" in (program, *rest) or any(w in ("&&", "||", "|", ";") for w in rest):
        words = words[: next((n for n, w in enumerate(words) if w in ("&&", "||", "|", ";", "cd")), len(words))]
        rest = words[1:]
    if "/" in words[0] and not words[0].startswith(
        ("/", "~", "$", ".venv/", "venv/", "node_modules/", "./node_modules/")
    ):
        return _file(words[0], ground)
    if program in ("npm", "pnpm", "yarn", "bun"):
        return _script(program, rest, ground)
    if program in ("make", "gmake"):
        return _target(rest, ground)
    if program == "just":
        return _recipe(rest, ground)
    if program in _INTERPRETERS or program in ("pytest", "py.test"):
        return _argument(program, rest, ground)
    return ""


def _file(path: str, ground: Ground) -> str:
    place = ground.paths.resolve(path)
    if (
        place.how.value in ("missing",)
        and not ground.evidence.ignored(place.path)
        and ground.evidence.tracked is not None
    ):
        return f"{path} is not in the project."
    return ""


def _script(program: str, rest: Sequence[str], ground: Ground) -> str:
    args = [w for w in rest if not w.startswith("-")]
    named = args[1:2] if args[:1] and args[0] in _RUN else args[:1]
    if not named or (args[0] not in _RUN and (named[0] in _OWN or program == "npm")):
        return ""
    manifests = {p: t for p, t in ground.manifests.items() if p.rpartition("/")[2] == "package.json"}
    if not manifests:
        return "The project has no package.json." if ground.evidence.tracked is not None else ""
    if any(w in rest for w in ("--prefix", "-C", "--cwd", "--filter", "-w", "--workspace")) or args[0] == "exec":
        return ""
    for text in manifests.values():
        scripts = _scripts(text)
        if scripts is None or named[0] in scripts:
            return ""
    return f"No package.json has a script “{named[0]}”."


def _scripts(text: str) -> dict[str, object] | None:
    """The scripts of a manifest; `None` if it cannot be read."""
    try:
        data = json.loads(text)
    except ValueError:
        return None
    scripts = data.get("scripts") if isinstance(data, dict) else None
    return scripts if isinstance(scripts, dict) else {}


def _target(rest: Sequence[str], ground: Ground) -> str:
    if any(w in ("-C", "-f", "--file", "--directory") for w in rest):
        return ""
    files = [t for p, t in ground.manifests.items() if p in ("Makefile", "makefile", "GNUmakefile")]
    if not files:
        return "The project has no Makefile." if ground.evidence.tracked is not None else ""
    text = "\n".join(files)
    if re.search(r"^-?include\b|^s?include\b|\$\(eval", text, re.MULTILINE):
        return ""
    targets = {name for group in _TARGET.findall(text) for name in group.split()}
    if any("%" in t or "$" in t for t in targets):
        return ""
    wanted = [w for w in rest if not w.startswith("-") and "=" not in w and not w.isdigit()]
    missing = [w for w in wanted if w not in targets and ground.evidence.standing(w) is Standing.MISSING]
    return f"The Makefile has no target “{missing[0]}”." if missing else ""


def _recipe(rest: Sequence[str], ground: Ground) -> str:
    files = [t for p, t in ground.manifests.items() if p.lower() in ("justfile", ".justfile")]
    wanted = [w for w in rest[:1] if not w.startswith("-")]
    if not files or not wanted or re.search(r"^(?:import|mod)\b", files[0], re.MULTILINE):
        return ""
    recipes = set(re.findall(r"^@?([A-Za-z_][\w-]*)(?:\s[^:=\n]*)?:(?!=)", files[0], re.MULTILINE))
    recipes |= set(re.findall(r"^alias\s+([\w-]+)", files[0], re.MULTILINE))
    return "" if wanted[0] in recipes else f"The justfile has no recipe “{wanted[0]}”."


def _argument(program: str, rest: Sequence[str], ground: Ground) -> str:
    """The files that an interpreter or pytest is given."""
    if "-c" in rest or "-e" in rest or "-" in rest:
        return ""
    if "-m" in rest:
        at = rest.index("-m")
        rest = [w for w in rest[at + 2 :] if "/" in w]
    for word in rest:
        path = word.split("::", 1)[0]
        ending = path.rpartition(".")[2].lower()
        if word.startswith("-") or "=" in word or any(c in word for c in "*?$<{"):
            continue
        if path.startswith(("/", "~")) or (ending not in EXTENSIONS and "/" not in path):
            continue
        broken = _file(path, ground)
        if broken:
            return broken
        if program in _INTERPRETERS:
            return ""  # what follows a script is the script's own
    return ""
