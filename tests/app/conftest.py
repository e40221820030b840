"""One broker of each kind, in a process of its own: the tests that need one run against both."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from app.halls import Hall


@pytest.fixture(params=["embedded", "mosquitto"])
async def hall(
    request: pytest.FixtureRequest, tmp_path: Path, require_program: Callable[[str], str]
) -> AsyncIterator[Hall]:
    program = require_program("mosquitto") if request.param == "mosquitto" else ""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    running = Hall(request.param, port, tmp_path / "broker", program)
    await running.start()
    try:
        yield running
    finally:
        await running.kill()
