"""The places of the app, one row each: adding a place is one row here and the function that makes its screen.

Knows nothing of Textual until a place is made: the key table is built from these rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from core.frozen import dataclass

if TYPE_CHECKING:
    from tui.app import AppOptions
    from tui.screens.place import PlaceScreen


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """One place of the app."""

    id: str
    number: int
    """The key that leads there outside inputs."""
    name: str
    help: str
    """One sentence for the help screen and the palette."""
    make: Callable[[AppOptions], PlaceScreen] | None = None
    """Makes its screen when the person first goes there; `None` for the place the app begins with."""


def _soul(options: AppOptions) -> PlaceScreen:
    from tui.screens.soul import SoulScreen  # Textual, and what a check needs: paid when a person goes there
    from tui.soul_project import ProjectSoul

    return SoulScreen(options.soul or ProjectSoul(options.soul_folder), options.soul_document, now=options.now)


def _curate(options: AppOptions) -> PlaceScreen:
    from tui.curate_project import ProjectCurate
    from tui.screens.curate import CurateScreen

    return CurateScreen(options.curate or ProjectCurate(options.soul_folder), options.soul_document)


def _memory(options: AppOptions) -> PlaceScreen:
    from tui.memory_project import OwnMemory
    from tui.screens.memory import MemoryScreen

    return MemoryScreen(options.memory or OwnMemory(), options.soul_folder, now=options.now)


def _delegate(options: AppOptions) -> PlaceScreen:
    from tui.delegate_place import ProjectDelegate
    from tui.screens.delegate import DelegateScreen

    return DelegateScreen(options.delegate or ProjectDelegate(options.soul_folder), now=options.now)


PLACES: tuple[PlaceRow, ...] = (
    PlaceRow("recollect", 1, "Recollect", "Go to Recollect: recall a past session."),
    PlaceRow("soul", 2, "Soul", "Go to Soul: the project's handoff document, checked.", _soul),
    PlaceRow("curate", 3, "Curate", "Go to Curate: decide what leaves the handoff document.", _curate),
    PlaceRow("memory", 4, "Memory", "Go to Memory: what was settled and kept.", _memory),
    PlaceRow("delegate", 5, "Delegate", "Go to Delegate: hand work over, and hear how it went.", _delegate),
)
"""In the order of their numbers. The first one is always open, and esc leads back to it."""


def place_named(id_: str) -> PlaceRow:
    """The row with an id. Raises KeyError for an unknown one."""
    for row in PLACES:
        if row.id == id_:
            return row
    raise KeyError(id_)
