"""What this machine must have for a round: room on the disk, and a clock that somebody keeps right."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sys
from pathlib import Path

ENOUGH_FREE = 500 * 1024**2
"""Bytes that should be free beside the journal before a round: a game of 64 boards takes a few megabytes each."""
LARGEST_ERROR = 16.0
"""Seconds of error beyond which a clock counts as one that nobody keeps right (as systemd's timedatectl has it)."""


def free_bytes(path: Path) -> int:
    """What an ordinary program may still write where `path` is, or will be. OSError where that cannot be told."""
    place = path
    while not place.exists() and place != place.parent:
        place = place.parent
    return shutil.disk_usage(place).free


class _Timex(ctypes.Structure):
    """`struct timex` of adjtimex(2), as far as it is read here; the rest is room that the kernel may fill."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_byte * 256),
    )


def clock_is_kept() -> bool | None:
    """Whether a time service keeps this machine's clock right; None where the system cannot be asked.

    The kernel is asked (adjtimex(2), which only reads where no mode is set): every time service tells it.
    """
    if not sys.platform.startswith("linux"):
        return None
    timex = _Timex()
    if ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(timex)) < 0:
        number = ctypes.get_errno()
        if number in (errno.EPERM, errno.ENOSYS):
            return None
        raise OSError(number, os.strerror(number))
    return bool(timex.maxerror < LARGEST_ERROR * 1_000_000)
