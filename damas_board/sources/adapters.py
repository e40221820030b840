"""The boards of other makers that the program can read by itself, by the name that `speaks` has for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from damas_board.sources.adapter import Adapter
from damas_board.sources.dgt import DGT
from damas_board.sources.dgt_bus import DGT_BUS
from damas_board.sources.peripheral import PERIPHERAL

_KNOWN: tuple[Adapter[Any], ...] = (DGT, DGT_BUS, PERIPHERAL)

ADAPTERS: Mapping[str, Adapter[Any]] = {adapter.name: adapter for adapter in _KNOWN}

USB_NAMES: tuple[str, ...] = tuple(sorted({name for adapter in _KNOWN for name in adapter.usb_names}))
"""What the USB names of devices have in them at which no board of our own is looked for."""
