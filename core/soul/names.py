"""The shapes of names in a handoff document: paths, line suffixes, symbols, addresses, and what looks like them.

reference/soul-upstream.md 9 counts what real documents hold: most path-like spans that a naive rule fails are ranges,
branches, owner/repo pairs, media types, package scopes, routes and addresses.
"""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(text.split())


EXTENSIONS = _words(
    """
    py pyi pyx ipynb js mjs cjs jsx ts tsx mts cts vue svelte astro rs go java kt kts scala groovy clj cljs ex exs erl hs ml mli
    c h cc cpp cxx hpp hh m mm swift rb php pl pm lua r jl dart zig nim cs fs vb sql sh bash zsh fish ps1 bat cmd awk
    html htm css scss sass less md mdx rst txt adoc tex org json jsonl json5 ndjson yaml yml toml ini cfg conf env lock xml svg csv tsv
    proto graphql gql tf tfvars hcl nix cmake mk gradle properties plist service timer desktop dockerfile tcss snap
    png jpg jpeg gif webp ico pdf zip gz tgz tar zst bz2 xz whl db sqlite sqlite3 bin wasm log diff patch pem crt key pub
    """
)
"""Endings that make a bare word a file name. `com`, `org` and the like are left out where they end addresses."""
BARE_NAMES = _words(
    """
    Makefile Dockerfile Justfile Procfile Rakefile Gemfile Vagrantfile Jenkinsfile Brewfile Pipfile Caddyfile LICENSE README CHANGELOG
    CONTRIBUTING CODEOWNERS NOTICE AUTHORS BUILD WORKSPACE
    """
)
_MEDIA = re.compile(r"(?:application|audio|font|image|message|model|multipart|text|video)/[\w.+-]+(?:;.*)?")
_SCOPE = re.compile(r"@[\w.-]+/[\w./-]+(?:@[\w.^~*-]+)?")
_PLACEHOLDER = re.compile(r"<[^>]*>|…|\.\.\.|\bX{2,}\b|\bYYYY\b|\{\{|\$\{|%[A-Z_]+%")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_LOCAL = re.compile(
    r"(?:[a-z][a-z0-9+.-]*://)?(?:localhost|127\.0\.0\.\d+|0\.0\.0\.0|\[::1?\]|[\w-]+\.local(?:host)?)(?::\d+)?(?:/\S*)?",
    re.IGNORECASE,
)
_PORT = re.compile(r":\d{2,5}|(?:port\s+)\d{2,5}", re.IGNORECASE)
_DOMAIN = re.compile(
    r"(?:[\w-]+\.)+(?:com|org|net|io|dev|ai|app|co|edu|gov|de|fr|es|br|jp|kr|cn|uk|eu|me|sh|xyz)(?:[:/]\S*)?",
    re.IGNORECASE,
)
_SCRIPT = re.compile(r"[^/:]+\.(?:sh|me)(?::\d[\d,-]*)?", re.IGNORECASE)
"""`start.sh`, `start.sh:3` and `read.me` are files; `bun.sh/docs` is an address."""
_ROUTE = re.compile(
    r"(?:(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+)?/[\w{}:$.<>*-]*(?:/[\w{}:$.<>*-]*)*/?(?:\?\S*)?"
)
_METHOD = re.compile(r"(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+/\S*")
_VARIABLE = re.compile(r"\$?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:=\S*)?|\$\w+|\$\{\w+\}")
_BRANCH = re.compile(
    r"(?:origin|upstream|refs|heads|remotes|tags)/[\w./-]+|(?:feature|feat|fix|bugfix|hotfix|release|chore|topic|wip)/[\w.-]+(?:/[\w.-]+)*"
)
_GITHUB = re.compile(r"(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)[:/]\S+", re.IGNORECASE)
_LINES = re.compile(
    r"(?P<path>.+?)(?::L?(?P<colon>\d+(?:\s?[-–]\s?L?\d+)?(?:,\s?\d+(?:\s?[-–]\s?\d+)?)*)(?::\d+)?|#L(?P<hash>\d+)(?:C\d+)?(?:-L?(?P<end>\d+)(?:C\d+)?)?)"
)
_BETWEEN = re.compile(r"\w\.{2,3}\w")
"""`mod01..mod09` is a stretch of names, `main...topic` one of commits."""
_SEGMENT = re.compile(r"[\w.@+*?\[\]{},!~=%-]+(?: [\w.@+*?\[\]{},!~=%-]+)*")
_IDENTIFIER = r"(?:[^\W\d]|\$)[\w$]*"
_SCOPED = re.compile(rf"(?P<file>[\w./-]+\.\w{{1,5}}::)?{_IDENTIFIER}(?:::{_IDENTIFIER})+(?:\(\))?")
_FILE_SYMBOL = re.compile(rf"[\w./-]+\.\w{{1,5}}(?:::{_IDENTIFIER})+(?:\(\))?")
_DOTTED = re.compile(rf"{_IDENTIFIER}(?:\.{_IDENTIFIER})+(?:\(\))?")
_CALL = re.compile(rf"(?:{_IDENTIFIER}(?:\.|::|#))*{_IDENTIFIER}\(\)")
_CALLED = re.compile(
    rf"(?P<name>(?:{_IDENTIFIER}(?:\.|::|#))*{_IDENTIFIER})\((?=[^)])[\w\s,.*&:=<>|\[\]'\"-]{{1,100}}\)"
)
"""A call or a signature with its arguments: `send(amount)`, `Client.send(order: str, cents=0)`."""
_MEMBER = re.compile(rf"(?P<file>[\w./-]+\.[a-z]\w{{0,4}})::?(?P<name>{_IDENTIFIER}(?:\.{_IDENTIFIER})*(?:\(\))?)")
"""`client.py:send`, `client.py:Client.send`, `client.py::Client.send`."""
_ENTRY = re.compile(rf"{_IDENTIFIER}(?:\.{_IDENTIFIER})+:{_IDENTIFIER}(?:\.{_IDENTIFIER})*")
"""`pay.client:main`, as an entry point is written."""
_HASHED = re.compile(r"[A-Z][\w$]*(?:(?:\.|::)[A-Z][\w$]*)*#(?:[^\W\d]|\$)[\w$]*[?!]?")
"""`Type#method`, as Ruby, Java and JavaScript write it; a number after the sign is an issue's."""
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_DATE = re.compile(r"\d{4}[/-]\d{1,2}(?:[/-]\d{1,2})?|\d{1,2}[/-]\d{1,2}[/-]\d{2,4}")


