"""The soul: a project's handoff document, checked as a verified type (design/soul.md)."""
