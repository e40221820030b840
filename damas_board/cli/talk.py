"""What a command says to a person: on stderr, so that stdout stays machine output."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
