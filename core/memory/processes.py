"""Which process is meant by a number: alive in this boot of this machine, or gone."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")


@lru_cache(maxsize=1)
def this_boot() -> str:
    """A name of this boot of the machine, 12 characters; on macOS the time at which it booted."""
    try:
        return _BOOT.read_text(encoding="ascii").strip().replace("-", "")[:12]
    except OSError:
        return _booted_at()


def _booted_at() -> str:
    """Where there is no `/proc`: the kernel's own word for when it started."""
    import subprocess  # macOS alone gets here

    try:
        done = subprocess.run(
            ["sysctl", "-n", "kern.bootsessionuuid"], capture_output=True, text=True, timeout=5, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return "unknownboot"
    return done.stdout.strip().replace("-", "").lower()[:12] or "unknownboot"


def is_running(pid: int, boot: str) -> bool:
    """True if the process `pid` of that boot still runs."""
    if boot != this_boot():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return pid < 1 << 31
    return True
