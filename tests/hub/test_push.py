"""Files are put to a web server: each whole, the newest, until they arrive, to no other place, holding nobody up."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import logging
import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from broker.halls import Hall, free_port
from hub.halls import LOGINS, MEETING, Gateway, hub, publish, round_of, until

from damas_board.broker.embedded import EmbeddedBroker
from damas_board.config import ConfigError, read_config
from damas_board.hub import push as push_module
from damas_board.hub.pages import Page
from damas_board.hub.push import Push, Target
from damas_board.notation.pdn import read_games


@dataclass
class Server:
    """A web server that keeps what it is put, or answers as `answers` says by path."""

    port: int = 0
    kept: dict[str, list[bytes]] = field(default_factory=dict)
    heads: list[str] = field(default_factory=list)
    answers: Callable[[str], str | None] = lambda path: "HTTP/1.1 201 Created"
    """None: it hangs."""
    hang: asyncio.Event = field(default_factory=asyncio.Event)

    @contextlib.asynccontextmanager
    async def running(self, port: int = 0, tls: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", port, ssl=tls)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            self.hang.set()
            server.close()
            await server.wait_closed()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/open/"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = int(head.lower().split("content-length:")[1].split("\r\n")[0])
            body = await reader.readexactly(length)
            method, path, _ = head.split(" ", 2)
            assert method == "PUT"
            self.heads.append(head)
            answer = self.answers(path)
            if answer is None:
                await self.hang.wait()
                return
            if " 2" in answer.split("\r\n")[-1]:
                self.kept.setdefault(path, []).append(body)
            writer.write(f"{answer}\r\nContent-Length: 0\r\n\r\n".encode())
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push_module, "FIRST_WAIT", 0.05)
    monkeypatch.setattr(push_module, "LONGEST_WAIT", 0.2)


def page(text: str) -> Page:
    return Page(text.encode(), "text/plain; charset=utf-8", f'"{text}"')


async def test_what_changed_is_put_whole_under_its_name_and_once(quick: None) -> None:
    pages = {"/feed/1.pdn": page("é"), "/api/rounds": page("[]"), "/files": page("no"), "/feed/x y.pdn": page("odd")}
    async with Server().running() as server:
        target = Target(server.url, ("feed/*", "api/*"), "ana", "sé:cret")
        async with Push(target, pages) as push:
            push.changed(pages)
            await until(lambda: len(server.kept) == 3, "the files")
            push.changed(["/feed/1.pdn"])  # and is the same
            pages["/api/rounds"] = page("[1]")
            push.changed(["/api/rounds"])
            await until(lambda: len(server.kept["/open/api/rounds.json"]) == 2, "the change")
            assert push.behind is None
    assert server.kept == {
        "/open/feed/1.pdn": ["é".encode()],
        "/open/feed/x%20y.pdn": [b"odd"],
        "/open/api/rounds.json": [b"[]", b"[1]"],
    }
    (login,) = {line for head in server.heads for line in head.split("\r\n") if line.startswith("Authorization:")}
    assert base64.b64decode(login.split()[2]).decode() == "ana:sé:cret"
    assert "Content-Type: text/plain; charset=utf-8" in server.heads[0]


async def test_a_server_that_is_away_gets_the_newest_when_it_is_back(
    quick: None, caplog: pytest.LogCaptureFixture
) -> None:
    port = free_port()
    pages = {"/feed/1.pdn": page("old"), "/feed/2.pdn": page("two")}
    server = Server()
    async with Push(Target(f"http://127.0.0.1:{port}/"), pages) as push:
        push.changed(pages)
        await until(lambda: push.behind, "the notice")
        pages["/feed/1.pdn"] = page("new")
        push.changed(["/feed/1.pdn"])
        told = push.behind
        assert told is not None
        assert (told["code"], told["files"]) == ("push_behind", ["feed/1.pdn", "feed/2.pdn"])
        assert told["since"].endswith("Z")
        await asyncio.sleep(0.5)
        assert len([r for r in caplog.records if r.levelno == logging.WARNING]) == 1  # once, not at each attempt
        async with server.running(port):
            await until(lambda: push.behind is None, "the files")
    assert server.kept == {"/feed/1.pdn": [b"new"], "/feed/2.pdn": [b"two"]}


async def test_a_file_that_is_refused_keeps_no_other_back(quick: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push_module, "FIRST_WAIT", 600.0)
    pages = {"/feed/1.pdn": page("a"), "/feed/2.pdn": page("b")}
    async with Server().running() as server:
        server.answers = lambda path: "HTTP/1.1 403 No" if path.endswith("1.pdn") else "HTTP/1.1 204 Good"
        async with Push(Target(server.url), pages) as push:
            push.changed(pages)
            await until(lambda: server.kept, "the other file")
            pages["/feed/2.pdn"] = page("c")
            push.changed(["/feed/2.pdn"])
            await until(lambda: len(server.kept["/open/feed/2.pdn"]) == 2, "the next of the other")
            told = push.behind
            assert told is not None
            assert (told["files"], told["detail"]) == (["feed/1.pdn"], "it answers 403 No")
            server.answers = lambda path: "HTTP/1.1 200 Good"
            pages["/feed/1.pdn"] = page("d")
            push.changed(["/feed/1.pdn"])
            await until(lambda: push.behind is None, "the file that was refused")
    assert server.kept["/open/feed/1.pdn"] == [b"d"]


async def test_it_goes_where_the_configuration_says_and_nowhere_else(quick: None) -> None:
    elsewhere = Server()
    async with elsewhere.running(), Server().running() as server:
        server.answers = lambda path: f"HTTP/1.1 307 Moved\r\nLocation: {elsewhere.url}"
        async with Push(Target(server.url, password="a-token"), {"/feed/1.pdn": page("a")}) as push:
            push.changed(["/feed/1.pdn"])
            await until(lambda: push.behind, "the notice")
            assert push.behind is not None
            assert elsewhere.url in push.behind["detail"]
            await until(lambda: len(server.heads) > 2, "more attempts")
    assert elsewhere.heads == []
    assert "Authorization: Bearer a-token" in server.heads[0]


@pytest.mark.parametrize("answer", ["SSH-2.0-OpenSSH\r\n", "HTTP/1.1", "HTTP/1.1 x", "HTTP/1.1 200 " + "x" * 70_000])
async def test_what_is_no_web_server_is_told(quick: None, answer: str) -> None:
    async with Server().running() as server:
        server.answers = lambda path: answer
        async with Push(Target(server.url), {"/feed/1.pdn": page("a")}) as push:
            push.changed(["/feed/1.pdn"])
            await until(lambda: push.behind, "the notice")
            assert push.behind is not None
            assert push.behind["detail"] == "what answers there is no web server"


async def test_an_answer_in_advance_is_not_the_answer(quick: None) -> None:
    async with Server().running() as server:
        server.answers = lambda path: "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 Good"
        async with Push(Target(server.url), {"/feed/1.pdn": page("a")}) as push:
            push.changed(["/feed/1.pdn"])
            await until(lambda: server.kept, "the file")
            await asyncio.sleep(0.1)
            assert push.behind is None


async def test_a_server_that_hangs_holds_nobody_up(
    quick: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The hub beside it publishes, another target gets its files, and the hub stops in time."""
    monkeypatch.setattr(push_module, "GOODBYE_SECONDS", 0.2)
    async with (
        EmbeddedBroker(LOGINS, port=0) as broker,
        Server().running() as hanging,
        Server().running() as server,
    ):
        hanging.answers = lambda path: None
        hall = Hall("embedded", broker.host, broker.port)
        targets = (Target(hanging.url), Target(server.url, ("feed/1.pdn", "livechess/*")))
        async with (
            Gateway(hall).running() as gateway,
            asyncio.timeout(60),
            hub(hall, tmp_path / "hub", push=targets) as running,
        ):
            await publish(hall, "olga", "round/1", round_of(["g-1"], delay=0))
            await gateway.start("g-1")
            await gateway.move("g-1")

            def plies() -> list[int]:
                texts = server.kept.get("/open/feed/1.pdn", [])
                return [len(next(iter(read_games(text))).plies) for text in texts]

            await until(lambda: 1 in plies(), "the move")
            await until(lambda: f"/open/livechess/{MEETING}/tournament.json" in server.kept, "the other files")
            assert not any("/2" in path or "api" in path for path in server.kept)
            assert len(hanging.heads) >= 1
            assert running.hub.health["feeds"] == []


