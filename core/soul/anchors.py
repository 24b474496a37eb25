"""What a claim cites: spans in backticks, link targets and bare words, each gripped by one class (design/soul.md 2).

Everything here is lexical. Whether `feature/login` is a folder, a branch or somebody's repository is decided where the
repository is known (`form` is `maybe`). Recognisable things that are no evidence get the neutral class: they are counted
and never failed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import unquote

from core.soul.bounds import NAME, stretches
from core.soul.commands import RUNNERS, command_of, results_of
from core.soul.markup import Piece
from core.soul.model import Anchor, AnchorClass
from core.soul.names import (
    BARE_NAMES,
    EXTENSIONS,
    is_file_name,
    is_folder,
    is_path,
    neutral_form,
    runtime_form,
    split_lines,
    symbol_of,
)

_TAG = re.compile(
    r"v\d+\.\d+(?:\.\d+)?(?:[-.](?:rc|alpha|beta|pre|post|dev|a|b)\.?\d*|-[0-9A-Za-z.]+)?(?:\+[0-9A-Za-z.]+)?"
)
_BARE_TAG = re.compile(rf"(?<![\w./@-])(?=v\d+\.\d+\.\d)(?:{_TAG.pattern})(?![\w/@-]|\.\d)")
"""In prose a tag has three parts: `PRD v0.1` is a document's own numbering."""
_COMMIT = re.compile(r"(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}")
_BARE_COMMIT = re.compile(rf"(?<![\w./#-])(?:{_COMMIT.pattern})(?![\w./-]*\w)")
_NUMBERS = re.compile(r"#(\d{1,6})(?:\s*([-–/,])\s*#(\d{1,6}))?")
_REFERENCE = re.compile(
    r"(?<![\w&#/=])#\d{1,6}(?:\s?[-–/]\s?#\d{1,6})*(?![\w-]*[A-Za-z])",
)
_RANKING = re.compile(
    r"^#\d{1,2}\s+(?:(?:most|least|remaining|biggest|top|open|main|key|single|next|known|real|live)\s+)?"
    r"(?:gap|priority|reason|thing|problem|issue|risk|choice|remaining|pick|blocker|cause|rule|goal|concern|fan|enemy|lesson|ask|cost|driver)\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\b(?:the|our|my|your|its|their|a|is|as|ranked|number)\s+$", re.IGNORECASE)
_SPLIT_PATH = re.compile(r"(?<=[/._:-])\s+(?=\S)|(?<=\S)\s+(?=[/.:])")
_PLAIN_FILE = re.compile(
    r"(?P<path>[a-z_][a-z0-9_-]*(?:/[a-z_][a-z0-9_-]*){0,12}/[A-Za-z_][A-Za-z0-9_-]*\.[a-z]{1,5})(?::(?P<line>\d{1,7}))?"
)
"""What most documents cite: a file below folders, and a line in it. Every other class is tried for what is none."""
_OTHERWISE = re.compile(
    r"^(?:application|audio|font|image|message|model|multipart|text|video|localhost)/|XX|YYYY|(?:^|/)target/"
)
"""What such a span can be else: a media type, an address, a placeholder, something that a build makes."""
_HEADING = re.compile(r"(?P<document>[^\s#]+\.(?:md|mdx|rst|adoc|txt|html))#(?!L\d)[^\s#]+", re.IGNORECASE)
"""A heading of a document; `gate.rb#open` is a method."""
_OWN = re.compile(r"(?<=\w)['’]s$")
"""`client.py's` is of `client.py`."""
_BETWEEN = r"\s()\[\]{}<>|,;\"“”‘’«»`"
_WORDS = re.compile(
    rf"(?<![^{_BETWEEN}])[^{_BETWEEN}/.:]*(?:/|[.:](?=[^{_BETWEEN}]*[^{_BETWEEN}.:!?'’*_~]))[^{_BETWEEN}]*"
)
"""Words that hold a sign of a path, a file or an address somewhere before their last letter."""


def anchors_of(pieces: Iterable[Piece]) -> tuple[Anchor, ...]:
    """Every anchor of a claim, in the order of the document, each wording once."""
    every: list[Anchor] = []
    run: list[Piece] = []
    for piece in pieces:
        if piece.code or piece.link:
            every += _bare_run(run)
            run = []
            anchor = quoted_anchor(piece.text, piece.line, link=piece.link)
            if anchor is not None:
                every.append(anchor)
        else:
            run.append(piece)
    every += _bare_run(run)
    if len(every) < 2:  # nearly every one
        return tuple(every)
    found: dict[tuple[str, str], Anchor] = {}
    for anchor in every:
        found.setdefault((anchor.kind.value, anchor.raw), anchor)
    return tuple(found.values())