def runtime_form(span: str) -> str:
    """`address` or `port` for what only a running system can show, else `""`."""
    if (":" in span or "/" in span) and _LOCAL.fullmatch(span):
        return "address"
    return "port" if span[-1:].isdigit() and _PORT.fullmatch(span) else ""


def neutral_form(span: str) -> str:
    """What a recognisable span is that is no evidence of its own (`url`, `mime` …), or `""`."""
    slash = "/" in span
    if ("://" in span and _SCHEME.match(span)) or span.startswith(("mailto:", "data:")) or _GITHUB.match(span):
        return "url"
    if " " not in span and _PLACEHOLDER.search(span):
        return "placeholder"
    if slash and _MEDIA.fullmatch(span):
        return "mime"
    if span.startswith("@") and _SCOPE.fullmatch(span):
        return "package"
    if slash and _METHOD.fullmatch(span):
        return "route"
    if _VARIABLE.fullmatch(span):
        return "variable"
    if " " in span:
        return ""
    if span.startswith(("~", "$", "%")):
        return "home"
    if span.startswith("!"):
        return "negation"
    if span.startswith(("./target", "target/")) or "/target/" in span:
        return "build"
    if span[1:2] == ":" and _DRIVE.match(span):
        return "absolute"
    if span.startswith("/"):
        return "route" if _ROUTE.fullmatch(span) and not _rooted(span) else "absolute"
    if slash and _BRANCH.fullmatch(span) and "." not in span.rsplit("/", 1)[-1]:
        return "branch"
    if "." in span and _DOMAIN.fullmatch(span) and not _SCRIPT.fullmatch(span):
        return "domain"
    return "date" if _DATE.fullmatch(span) else ""


