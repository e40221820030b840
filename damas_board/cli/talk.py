"""What a command says to a person: on stderr, so that stdout stays machine output."""

from __future__ import annotations

import sys

from damas_board.messages.names import escaped


def say(text: str) -> None:
    print(escaped(text), file=sys.stderr, flush=True)