def _bare_run(run: list[Piece]) -> Iterable[Anchor]:
    """The anchors of plain text that code or a link ends."""
    if not run:
        return ()
    text = run[0].text if len(run) == 1 else "".join([p.text for p in run])
    return _bare(text, run) if _TELLING.search(text) else ()


def quoted_anchor(text: str, line: int, *, link: bool = False) -> Anchor | None:
    """The anchor that a span in backticks, or a link's target, makes; `None` if it grips nothing."""
    span = text.strip()
    if not span:
        return None
    if link and span.startswith("#"):
        return Anchor(span, AnchorClass.NEUTRAL, line, span, form="section", quoted=True)
    if link and span.startswith("/") and (rooted := _rooted_link(span, line)):
        return rooted
    if link and not neutral_form(span):
        span = _linked_file(span)
    joined = _SPLIT_PATH.sub("", span) if " " in span and len(span) <= NAME else span
    if joined != span and " " not in joined and not neutral_form(span) and (is_path(joined) or symbol_of(joined)):
        span = joined  # a name that was wrapped in the middle
    anchor = _classified(span, line)
    if anchor is None and link:
        return Anchor(span, AnchorClass.NEUTRAL, line, span, form="link", quoted=True)
    return anchor


_SERVED = frozenset("html htm xml json pdf txt svg png jpg jpeg gif webp ico css js mjs map zip gz".split())  # noqa: SIM905
"""What a web site makes: a link to it from its root may lead to no file of the project."""


def _rooted_link(target: str, line: int) -> Anchor | None:
    """The file or folder that a link from the root of the repository leads to, as forges render it; a web site's route
    looks alike, so that only what is surely a file is missed where it is not there."""
    path, spans = split_lines(_linked_file(target).removeprefix("/"))
    if path.startswith("/") or not (is_path(path) or is_file_name(path)):
        return None
    if spans:
        return Anchor(target, AnchorClass.LINE_HINT, line, path, spans, form="file", quoted=True)
    form = _path_form(path)
    sure = form in ("file", "glob") and path.rpartition(".")[2].lower() in EXTENSIONS - _SERVED
    return Anchor(target, AnchorClass.PATH, line, path, form=form if sure else "maybe", quoted=True)


def _linked_file(target: str) -> str:
    """The file that a link leads to: percent signs read, a query and the name of a heading left out; lines stay."""
    path, sign, fragment = target.partition("#")
    path = unquote(path.partition("?")[0], errors="replace")
    return path + (sign + fragment if re.match(r"L\d", fragment) else "")


def _classified(span: str, line: int) -> Anchor | None:
    """The first class that fits a quoted span. What is longer than any name can be a command and nothing else."""
    if len(span) > NAME:
        command = command_of(span)
        return Anchor(span, AnchorClass.RECEIPT, line, command, form="command", quoted=True) if command else None
    if (plain := _PLAIN_FILE.fullmatch(span)) and not _OTHERWISE.search(span):
        if plain["line"]:
            at = int(plain["line"])
            return Anchor(span, AnchorClass.LINE_HINT, line, plain["path"], ((at, at),), form="file", quoted=True)
        return Anchor(span, AnchorClass.PATH, line, span, form="file", quoted=True)
    return _classified_by_form(span, line)


def _classified_by_form(span: str, line: int) -> Anchor | None:
    if form := runtime_form(span):
        return Anchor(span, AnchorClass.RUNTIME, line, span, form=form, quoted=True)
    if form := neutral_form(span):
        return Anchor(span, AnchorClass.NEUTRAL, line, span, form=form, quoted=True)
    if git := _git(span, line, quoted=True):
        return git
    if heading := _HEADING.fullmatch(span):
        span = heading["document"]
    path, spans = split_lines(span)
    if spans and (is_path(path) or is_file_name(path)):
        return Anchor(span, AnchorClass.LINE_HINT, line, _posix(path), spans, form="file", quoted=True)
    if "," in span and (pattern := _several(span)):
        return Anchor(span, AnchorClass.PATH, line, pattern, form="glob", quoted=True)
    if form := _path_form(span):
        return Anchor(span, AnchorClass.PATH, line, _posix(span), form=form, quoted=True)
    if symbol := symbol_of(span):
        return Anchor(span, AnchorClass.SYMBOL, line, symbol, quoted=True)
    if command := command_of(span):
        return Anchor(span, AnchorClass.RECEIPT, line, command, form="command", quoted=True)
    for result in results_of(span):
        return Anchor(span, AnchorClass.RECEIPT, line, span, numbers=result.numbers, form="result", quoted=True)
    return None


