"""What all tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

import pytest


@pytest.fixture(scope="session")
def require_program() -> Callable[[str], str]:
    """`require_program("mosquitto")` is the program's path; without it the test is skipped, in CI it fails."""

    def require(name: str) -> str:
        path = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"]))
        if path is None:
            missing = f"{name} is not installed"
            if os.environ.get("CI") == "true":
                pytest.fail(missing)
            pytest.skip(missing)
        return path

    return require