async def test_it_is_encrypted_where_the_address_says_so(
    quick: None, tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    require_program("openssl")
    key, certificate = tmp_path / "k.pem", tmp_path / "c.pem"
    arguments = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    arguments += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    arguments += ["-keyout", str(key), "-out", str(certificate)]
    made = await asyncio.create_subprocess_exec("openssl", *arguments, stderr=asyncio.subprocess.DEVNULL)
    assert await made.wait() == 0
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(certificate, key)
    async with Server().running(tls=serving) as server:
        url = f"https://localhost:{server.port}/"
        pages = {"/feed/1.pdn": page("a")}
        async with Push(Target(url, tls=ssl.create_default_context()), pages) as push:
            push.changed(pages)
            await until(lambda: push.behind, "the notice")
            assert push.behind is not None
            assert "certificate" in push.behind["detail"].lower()
        assert server.kept == {}
        async with Push(Target(url, tls=ssl.create_default_context(cafile=certificate)), pages) as push:
            push.changed(pages)
            await until(lambda: server.kept, "the file")


SECRETS = {"TOKEN": "a-long-token-47", "ODD": "palavra-chave-á"}


def configured(folder: Path, text: str) -> tuple[Target, ...]:
    (folder / "x.toml").write_text(f'meeting = "m"\n[hub]\n{text}', "utf-8")
    config = read_config(folder / "x.toml", SECRETS)
    assert config.hub is not None
    assert SECRETS["TOKEN"] not in repr(config)
    return tuple(Target(to.url, to.files, to.user, to.password, to.tls) for to in config.hub.push)


def test_where_to_push_is_configured(tmp_path: Path) -> None:
    text = '[[hub.push]]\nurl = "https://example.org/open"\npassword_env = "TOKEN"\n'
    text += '[[hub.push]]\nurl = "http://localhost:8000/"\nfiles = ["rounds/*"]\nuser = "ana"\npassword_env = "TOKEN"\n'
    text += '[[hub.push]]\nurl = "http://10.0.0.7/"\nplain_text = true\n'
    first, second, third = configured(tmp_path, text)
    assert (first.url, first.user, first.password) == ("https://example.org/open/", None, SECRETS["TOKEN"])
    assert first.tls is not None
    assert first.wants("feed/1.pdn")
    assert not first.wants("rounds/1.pdn")
    assert (second.user, second.wants("rounds/1.pdn"), second.tls) == ("ana", True, None)
    assert (third.password, third.tls) == (None, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('url = "http://example.org/"', "beyond this machine"),
        ('url = "ftp://example.org/"', "is no address as https://example.org/open/"),
        ('url = "https://"', "is no address"),
        ('url = "https://example.org/?a=1"', "is no address"),
        ('url = "https://example.org:99999/"', "url: Port out of range"),
        ('url = "https://é.example.org/"', "is no address"),
        ('url = "https://ana:secret@example.org/"', "url has a login in it"),
        ('url = "https://example.org/"\nuser = "ana"', "the login of ana needs password_file or password_env"),
        ('url = "https://example.org/"\nuser = "a:b"\npassword_env = "TOKEN"', 'has no ":"'),
        ('url = "https://example.org/"\npassword_env = "ODD"', "a token of plain letters"),
        ('url = "https://example.org/"\npassword = "in-clear-here"', "stands here in clear"),
        ('url = "https://example.org/"\nca = "none.pem"', "none.pem cannot be used"),
        ('url = "http://localhost/"\nca = "none.pem"', "ca is of use with https:// only"),
        ('url = "https://example.org/"\nfiles = []', "files"),
    ],
)
def test_what_is_wrong_with_a_push_is_one_line_that_says_where(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        configured(tmp_path, f"[[hub.push]]\n{text}\n")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.line in (3, 4, 5, 6)


def test_what_becomes_of_setups_is_configured(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text('meeting = "m"\n[hub]\nfeed_setups = "begin_behind"\n', "utf-8")
    config = read_config(tmp_path / "x.toml", {})
    assert config.hub is not None
    assert config.hub.setups == "begin_behind"
    (tmp_path / "x.toml").write_text('meeting = "m"\n[hub]\nfeed_setups = "keep"\n', "utf-8")
    with pytest.raises(ConfigError, match="truncate"):
        read_config(tmp_path / "x.toml", {})
