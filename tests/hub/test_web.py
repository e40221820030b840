"""The hub's HTTP server and those who only hold connections to it."""

from __future__ import annotations

import asyncio

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from damas_board.hub import web
from damas_board.hub.pages import HTML, Page
from damas_board.hub.web import WebServer

PAGES = {"/files": Page(b"here", HTML, '"1"')}


@pytest.mark.parametrize("said", [b"", b"GET /files HT", b"GET /files HTTP/1.1\r\nHost: a\r\nX-Slow: "])
async def test_a_connection_that_asks_for_nothing_is_closed(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "ASKS_SECONDS", 0.1)
    async with WebServer(PAGES) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(said)
        async with asyncio.timeout(30):
            assert await reader.read() == b""
        writer.close()


async def test_a_connection_that_has_asked_is_kept_for_its_next_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "ASKS_SECONDS", 0.1)
    async with WebServer(PAGES) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for _ in range(2):
            writer.write(b"GET /files HTTP/1.1\r\nHost: a\r\n\r\n")
            async with asyncio.timeout(30):
                assert b"200 OK" in await reader.readuntil(b"here")
            await asyncio.sleep(0.3)
        writer.close()


async def test_a_connection_that_begins_another_request_and_does_not_end_it_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(web, "ASKS_SECONDS", 0.2)
    async with WebServer(PAGES) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"GET /files HTTP/1.1\r\nHost: a\r\n\r\n")
        async with asyncio.timeout(30):
            assert b"200 OK" in await reader.readuntil(b"here")
            writer.write(b"GET /files HTTP/1.1\r\nX-Slow: ")
            assert await reader.read() == b""
        writer.close()


async def test_silent_connections_keep_nobody_out_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "ASKS_SECONDS", 0.2)
    monkeypatch.setattr(web, "CONNECTIONS", 5)
    async with WebServer(PAGES) as server:
        held = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(6)]
        answer = b""
        async with asyncio.timeout(30):
            while b"200 OK" not in answer:
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write(b"GET /files HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                answer = await reader.read()
                writer.close()
                await asyncio.sleep(0.05)
        for _, writer in held:
            writer.close()


async def test_what_the_public_takes_up_leaves_room_for_the_console(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "PUBLIC_CONNECTIONS", 3)

    async def console(request: Request) -> Response:
        return Response("arbiter")

    async def ask(path: str) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        held.append(writer)
        async with asyncio.timeout(30):
            head = await reader.readuntil(b"\r\n\r\n")
            return head if b"200 OK" in head else head + await reader.read()  # which ends: it is closed

    held: list[asyncio.StreamWriter] = []
    public, private = Route("/assets/console.js", console), Route("/", console)
    async with WebServer(PAGES, public=[public], console=[private]) as server:
        for _ in range(3):
            assert b"200 OK" in await ask("/files")
        refused = await ask("/files")
        assert b"503" in refused
        assert b"retry-after: 20" in refused.lower()
        assert b"200 OK" in await ask("/console/")
        script = await ask("/assets/console.js")
        assert b"200 OK" in script
        assert b"connection: close" in script.lower()
        for writer in held:
            writer.close()
            await writer.wait_closed()
        async with asyncio.timeout(30):
            while b"200 OK" not in await ask("/files"):  # the server notices a moment later
                continue
        for writer in held:
            writer.close()


async def test_a_person_at_an_address_of_nothing_is_shown_the_way_back() -> None:
    async with WebServer(PAGES) as server:
        for accept, kind in (("text/html", b"text/html"), ("application/json", b"text/plain")):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(f"GET /nix HTTP/1.1\r\nHost: a\r\nAccept: {accept}\r\nConnection: close\r\n\r\n".encode())
            async with asyncio.timeout(30):
                answer = await reader.read()
            assert b" 404 " in answer
            assert kind in answer
            assert (b'<a href="/">' in answer) == (accept == "text/html")
            writer.close()
