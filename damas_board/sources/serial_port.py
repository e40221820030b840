"""Opening a serial port for us alone, and reading what has come in."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress

import serial

from damas_board.sources.errors import BoardError

BAUD_RATE = 115200
POLL_SECONDS = 0.05
"""How long a thread waits for bytes before it looks at the time and at what is to be sent."""
CALM_SECONDS = 0.5
"""The same where nothing is due for longer, and whoever has something to send can end the wait."""
WRITE_SECONDS = 1.0
READ_SIZE = 4096

if sys.platform == "win32":
    PORT_FAULTS: tuple[type[Exception], ...] = (OSError,)
else:
    import termios

    # A port whose device went away fails in termios calls that pyserial does not translate.
    PORT_FAULTS = (OSError, termios.error)


def open_port(port: str, baud: int = BAUD_RATE) -> serial.Serial:
    """Open `port` (a device or a pyserial URL) for us alone, 8 data bits, no parity. BoardError says why it cannot be.

    It is left so that a later close, or the end of this process, changes no line of it (`keep_lines`).
    """
    try:
        opened = serial.serial_for_url(
            port, baudrate=baud, timeout=POLL_SECONDS, write_timeout=WRITE_SECONDS, exclusive=True
        )
        keep_lines(opened)
        return opened
    except ValueError as error:
        raise BoardError("port_failed", port=port, reason=str(error)) from error
    except PORT_FAULTS as error:
        number = getattr(error, "errno", None)
        match number:
            case errno.ENOENT | errno.ENODEV | errno.ENXIO:
                key = "port_missing"
            case errno.EAGAIN | errno.EBUSY:
                key = "port_in_use"
            case errno.EACCES | errno.EPERM:
                key = "port_denied"
            case _:
                reason = str(error) if number is None else os.strerror(number).lower()
                raise BoardError("port_failed", port=port, reason=reason) from error
        raise BoardError(key, port=port) from error


def keep_lines(port: serial.Serial) -> None:
    """Let DTR stay as it is when the port is closed, where its system and driver can do that.

    An Arduino resets itself when DTR comes, and forgets what happened while nobody listened. With the line left up the
    first opening after the board was plugged in resets it, and no later one does.
    """
    if sys.platform == "win32" or not isinstance(port, serial.Serial):
        return  # behind a network it is the other end's
    with suppress(termios.error):
        settings = termios.tcgetattr(port.fileno())
        settings[2] &= ~termios.HUPCL
        termios.tcsetattr(port.fileno(), termios.TCSANOW, settings)


def read_available(port: serial.Serial) -> bytes:
    """What has come in; waits for the first byte only, up to the port's timeout, or until `stop_waiting`."""
    data: bytes = port.read(1)
    # A socket never says that more than one byte waits, so asking once would read them one by one.
    while data and len(data) < READ_SIZE and (waiting := port.in_waiting):
        data += port.read(min(waiting, READ_SIZE))
    return data


def set_calm(port: serial.Serial, calm: bool) -> None:
    """Whether nothing is due for a while. Many boards that are looked at every POLL_SECONDS cost a tenth of a core."""
    seconds = CALM_SECONDS if calm and _can_stop(port) else POLL_SECONDS
    if port.timeout != seconds:
        port.timeout = seconds


def stop_waiting(port: serial.Serial) -> None:
    """End another thread's `read_available`, now or when it begins; where that cannot be, it ends soon by itself."""
    if _can_stop(port):
        with suppress(*PORT_FAULTS, TypeError):  # it was closed meanwhile: nobody waits there
            port.cancel_read()


def _can_stop(port: serial.Serial) -> bool:
    return hasattr(port, "cancel_read")
