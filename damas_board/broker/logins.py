"""Named users with hashed passwords, in the form that Mosquitto's password file has too."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field

from damas_board.messages.access import User

ITERATIONS = 10_000
"""Of PBKDF2-SHA512: some milliseconds; Mosquitto computes it in its only thread while all other clients wait."""

_HASH = re.compile(r"\$7\$([1-9]\d{0,6})\$([A-Za-z0-9+/=]{8,})\$([A-Za-z0-9+/=]{80,})")


def hashed(password: str, *, iterations: int = ITERATIONS) -> str:
    """`$7$iterations$salt$hash` (PBKDF2-SHA512, base64), another one each time."""
    salt = secrets.token_bytes(12)
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, iterations)
    return f"$7${iterations}${base64.b64encode(salt).decode()}${base64.b64encode(key).decode()}"


def is_hash(text: str) -> bool:
    """Whether `text` is a hash as `hashed` and mosquitto_passwd write it."""
    found = _HASH.fullmatch(text)
    if found is None:
        return False
    try:
        return bool(base64.b64decode(found[2], validate=True)) and len(base64.b64decode(found[3], validate=True)) == 64
    except binascii.Error:
        return False


def password_matches(password: str, stored: str) -> bool:
    """Whether `stored` was made of `password`; in the same time for every wrong one."""
    _, _, iterations, salt, key = stored.split("$")
    computed = hashlib.pbkdf2_hmac("sha512", password.encode(), base64.b64decode(salt), int(iterations))
    return hmac.compare_digest(computed, base64.b64decode(key))


@dataclass(frozen=True, slots=True)
class Login:
    """A user and the hash of the password."""

    user: User
    password: str = field(repr=False)

    def __post_init__(self) -> None:
        if not is_hash(self.password):
            raise ValueError(f"the password of {self.user.name} is not hashed")


def login(user: User, password: str) -> Login:
    """A login from a password in clear, or from a hash as mosquitto_passwd writes it."""
    return Login(user, password if is_hash(password) else hashed(password))
