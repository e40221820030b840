"""What USB says of a serial port: which converter, or which board, is behind it."""

from __future__ import annotations

from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

Converter = tuple[int, int, str | None]
"""A vendor, a product and a serial number, which many have none of."""


def on_usb() -> dict[str, ListPortInfo]:
    """The serial ports on USB, by the paths of their devices."""
    return {port.device: port for port in list_ports.comports() if port.vid is not None and port.pid is not None}


def converter(port: ListPortInfo) -> Converter:
    return port.vid, port.pid, port.serial_number
