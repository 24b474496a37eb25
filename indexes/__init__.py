"""The search index over records: an implementation of `core.ports.Index` with Whoosh."""
