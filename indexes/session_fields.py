"""The small fields of a session that are searched beside its turns: its title, and the place it worked in."""

from __future__ import annotations

from indexes.analyzer import Analyzer, tokenize
from indexes.rows import Row


def title_terms(row: Row, analyzer: Analyzer) -> list[str]:
    """The terms of the title and of the slug, with repetitions."""
    names = f"{row.spine.title} {row.spine.slug}"
    return [term for raw in tokenize(names) for term in analyzer.terms(raw)]


def place_terms(row: Row, analyzer: Analyzer) -> list[str]:
    """The terms of the last two components of each working directory, of the branch, of the agent's name, and the
    session id with its first group. The folders above say where a machine keeps its work, not what the work is."""
    spine = row.spine
    texts = [
        "/".join(cwd.replace("\\", "/").rstrip("/").split("/")[-2:]) for cwd in spine.cwds[:20] or (spine.project,)
    ]
    texts += [spine.branch, spine.agent, spine.session_id or row.source.session_id]
    return list(dict.fromkeys(term for text in texts for raw in tokenize(text) for term in analyzer.terms(raw)))
