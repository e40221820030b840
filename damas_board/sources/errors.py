"""What may be wrong with a device when a source is started."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

TEXTS: Mapping[str, str] = {
    "port_missing": "{port}: there is no such port; is the board plugged in?",
    "port_in_use": "{port}: the port is in use by another program",
    "port_denied": "{port}: no permission to open the port; on Linux the user must be in the group dialout",
    "port_failed": "{port}: is no serial port that can be used ({reason})",
    "port_foreign": "{port}: a board of another kind is plugged in there; another table has it, or its name says so",
    "port_lost": "{port}: the connection broke off; is the cable still plugged in?",
    "board_missing": "no port has the board {uid}; is it plugged in? (damas-board boards lists those that are there)",
    "flooding": "{port}: the board says more than can be read ({inputs} inputs wait)",
    "no_board": "{port}: no board answers on this port (asked for {seconds:g} s)",
    "no_snapshot": "{port}: the board answers, but did not say what stands on it in {seconds:g} s",
    "silent": "{port}: nothing heard from the board for {seconds:g} s",
    "version_refused": "{port}: the board speaks protocol {theirs} (its firmware is {firmware}), this program protocol"
    " {ours}; install the firmware that belongs to this program",
    "variant_refused": "{port}: the board does not play {variant}; write what it calls what is played as variant in"
    " [board.adapter]",
    "wrong_board": "{port}: the board is {found}, but {expected} is expected",
    "wrong_geometry": "{port}: the board has {found}, but {expected} are expected",
    "odd_rows": "{port}: what its adapter tells is no picture of a board of {size} x {size} squares: {rows}",
    "wrong_fields": "{port}: the board has {found} fields, but the table's regulation is played on {expected}; give the"
    " table the board's regulation, or another port",
    "no_dgt_board": "{port}: no DGT board answers on this port (asked for {seconds:g} s); is it switched on, and is"
    " this its port? (damas-board boards lists the ports)",
    "no_bus_board": "{port}: the board {address} does not answer on this line; is it switched on, and is that the"
    " serial number on its box?",
    "bus_conflict": "{port}: another table has the board {address} already, or another timeout, poll or lower_lines, by"
    " another name of this port; write the same port at all tables of a line",
    "not_dgt": "{port}: what comes from this port is not what a DGT board says ({bytes} bytes without a meaning); is"
    " another device there, or one with another baud rate?",
    "wrong_senses": '{port}: the configuration says senses = "{senses}", but the board tells {levels} levels apart,'
    ' that is occupied from empty only; write senses = "occupancy"',
    "no_opencv": "{camera}: pictures cannot be read without OpenCV ({reason}); in the project's folder:"
    " .venv/bin/pip install -e '.[camera]'",
    "no_camera": "{camera}: there is no such camera; is it plugged in? (damas-board boards lists those that are there)",
    "camera_denied": "{camera}: no permission to use the camera; on Linux the user must be in the group video",
    "camera_failed": "{camera}: cannot be used as a camera ({reason})",
    "camera_lost": "{camera}: no picture comes any more; is the cable still plugged in?",
    "camera_blocked": "{camera}: the camera gives no picture for {seconds:g} s",
    "frozen": "{camera}: the camera gives the very same picture again and again",
    "no_stream": "{camera}: no pictures come from this address",
    "no_video": "{camera}: is no video file that can be read",
}
"""The English line of each key; the keys and the names in braces are what a catalogue in another language needs."""


class BoardError(ValueError):
    """A board that cannot be used. `key` is one of TEXTS, `facts` fill its text; as text it is one line in English."""

    def __init__(self, key: str, **facts: str | int | float) -> None:
        super().__init__(TEXTS[key].format(**facts))
        self.key = key
        self.facts: Mapping[str, str | int | float] = facts

    def __reduce__(self) -> tuple[Callable[[], BoardError], tuple[()]]:
        return partial(BoardError, self.key, **self.facts), ()