def _rooted(span: str) -> bool:
    """True if a path with a leading slash names a place of a file system."""
    return span.split("/")[1] in (
        "usr", "etc", "home", "Users", "var", "tmp", "opt", "bin", "mnt", "root", "private", "Applications", "Library", "dev", "proc", "srv",
    )  # fmt: skip


def split_lines(span: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A path and its line suffix: `a.py:3,9`, `a.py:10-20`, `a.py#L5-L9`, `a.py:12:4`; no suffix gives `()`."""
    match = _LINES.fullmatch(span) if ":" in span or "#L" in span else None
    if not match:
        return span, ()
    if match["hash"]:
        first = int(match["hash"])
        return match["path"], ((first, int(match["end"] or first)),)
    spans = []
    for part in match["colon"].split(","):
        ends = [int(n) for n in re.split(r"[-–]L?", part.replace(" ", ""))]
        spans.append((ends[0], ends[-1]))
    return match["path"], tuple(spans)


def is_path(span: str) -> bool:
    """True if a span can be a path below the repository's root: slashes between plain segments."""
    span = span.replace("\\", "/") if "\\" in span and "/" not in span else span
    if "/" not in span or span.startswith(("~", "$", "/", "!", "@", "-")) or "//" in span or len(span) > 400:
        return False
    if "::" in span or "(" in span or "=" in span.split("/", 1)[0]:
        return False
    segments = span.rstrip("/").split("/")
    if not all(_SEGMENT.fullmatch(s) for s in segments) or all(s in (".", "..") for s in segments):
        return False
    return not all(s.isdigit() for s in segments) and not any(_BETWEEN.search(s) for s in segments)


def is_folder(span: str) -> bool:
    """True if a path is written as a folder."""
    return span.endswith("/")


def is_file_name(span: str) -> bool:
    """True if a single segment looks like a file: a known ending, a leading dot, or a name builds know."""
    if "/" in span or " " in span or not _SEGMENT.fullmatch(span) or span.startswith(("-", "@", "~")):
        return False
    if span in BARE_NAMES:
        return True
    stem, dot, ending = span.rpartition(".")
    if not dot or not ending:
        return False
    if not stem:  # .gitignore
        return ending.isidentifier() and len(ending) > 2
    return ending.lower() in EXTENSIONS and not stem.replace(".", "").isdigit() and stem.strip(".") != ""


def symbol_of(span: str) -> str:
    """A symbol as its segments joined by `::` (a file before it keeps its name), or `""`.

    `mod::name`, `Type.method`, `pkg.mod.func`, `name()`, `file.py::name`; a word with a dot that ends like a file, or
    whose parts are not identifiers, is none.
    """
    if len(span) <= 160 and (called := _CALLED.fullmatch(span)):
        span = called["name"] + "()"
    if len(span) > 160 or " " in span:
        return ""
    if ":" in span and _ENTRY.fullmatch(span) and span.split(":")[0].rpartition(".")[2].lower() not in EXTENSIONS:
        span = span.replace(":", ".")
    if ":" in span and (member := _MEMBER.fullmatch(span)):
        span = f"{member['file']}::{member['name'].replace('.', '::')}"
    body = span.removesuffix("()")
    if "::" in span and (_FILE_SYMBOL.fullmatch(span) or _SCOPED.fullmatch(span)):
        return body
    if span.endswith("()") and _CALL.fullmatch(span):
        return re.sub(r"\.|#", "::", body)
    if "#" in span and _HASHED.fullmatch(span):
        return re.sub(r"\.|#", "::", body)
    if _DOTTED.fullmatch(span):
        parts = body.split(".")
        if parts[-1].lower() in EXTENSIONS or len(parts[-1]) < 2 or any(len(p) > 60 for p in parts):
            return ""
        return "::".join(parts)
    return ""