def _posix(path: str) -> str:
    """A path as git writes it: somebody on Windows may have written the document."""
    return path.replace("\\", "/").removeprefix("./") if path != "./" else path


def _path_form(span: str) -> str:
    """`file`, `folder`, `glob`, `maybe` (a slash without an extension), or `""`."""
    if " " in span:  # a name with a space in it ends like a file and does not begin like a command
        first = span.split()[0].rsplit("/", 1)[-1]
        if first in RUNNERS or "." in first or span.rsplit(".", 1)[-1].lower() not in EXTENSIONS:
            return ""
    if is_path(span):
        if any(c in span for c in "*?{") or "[" in span:
            return "glob"
        if is_folder(span):
            return "folder"
        last = span.rsplit("/", 1)[-1]
        return "file" if "." in last.lstrip(".") or last.title() in BARE_NAMES or last in BARE_NAMES else "maybe"
    if is_file_name(span):
        return "glob" if any(c in span for c in "*?{") else "file"
    return ""


def _several(span: str) -> str:
    """Several files that stand in one span, `a.py, b.py`, as a pattern of alternatives; `""` if it is none."""
    names = [name.strip() for name in span.split(",")]
    if len(names) < 2 or "{" in span or not all(is_file_name(n.rsplit("/", 1)[-1]) for n in names):
        return ""
    return "{" + ",".join(map(_posix, names)) + "}" if all(is_path(n) or "/" not in n for n in names) else ""


def _git(span: str, line: int, *, quoted: bool) -> Anchor | None:
    if _TAG.fullmatch(span):
        return Anchor(span, AnchorClass.GIT, line, span, form="tag", quoted=quoted)
    if _COMMIT.fullmatch(span):
        return Anchor(span, AnchorClass.GIT, line, span, form="commit", quoted=quoted)
    bare = span.strip("()")
    if _REFERENCE.fullmatch(bare):
        return Anchor(span, AnchorClass.GIT, line, bare, numbers=numbers_in(bare), form="number", quoted=quoted)
    return None


def numbers_in(reference: str) -> tuple[int, ...]:
    """The numbers of `#12`, `#12/#13` and `#12-#15` (a range is spelled out, at most 200 of them)."""
    numbers: list[int] = []
    for first, joint, second in re.findall(r"#(\d{1,6})(?:\s?([-–])\s?#(\d{1,6}))?", reference):
        low, high = int(first), int(second or first)
        if joint and low < high and high - low < 200:
            numbers.extend(range(low, high + 1))
        else:
            numbers.extend((low, high) if second else (low,))
    return tuple(dict.fromkeys(numbers))


# -- bare words


def _bare(text: str, run: list[Piece]) -> Iterator[Anchor]:
    """Anchors outside backticks: each is sought only in a form that prose does not take by accident."""
    line_at = _Lines(run)
    for offset, stretch in stretches(text):
        found: list[tuple[int, Anchor]] = []
        taken: list[tuple[int, int]] = []
        for match in _WORDS.finditer(stretch) if _INSIDE.search(stretch) else ():
            word = _OWN.sub("", match.group()).rstrip(".:!?'’*_~").lstrip("'*_~")
            if not _SIGNS.search(word):
                continue
            start = stretch.index(word, match.start())
            anchor = _bare_word(word, line_at(offset + start))
            if anchor is not None:
                found.append((start, anchor))
                taken.append((start, start + len(word)))
        for start, end, anchor in _phrases(stretch, line_at.after(offset)):
            if all(end <= a or start >= b for a, b in taken):
                found.append((start, anchor))
                taken.append((start, end))
        yield from (anchor for _, anchor in sorted(found, key=lambda pair: pair[0]))


_SIGNS = re.compile(r"[/.:]")
"""One of these is in every bare word that is gripped."""
_INSIDE = re.compile(r"/|[.:](?=[^\s.:!?)])")
"""The same, but for what ends a sentence."""
_TELLING = re.compile(r"[/\d]|[.:](?=[^\s.:!?)])|\(\)|green|pass|red|fail|clean")
"""One of these is in every text that is gripped: signs, a number, or a word of success (`core/soul/commands.py`)."""


