"""No secret is stored: what a claim says is masked before it is staged, and the person is told how much was."""

from __future__ import annotations

from dataclasses import replace

from core.memory.claim import Claim, label_of
from core.secrets import mask


def masked_claim(claim: Claim) -> tuple[Claim, int]:
    """The claim without the secrets in its words, and how many of them were masked (a label repeats its text's)."""
    text = mask(claim.text)
    derived = claim.label == label_of(claim.text)
    # A label is cut from its text, and what is left of a secret may not look like one any more.
    label = mask(label_of(text.text) if derived else claim.label)
    tags = [mask(tag) for tag in claim.tags]
    agent = mask(claim.source_agent)
    count = text.count + label.count + agent.count + sum(tag.count for tag in tags)
    clean = replace(claim, text=text.text, label=label.text, tags=tuple(t.text for t in tags), source_agent=agent.text)
    return clean, count
