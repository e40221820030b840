"""What may be wrong with a device when a source is started."""

from __future__ import annotations

from collections.abc import Mapping


class BoardError(Exception):
    """A board that cannot be used. `key` names the reason in the message catalogue, `facts` fill its text.

    | key | facts |
    |---|---|
    | `port_missing` | `port` |
    | `port_in_use` | `port` |
    | `port_denied` | `port` |
    | `port_failed` | `port`, `reason` (the system's words) |
    | `no_board` | `port`, `seconds` |
    | `no_snapshot` | `port`, `seconds` |
    | `version_refused` | `port`, `theirs`, `ours`, `firmware` |
    | `wrong_board` | `port`, `found`, `expected` (identities, hexadecimal) |
    | `wrong_geometry` | `port`, `found`, `expected` (squares sensed) |
    """

    def __init__(self, key: str, **facts: str | int | float) -> None:
        super().__init__(f"{key}: " + ", ".join(f"{name} {value}" for name, value in facts.items()))
        self.key = key
        self.facts: Mapping[str, str | int | float] = facts