def _bare_word(word: str, line: int) -> Anchor | None:
    if form := runtime_form(word):
        return Anchor(word, AnchorClass.RUNTIME, line, word, form=form)
    if form := neutral_form(word):
        return Anchor(word, AnchorClass.NEUTRAL, line, word, form=form)
    path, spans = split_lines(word)
    if spans and (is_file_name(path.rsplit("/", 1)[-1])):
        return Anchor(word, AnchorClass.LINE_HINT, line, path, spans, form="file")
    if is_file_name(word.rsplit("/", 1)[-1]) and (is_path(word) or "/" not in word):
        return Anchor(word, AnchorClass.PATH, line, word, form="file")
    if is_folder(word) and is_path(word) and word.count("/") > 1:
        return Anchor(word, AnchorClass.PATH, line, word, form="folder")
    if "::" in word and (symbol := symbol_of(word)):
        return Anchor(word, AnchorClass.SYMBOL, line, symbol)
    return None


_DIGIT = re.compile(r"\d")
_CALL = re.compile(r"(?<![\w.`])[^\W\d]\w*(?:(?:\.|::)[^\W\d]\w*)*\(\)")
_PORT = re.compile(r"\bports?\s+(\d{2,5})\b|(?<![\w.:/])(?:localhost|127\.0\.0\.1|0\.0\.0\.0):\d{2,5}\b", re.IGNORECASE)
_COUNT = re.compile(
    r"\b\d[\d,.]*\s?[kKmM]?\s+(?:live|running|active|online|connected)\s+[a-z]+\b|"
    r"\b\d[\d,.]*\s?[kKmM]?\s+(?:nodes|edges|pods|replicas|workers|instances|users|connections|requests|rows)\s+"
    r"(?:live|running|up|online|connected|in production|right now)\b",
    re.IGNORECASE,
)
_TAG_SIGN = re.compile(r"v\d+\.")
_COMMIT_SIGN = re.compile(r"[0-9a-f]{7}")
_LIVE_SIGN = re.compile(
    r"port|localhost|127\.0\.0\.1|0\.0\.0\.0|live|running|active|online|connected|up|in production|right now"
)
"""What a text must hold for the pattern to find anything: looking for it takes a tenth of the pattern's time."""


_MARKED = ((_BARE_TAG, _TAG_SIGN, "tag"), (_BARE_COMMIT, _COMMIT_SIGN, "commit"))
_LIVE = ((_PORT, "port"), (_COUNT, "count"))


def _phrases(text: str, line_at: Callable[[int], int]) -> Iterator[tuple[int, int, Anchor]]:
    digits = bool(_DIGIT.search(text))  # what is gripped here holds one, but for calls and words of success
    for match in _REFERENCE.finditer(text) if digits and "#" in text else ():
        if _RANKING.match(text[match.start() :]) or (
            _ARTICLE.search(text[: match.start()]) and re.match(r"\s+[a-z]", text[match.end() :])
        ):
            continue  # "the #1 remaining gap" ranks, it does not refer
        raw = match.group().rstrip()
        yield (
            match.start(),
            match.end(),
            Anchor(raw, AnchorClass.GIT, line_at(match.start()), raw, numbers=numbers_in(raw), form="number"),
        )
    for pattern, sign, form in (
        ((_BARE_TAG, _TAG_SIGN, "tag"), (_BARE_COMMIT, _COMMIT_SIGN, "commit")) if digits else ()
    ):
        for match in pattern.finditer(text) if sign.search(text) else ():
            raw = match.group().rstrip(".")
            yield match.start(), match.end(), Anchor(raw, AnchorClass.GIT, line_at(match.start()), raw, form=form)
    for match in _CALL.finditer(text) if "()" in text else ():
        if symbol := symbol_of(match.group()):
            yield match.start(), match.end(), Anchor(match.group(), AnchorClass.SYMBOL, line_at(match.start()), symbol)
    for result in results_of(text):
        raw = text[result.start : result.end]
        anchor = Anchor(raw, AnchorClass.RECEIPT, line_at(result.start), raw, numbers=result.numbers, form="result")
        yield result.start, result.end, anchor
    for pattern, form in _LIVE if digits and _LIVE_SIGN.search(text.lower()) else ():
        for match in pattern.finditer(text):
            yield (
                match.start(),
                match.end(),
                Anchor(match.group(), AnchorClass.RUNTIME, line_at(match.start()), match.group(), form=form),
            )


class _Lines:
    """The document's line at each place of a joined run of pieces."""

    def __init__(self, run: list[Piece]) -> None:
        self._run = run

    def after(self, offset: int) -> Callable[[int], int]:
        """The same for places counted from `offset`."""
        return lambda at: self(offset + at)

    def __call__(self, place: int) -> int:
        end = 0
        for piece in self._run:
            end += len(piece.text)
            if place < end:
                return piece.line
        return self._run[-1].line
