"""Which passwords are good enough, and whether a secret's file is for its owner only."""

from __future__ import annotations

import os
import stat
from pathlib import Path

SHORTEST = 8
"""Characters that a password must have."""

_KNOWN = frozenset(
    [
        "password",
        "passw0rd",
        "password1",
        "password123",
        "passwort",
        "changeme",
        "letmein12",
        "qwertyui",
        "qwerty123",
        "12345678",
        "123456789",
        "1234567890",
        "87654321",
        "11223344",
        "abcdefgh",
        "abcd1234",
        "abc12345",
        "admin123",
        "administrator",
        "palavra-passe",
        "palavrapasse",
        "senha123",
        "mosquitto",
        "damas123",
        "damas-board",
        "damasboard",
        "draughts",
        "checkers",
        "arbiter1",
        "organiser",
        "tournament",
        "torneio1",
    ]
)
_MAKE_ONE = "python3 -c 'import secrets; print(secrets.token_urlsafe(12))' makes a good one"


def weakness(password: str, *names: str) -> str | None:
    """What is wrong with a password in clear, and how to get a better one; None where nothing is.

    `names` are what anybody would try first: the user's name, the meeting's.
    """
    if not password:
        return f"gives an empty password; {_MAKE_ONE}"
    if len(password) < SHORTEST:
        return f"gives a password of {len(password)} characters, at least {SHORTEST} are needed; {_MAKE_ONE}"
    plain = password.lower()
    if plain in _KNOWN or plain in {name.lower() for name in names} or len(set(plain)) < 4:
        return f"gives a password that anybody would try first; {_MAKE_ONE}"
    if not password.isprintable():
        return f"gives a password with a line break or another control character in it; {_MAKE_ONE}"
    return None


def readable_by_others(path: Path) -> bool:
    """Whether users outside the file's group may read or change it; False where the system does not tell so."""
    if os.name != "posix":
        return False
    return bool(path.stat().st_mode & (stat.S_IROTH | stat.S_IWOTH))
