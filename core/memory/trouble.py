"""What goes wrong at an owner, as one error that the sink turns into an answer."""

from __future__ import annotations


class OwnerTrouble(Exception):
    """The owner did not do what it was asked."""

    def __init__(self, what: str, hint: str = "", *, refused: bool = False, ids: tuple[str, ...] = ()) -> None:
        super().__init__(what)
        self.what = what
        self.hint = hint
        self.refused = refused
        """True where asking again is in vain: what was sent cannot be taken. False where the owner is away, busy, or
        disagrees: what was staged waits."""
        self.ids = ids
        """The nodes that were refused, as far as the owner names them."""
