"""A report in the forms that other tools read: GitHub annotations, SARIF, JUnit, and plain lines for people.

All are made from the JSON document (core/soul/report.py), whose strings may leave: nothing here reads the project.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

SYMBOLS = {
    "verified-fresh": "✓", "evidence-stale": "✗", "superseded": "↷", "unprovable-now": "?", "receipt-required": "$", "declared": "·",
}  # fmt: skip
"""One sign per state; the word stands beside it wherever there is room."""
LEVELS = {"evidence-stale": "error", "superseded": "warning", "unprovable-now": "note", "receipt-required": "note"}
Report = Mapping[str, Any]


def gates_shut(report: Report) -> frozenset[str]:
    """Of the gates `stale` and `priced` those that stay shut. A contradiction counts as stale."""
    if report["by_state"]["evidence_stale"] > 0 or report["consistency_findings"]:
        return frozenset(("stale", "priced"))
    undecided = any(i["state"] in ("unprovable-now", "receipt-required") for i in report["items"])
    return frozenset(("priced",)) if undecided else frozenset()


def text(report: Report, *, every: bool = False) -> str:
    """Lines for a person: the receipt first, then what is wrong, then what could not be decided; `every` lists all."""
    return "\n".join(_text(report, every))


def _text(report: Report, every: bool) -> Iterator[str]:
    yield report["receipt"]
    lag = report["soul_lag"]["commits_behind_head"]
    behind = "" if lag is None else f" · {lag:,} {'commit' if lag == 1 else 'commits'} behind"
    yield f"{report['soul_path']} · {report['headline'] or 'no headline'}{behind}"
    yield from _reading(report)
    groups = (
        ("Stale", "evidence-stale"), ("Superseded", "superseded"), ("Cannot be decided here", "unprovable-now"),
        ("Needs a receipt", "receipt-required"), ("Fresh", "verified-fresh"), ("Declared", "declared"),
    )  # fmt: skip
    for title, state in groups:
        items = [i for i in report["items"] if i["state"] == state and i["reason"] != "unanchored"]
        if not items or (state in ("verified-fresh", "declared") and not every):
            continue
        yield ""
        yield f"{title} ({len(items):,})"
        for item in items:
            yield from _claim(item)
    loose = [i for i in report["items"] if i["reason"] == "unanchored"]
    yield from _section(
        f"Cite nothing that can be checked ({len(loose):,})", [(i["text"][:160], i["lines"][0]) for i in loose]
    )
    yield from _section("Contradicted", [(v["detail"], None) for v in report["consistency_findings"]])
    yield from _section("Findings", [(f["detail"], f["line"]) for f in report["findings"]])
    yield from _section("Look again", [(f"{h['detail']} | {h['claim']}", h["line"]) for h in report["review_hints"]])
    yield from _broken(report)
    if report["checks_skipped"]:
        yield from _section("Not exercised", [(s, None) for s in report["checks_skipped"]])


def _reading(report: Report) -> Iterator[str]:
    """How the document was read; where nothing in it can be checked, why, and what to do about that."""
    claims = report["claims"]
    read = f"{claims['total']:,} {'claim' if claims['total'] == 1 else 'claims'}: {claims['verifiable']:,} to check"
    paragraphs = claims["narration"]
    narration = (
        f" · {paragraphs:,} {'paragraph' if paragraphs == 1 else 'paragraphs'} of narration" if paragraphs else ""
    )
    yield f"{read}, {claims['declared']:,} declared{narration}"
    if claims["verifiable"]:
        return
    yield ""
    yield "Nothing in this document is checked"
    if claims["declared"]:
        titles = dict.fromkeys(item["section"][-1] if item["section"] else "" for item in report["items"])
        places = [f"“{title}”" if title else "the lines above the first section" for title in titles]
        more = f" and {len(places) - 4:,} more" if len(places) > 4 else ""
        yield f"  Declared, by where it stands: {', '.join(places[:4])}{more}. A person says so; no machine verifies it."
    else:
        yield "  It makes no claim: a list item is one, and so is a paragraph that cites a file, a symbol or a commit."
    yield f'  hint: `recollect soul claims {report["soul_path"]}` shows how each line was read; [soul] verifiable = ["HEADING"]'
    yield "        in .recollect.toml has a section checked."


def _broken(report: Report) -> Iterator[str]:
    """What declared claims cite that is gone, each with its line: a person decides what becomes of it."""
    count = report["citations"]["broken"]
    if not count:
        return
    yield ""
    yield f"Declared claims cite {count:,} {'thing that is' if count == 1 else 'things that are'} gone; their state stays declared"
    for item in report["items"]:
        gone = [a for a in item["anchors"] if item["state"] == "declared" and a["state"] == "evidence-stale"]
        if gone:
            yield f"  {SYMBOLS['declared']} line {item['lines'][0]}: {item['text'][:200]}"
            yield from map(_anchor, gone)


def _anchor(anchor: Mapping[str, Any]) -> str:
    why = " · ".join(p for p in (anchor["reason"], anchor["detail"]) if p)
    return f"      {anchor['raw']}" + (f" — {why}" if why else "")


def _claim(item: Mapping[str, Any]) -> Iterator[str]:
    first = item["lines"][0]
    reason = f"{item['reason']}: " if item["reason"] else ""
    yield f"  {SYMBOLS[item['state']]} line {first}: {reason}{item['text'][:200]}"
    for anchor in item["anchors"]:
        if anchor["state"] == "verified-fresh" and item["state"] != "verified-fresh":
            continue
        yield _anchor(anchor)


def _section(title: str, rows: Sequence[tuple[str, int | None]]) -> Iterator[str]:
    if rows:
        yield ""
        yield title
        for words, line in rows:
            yield f"  line {line}: {words}" if line else f"  {words}"


def github(report: Report) -> str:
    """One workflow command a line: `::error file=…,line=…,title=…::…`; the receipt as a notice."""
    rows = [f"::notice file={_prop(report['soul_path'])},title=soul::{_data(report['receipt'])}"]
    for problem in _problems(report):
        level = {"error": "error", "warning": "warning", "note": "notice"}[problem["level"]]
        place = f"file={_prop(report['soul_path'])},line={problem['line']},endLine={problem['end']}"
        rows.append(f"::{level} {place},title={_prop(problem['rule'])}::{_data(problem['message'])}")
    return "\n".join(rows)


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _prop(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def _problems(report: Report) -> Iterator[dict[str, Any]]:
    """Everything that is not fresh or declared, worst first within the order of the document."""
    for item in report["items"]:
        level = LEVELS.get(item["state"])
        if level is None:
            continue
        failing_anchor = item["anchors"][0] if item["anchors"] else None
        detail = (failing_anchor or {}).get("detail") or ""
        cited = f"{failing_anchor['raw']}: " if failing_anchor else ""
        message = f"{cited}{item['reason'] or item['state']}. {detail} Claim: {item['text'][:160]}"
        rule = (item["reason"] or item["state"]).split(" ")[0]
        rule = "deleted" if rule.startswith("deleted_in") else rule
        yield {"level": level, "line": item["lines"][0], "end": item["lines"][1], "rule": rule, "message": message}
    for found in report["consistency_findings"]:
        line = next((v["line"] for v in found["values"] if v["line"]), 1)
        yield {"level": "error", "line": line, "end": line, "rule": "contradicted", "message": found["detail"]}
    for found in report["findings"]:
        line = found["line"]
        yield {"level": "warning", "line": line, "end": line, "rule": found["reason"], "message": found["detail"]}
    for hint in report["review_hints"]:
        line = hint["line"]
        yield {"level": "note", "line": line, "end": line, "rule": hint["reason"], "message": hint["detail"]}


def sarif(report: Report, version: str) -> str:
    """SARIF 2.1.0, one run, a result per problem; paths relative to the repository's root."""
    problems = list(_problems(report))
    rules = sorted({p["rule"] for p in problems})
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "recollect",
                        "version": version,
                        "rules": [
                            {"id": f"soul/{r}", "name": r, "shortDescription": {"text": r.replace("_", " ")}}
                            for r in rules
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "properties": {"receipt": report["receipt"]},
                "results": [_sarif_result(p, rules, report["soul_path"]) for p in problems],
            }
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _sarif_result(problem: Mapping[str, Any], rules: Sequence[str], path: str) -> dict[str, Any]:
    region = {"startLine": problem["line"], "endLine": problem["end"]}
    return {
        "ruleId": f"soul/{problem['rule']}",
        "ruleIndex": rules.index(problem["rule"]),
        "level": problem["level"],
        "message": {"text": problem["message"]},
        "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": _uri(path), "uriBaseId": "%SRCROOT%"}, "region": region}}
        ],
    }


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(path)


