"""What all tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.register_assert_rewrite("board_tables", "event_contract", "sources.contract", "sources.talk_contract")

_CI = os.environ.get("CI") == "true"


def pytest_xdist_auto_num_workers() -> int:
    """Half as many processes again as there are cores: much of the suite waits for brokers, browsers and boards."""
    return max(2, (os.cpu_count() or 1) * 3 // 2)


@pytest.fixture(scope="session")
def require_program() -> Callable[[str], str]:
    """`require_program("mosquitto")` is the program's path; without it the test is skipped, in CI it fails."""

    def require(name: str) -> str:
        path = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"]))
        if path is None:
            missing = f"{name} is not installed"
            if _CI:
                pytest.fail(missing)
            pytest.skip(missing)
        return path

    return require


@pytest.fixture(scope="session")
def shared() -> Path:
    """The reference data beside the project: games, counts; without it the test is skipped, in CI it fails."""
    path = Path(__file__).resolve().parents[2] / "shared"
    if not path.is_dir():
        missing = f"the reference data is not at {path}"
        if _CI:
            pytest.fail(missing)
        pytest.skip(missing)
    return path
