"""What every verdict rests on: the project's evidence and what was indexed of it for one check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.soul.evidence import Evidence, Symbols
from core.soul.history import History
from core.soul.locating import Paths
from core.soul.model import Claim


@dataclass(frozen=True)
class Ground:
    """One check's ground. Built once, asked by every verdict; not slotted, as tests put their own parts in."""

    evidence: Evidence
    paths: Paths
    history: History | None
    """`None` where git did not list its commits."""
    symbols: Symbols
    document: str
    """The soul's path."""
    touch: str
    """The commit that last touched the document, `""` if none did or it is not known."""
    old_texts: frozenset[str]
    """The texts of the claims in the last committed version: a claim that is not among them was written since."""
    manifests: Mapping[str, str]
    """The project's manifests at hand (path to text), for scripts and targets."""

    moved: frozenset[str] | None = None
    """Files that a commit changed since the document's last touch; `None` where that is not known."""
    above: Mapping[int, str] = field(default_factory=dict)
    """The first lines of nested claims to the words of the claims that they stand in."""

    def unchanged(self, path: str) -> bool:
        """True if git shows that a file is what it was at the document's last touch."""
        return self.moved is not None and path not in self.moved and self.evidence.settled(path)

    def written_since(self, claim: Claim) -> bool:
        """True if the last committed version does not hold this claim."""
        return claim.text not in self.old_texts