def junit(report: Report) -> str:
    """JUnit XML: a test per claim; stale is a failure, what cannot be decided is skipped."""
    from xml.etree.ElementTree import Element, SubElement, tostring

    items = report["items"]
    contradicted = report["consistency_findings"]
    stale = sum(i["state"] == "evidence-stale" for i in items)
    held = sum(i["state"] in ("unprovable-now", "receipt-required", "superseded") for i in items)
    suite = Element(
        "testsuite", name="soul", tests=str(len(items) + len(contradicted)), failures=str(stale + len(contradicted)),
        errors="0", skipped=str(held), timestamp=report["checked_at"].rstrip("Z"),
    )  # fmt: skip
    properties = SubElement(suite, "properties")
    SubElement(properties, "property", name="receipt", value=_xml(report["receipt"]))
    for item in items:
        section = " / ".join(item["section"]) or "preamble"
        name = f"line {item['lines'][0]}: {item['text'][:120]}"
        case = SubElement(suite, "testcase", classname=_xml(f"{report['soul_path']}.{section}"), name=_xml(name))
        why = _xml(" ".join(filter(None, (a.get("detail") for a in item["anchors"][:1]))) or item["reason"] or "")
        if item["state"] == "evidence-stale":
            SubElement(case, "failure", message=_xml(item["reason"] or ""), type="evidence-stale").text = why
        elif item["state"] in ("unprovable-now", "receipt-required", "superseded"):
            SubElement(case, "skipped", message=_xml(f"{item['state']} {item['reason'] or ''}".strip()))
    for found in contradicted:
        case = SubElement(
            suite, "testcase", classname=_xml(report["soul_path"]), name=_xml(f"consistency: {found['quantity']}")
        )
        SubElement(case, "failure", message="contradicted", type="contradicted").text = _xml(found["detail"])
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(suite, encoding="unicode")


def _xml(value: str) -> str:
    """Text without the characters that XML 1.0 cannot hold."""
    return "".join(
        c for c in value if c in "\t\n\r" or "\x20" <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff"
    )
