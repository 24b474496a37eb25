"""The message of a commit that holds a curated document: what was pruned and why, the receipt, the two seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.text import one_line


def message_of(report: Mapping[str, Any], path: str, grader: str) -> str:
    """The commit message: what was pruned and why, the receipt, the two seats."""
    rows = [r for r in report["pruned"] if not r["proposed"]]
    count = "one claim" if len(rows) == 1 else f"{len(rows)} claims"
    lines = [f"Prune {count} from {path}", ""]
    lines += [
        f"- {one_line(r['what'], 100)} ({one_line(r['why'], 80)}; {one_line(r['where_it_went'], 60)})" for r in rows
    ]
    lines += [
        "",
        str(report["receipt_line"]),
        "",
        f"Curated-by: {one_line(report['curated_by'])}",
        f"Graded-by: {one_line(grader)}",
    ]
    return "\n".join(lines) + "\n"
