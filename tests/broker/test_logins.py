from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from damas_board.broker.logins import Login, hashed, is_hash, login, password_matches
from damas_board.messages.access import User

ANA = User("ana", "arbiter", "autumn")


def test_a_hash_is_salted_and_knows_its_password() -> None:
    one, other = hashed("açaí", iterations=101), hashed("açaí", iterations=101)
    assert one != other
    assert password_matches("açaí", one)
    assert not password_matches("acai", one)
    assert not password_matches("", one)


def test_a_hash_of_mosquitto_passwd_is_understood(tmp_path: Path, require_program: Callable[[str], str]) -> None:
    path = tmp_path / "passwords"
    subprocess.run([require_program("mosquitto_passwd"), "-b", "-c", path, "ana", "secret"], check=True, timeout=20)
    stored = path.read_text().strip().removeprefix("ana:")
    assert login(ANA, stored).password == stored
    assert password_matches("secret", stored)
    assert not password_matches("other", stored)


@pytest.mark.parametrize("text", ["", "secret", "$7$", "$7$101$x$y", "$6$abc$def", hashed("x", iterations=101)[:-4]])
def test_what_is_no_hash_is_a_password_in_clear(text: str) -> None:
    assert not is_hash(text)
    assert password_matches(text, login(ANA, text).password)
    with pytest.raises(ValueError, match="not hashed"):
        Login(ANA, text)


def test_a_password_is_not_shown_with_its_login() -> None:
    assert "$7$" not in repr(login(ANA, "secret"))
