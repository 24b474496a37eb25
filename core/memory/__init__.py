"""Memory: durable claims, one write sink, an owner that never loses, changes or removes one (design/memory.md)."""
