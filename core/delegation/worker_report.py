"""Reads a worker's last message: the header `[recollect ID]`, `DEVIATIONS:` and `FINDINGS:`, as people and models write them.

Bullets, bold, case, dashes for colons and several languages are taken; what is not there is not made up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.text import fold_lines

MOST_FINDINGS = 3
MOST_DEVIATIONS = 2000
FINDING = 2000
"""Characters of a finding."""
_HEADER = re.compile(r"\[\s*recollect\s+(dlg_[A-Za-z0-9_-]+)\s*\]", re.IGNORECASE)
_DEVIATIONS = "deviations?|abweichungen|abweichung|déviations?|écarts?|desviaciones|desviación|desvios|deviazioni|avvikelser|偏离|偏差|逸脱|отклонения"
_FINDINGS = "findings?|erkenntnisse|befunde|constats?|découvertes|hallazgos|descobertas|achados|scoperte|fynd|发现|發現|発見|находки|выводы"
_LABEL = re.compile(
    rf"^[\s>#*_\-•–]*(?P<label>{_DEVIATIONS}|{_FINDINGS})\s*[*_]*\s*(?:[:：]|\s[-–—]\s|$)[*_\s]*(?P<rest>.*)$",
    re.IGNORECASE,
)
_IS_DEVIATION = re.compile(rf"(?:{_DEVIATIONS})", re.IGNORECASE)
_NONE = re.compile(
    r"(?:(?:none|no|nothing|n/?a|nil)(?:\s+(?:new|notable|lasting|durable|other|further|found|findings?|deviations?|discover(?:y|ies|ed)"
    r"|to|report|of|note|were|was|made|at|all))*"
    r"|keine?|nichts|aucune?|rien|ningun[oa]s?|nada|nenhum[as]?|nessun[oa]?|inga|inget|无|無|なし|нет|-|–|—)[\s.!。]*",
    re.IGNORECASE,
)
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})[\w-]*\s*$")
_BULLET = re.compile(r"^\s*(?:[-*•–+]|\d{1,2}[.)])\s+")
_EXPLAINS = re.compile(r":\s|\s[-–—]\s|\s\(")
_PATH = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"|([^\s,;()\[\]\"'`]+)")


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """What a worker's last message says."""

    identity: str
    """The delegation that its header names, `""`: no header."""
    deviations: tuple[str, ...] | None
    """Paths outside the scope, as written; `()` where it says none, `None` where it says nothing of it."""
    findings: tuple[str, ...]
    more_findings: int = 0
    """Findings beyond `MOST_FINDINGS`, which are not taken."""


def read_report(text: str) -> WorkerReport:
    """The report in a text: the last header counts, and the sections after it; without one, the last sections."""
    headers = list(_HEADER.finditer(text))
    body = text[headers[-1].end() :] if headers else text
    deviations: tuple[str, ...] | None = None
    findings: list[str] = []
    for label, lines in _sections(body):
        if _IS_DEVIATION.fullmatch(label):
            deviations = _paths(lines)
        else:
            findings = _sentences(lines)
    return WorkerReport(
        headers[-1].group(1) if headers else "", deviations, tuple(findings[:MOST_FINDINGS]),
        max(0, len(findings) - MOST_FINDINGS),
    )  # fmt: skip


def _sections(body: str) -> list[tuple[str, list[str]]]:
    """Each labelled section with its lines: the rest of its own line and the bullets or lines below, up to a blank line
    after which no bullet follows."""
    found: list[tuple[str, list[str]]] = []
    blank = False
    for line in body.splitlines():
        if _FENCE.match(line):
            blank = True  # a report within a fence ends with it
            continue
        match = _LABEL.match(line)
        if match:
            found.append((match.group("label"), [match.group("rest")] if match.group("rest").strip(" *_") else []))
            blank = False
        elif found:
            if not line.strip():
                blank = True
            elif not blank or _BULLET.match(line):
                found[-1][1].append(line)
                blank = False
    return found


def _items(lines: list[str]) -> list[str]:
    """Bullets with the lines that go on with them."""
    items: list[str] = []
    for line in lines:
        if _BULLET.match(line) or not items or not line.startswith((" ", "\t")):
            items.append(_BULLET.sub("", line).strip())
        else:
            items[-1] = f"{items[-1]} {line.strip()}"
    return [i for i in items if i and not _NONE.fullmatch(i.strip("*_ `"))]


def _paths(lines: list[str]) -> tuple[str, ...]:
    """The paths that lines name, up to where an item begins to explain itself; a lone word is a path too."""
    found: dict[str, None] = {}
    for item in _items(lines):
        lead = _EXPLAINS.split(item, maxsplit=1)[0]
        matches = list(_PATH.finditer(lead))
        quoted = {m.group(1) or m.group(2) for m in matches if m.group(3) is None}
        names = [next(g for g in m.groups() if g) for m in matches]
        for name in [n for n in names if n in quoted or "/" in n or re.search(r"\w\.\w", n)] or names[:1]:
            clean = re.sub(r":\d+(?:[-:]\d+)?$", "", name.strip().rstrip(".,:"))
            if clean and not _NONE.fullmatch(clean):
                found[clean] = None
    return tuple(found)[:MOST_DEVIATIONS]


def _sentences(lines: list[str]) -> list[str]:
    """Findings: one a bullet, or parted by `;` on one line."""
    items = _items(lines)
    if len(items) == 1:
        items = [p.strip() for p in re.split(r"\s*[;；]\s+", items[0])]
    clean = (fold_lines(i.strip("*_ ")) for i in items)
    return [c[:FINDING] for c in clean if c and not _NONE.fullmatch(c)]
