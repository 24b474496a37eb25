"""Commands and results in a handoff document: what only a receipt can prove (design/soul.md 2, class Receipt)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from core.frozen import dataclass
from core.soul.amounts import NEAR, Amount, amount_at


def _words(text: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(text.split())


RUNNERS = _words(
    """
    pytest py.test tox nox unittest coverage ruff mypy black flake8 pylint pyright pre-commit hatch poetry pdm uv uvx pipx pip pip3
    python python3 cargo rustc clippy npm npx pnpm yarn bun bunx node deno tsc eslint jest vitest playwright cypress mocha
    go gotestsum golangci-lint make gmake just task rake bundle rspec rails mix gradle ./gradlew gradlew mvn ./mvnw ant sbt lein
    dotnet swift xcodebuild cmake ctest ninja meson bazel buck docker docker-compose podman kubectl helm terraform ansible-playbook
    bash sh zsh source curl wget git gh act composer phpunit flutter dart zig stack cabal m1nd pathos recollect
    """
)
"""First words that make a span a command."""
_LONE = _words(
    "pytest py.test tox nox jest vitest rspec phpunit ctest make eslint mypy ruff pyright mocha playwright gotestsum"
)
"""Programs that are a command without any argument."""
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=\S*")
_KIND = r"(?:unit |integration |e2e |end-to-end |passing |green |failing |regression |snapshot ){0,3}"
_AFTER_ONE = "pass|fail|green|ok|red|skip|ignored|is|was|in|and|or|that|which|to|for|of|at|with|on|still|has|only|now|per|does|remains|left|covers"
_TEST = (
    rf"{_KIND}(?:tests|specs|checks|assertions|scenarios|test cases|Tests|testes|pruebas|テスト|테스트|测试|"
    rf"(?:[Tt]est|spec|check|assertion|scenario)(?!\w|[ -](?!(?:{_AFTER_ONE}))[a-z]))"
)
"""Several, or one: `12 test files` are no tests."""
_N = r"\d{1,3}(?:,\d{3}){1,3}|\d{1,9}"
_RESULT = re.compile(
    rf"(?<![\w/.#-])(?P<n>{_N})\s?/\s?(?P<m>{_N})(?![\w/-]|\.\d)(?P<tail>\s+(?:{_TEST}|green|pass(?:ed|ing)?|ok)\b)?|"
    rf"(?<![\w/.#-])(?P<count>{_N})\+?\s{_TEST}(?!\w)(?:\s+(?:(?:are|is|were|was) )?(?:pass(?:ed|es|ing)?|green|ok|fail(?:ed|s|ing)?|red|skipped|ignored)\b)?|"
    rf"(?<![\w/.#-])(?P<passed>{_N})\+?\s+(?:passed|failed|skipped|passing)\b|"
    r"\b(?P<word>(?:CI|build|suite|pipeline|tests|all tests|lint|the suite)\s+(?:is |are |stays |was |were |all )?(?:green|passing|passes|pass|red|failing|fails?|clean))\b",
)
_CHANGED = re.compile(
    r"\s+(?:(?:were|was|have been|has been|got) )?(?:added|removed|deleted|dropped|renamed|moved|rewritten|ported|more|fewer|ago)\b",
    re.IGNORECASE,
)
_CHANGING = re.compile(
    r"\b(?:add(?:s|ed|ing)?|wr(?:ite|ites|ote|iting)|remov(?:e|es|ed|ing)|delet(?:e|es|ed|ing)|dropp?(?:s|ed|ing)?|fix(?:es|ed|ing)?|port(?:s|ed)?|"
    r"another|was|were|from|previously|formerly|used to be|up from|down from)\s+$",
    re.IGNORECASE,
)
"""What happened to some tests, or how many they were, is no result."""
_RESULT_SIGN = re.compile(
    r"/|test|Test|spec|check|assertion|scenario|prueba|テスト|테스트|测试|pass|fail|skip|green|red|clean|ok"
)
"""One of these is in every result phrase: looking for it takes a fifth of the pattern's time."""


@dataclass(frozen=True, slots=True)
class Result:
    """A result phrase: where it stands in the text, and the numbers it names (n of m, or one count)."""

    start: int
    end: int
    numbers: tuple[int, ...]


def command_of(span: str) -> str:
    """The command of a code span, its prompt left out, or `""` if the span is none."""
    span = re.sub(r"^[$>%❯]\s+", "", span.strip())
    words = words_of(span)
    if not words:
        return ""
    first = words[0]
    if re.search(r"\.(?:md|rst|txt|adoc|json|ya?ml|toml|html|css|csv|sql)$", first) or words[1:2] in (("@",), ("§",)):
        return ""  # `docs/plan.md §2` speaks of a place in a document
    name = first.rsplit("/", 1)[-1]
    if first in RUNNERS or name in RUNNERS:
        return span if len(words) > 1 or name in _LONE else ""
    if len(words) > 1 and "/" in first and re.fullmatch(r"[\w./-]+", first) and not first.startswith("/"):
        return span  # scripts/start.sh --now
    if first.startswith("./") and re.fullmatch(r"[\w./-]*\w", first):
        return span
    return ""


def words_of(command: str) -> tuple[str, ...]:
    """The words of a command line without leading assignments, wrappers of time and privilege; `()` if unbalanced."""
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        return ()
    while words and (
        _ASSIGNMENT.fullmatch(words[0]) or words[0] in ("sudo", "time", "env", "nohup", "exec", "command")
    ):
        words = words[1:]
    return tuple(words)


def results_of(text: str) -> Iterator[Result]:
    """The result phrases in a text, in its order: `28/28`, `171 tests`, `over 12 passed`, `CI green`."""
    for match in _RESULT.finditer(text) if _RESULT_SIGN.search(text) else ():
        if match["word"]:
            yield Result(match.start(), match.end(), ())
        elif match["n"]:
            n, m = _number(match["n"]), _number(match["m"])
            if match["tail"] or (n == m and n > 1):
                yield Result(match.start(), match.end(), (n, m))
        else:
            said = "count" if match["count"] else "passed"
            amount = amount_at(text, *match.span(said))
            if not _CHANGED.match(text, match.end()) and not _CHANGING.search(
                text[max(0, amount.start - NEAR) : amount.start]
            ):
                yield Result(amount.start, match.end(), (_number(match[said]),))


def amount_of(phrase: str) -> Amount | None:
    """The values that a result phrase allows for its one number; `None` for one of none or of two."""
    match = next((m for m in _RESULT.finditer(phrase) if m["count"] or m["passed"]), None)
    return None if match is None else amount_at(phrase, *match.span("count" if match["count"] else "passed"))


def _number(text: str) -> int:
    return int(text.replace(",", ""))
