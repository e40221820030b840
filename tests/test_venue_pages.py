"""docs/venue.md and docs/local-de-jogo.md say the same, and what they say can be typed."""

from __future__ import annotations

import asyncio
import getpass
import re
import shlex
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from broker.halls import free_port

from damas_board.app.service import serving
from damas_board.cli import _parser, main
from damas_board.cli.round_file import read_round_file
from damas_board.config import Config, read_config

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ("venue.md", "local-de-jogo.md")
SECRETS = ("hall", "olga", "ana", "hub", "screen")
EXAMPLE = "/etc/damas-board/open.toml"


def text(page: str) -> str:
    return (DOCS / page).read_text("utf-8")


def blocks(page: str) -> list[str]:
    return re.findall(r"^```toml\n(.*?)^```", text(page), re.DOTALL | re.MULTILINE)


def typed(page: str) -> list[str]:
    """What is to be typed, line by line."""
    return re.findall(
        r"^    (\S.*)$", re.sub(r"^```.*?^```", "", text(page), flags=re.DOTALL | re.MULTILINE), re.MULTILINE
    )


def commands(page: str) -> list[list[str]]:
    """The arguments of every `damas-board`, those in the middle of a sentence too."""
    lines = [*typed(page), *re.findall(r"`((?:sudo )?damas-board [^`]+)`", text(page))]
    words = [shlex.split(line.removeprefix("sudo ")) for line in lines]
    return [line[1:] for line in words if line[0] == "damas-board"]


def test_both_pages_have_the_same_sections_in_the_same_order() -> None:
    levels = [[len(mark) for mark in re.findall(r"^(#+) ", text(page), re.MULTILINE)] for page in PAGES]
    assert levels[0] == levels[1]
    assert levels[0].count(2) >= 10
    assert levels[0].count(3) >= 11


def test_both_pages_have_the_same_commands_and_the_same_tables() -> None:
    assert typed(PAGES[0]) == typed(PAGES[1])
    assert [tomllib.loads(block) for block in blocks(PAGES[0])] == [tomllib.loads(block) for block in blocks(PAGES[1])]
    ours = [re.findall(r"`([^`\n]+)`", text(page)) for page in PAGES]
    assert sorted(ours[0]) == sorted(ours[1]), "what is quoted in sentences"


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_the_page_is_one(page: str) -> None:
    found = commands(page)
    assert len(found) > 20
    for arguments in found:
        assert callable(_parser(arguments).parse_args(arguments).call), arguments


@pytest.mark.parametrize("page", PAGES)
def test_the_portuguese_and_the_english_are_not_mixed(page: str) -> None:
    prose = re.sub(r"^```.*?^```|^    .*$|`[^`]*`|\(.*?\.md\)|^\*\[.*$", "", text(page), flags=re.DOTALL | re.MULTILINE)
    others = (r"\b(the|and|board|laptop)\b", r"\b(os|uma|tabuleiro|portátil)\b")
    assert not re.search(others[PAGES.index(page) ^ 1], prose)


def configured(folder: Path, block: str) -> Config:
    for name in SECRETS:
        (folder / f"{name}.password").touch(0o600)
        (folder / f"{name}.password").write_text(f"the secret of {name}", "utf-8")
    path = folder / "open.toml"
    path.write_text(block, "utf-8")
    return read_config(path, {})


@pytest.mark.parametrize("page", PAGES)
def test_the_configuration_of_eight_boards_can_be_used(page: str, tmp_path: Path) -> None:
    config = configured(tmp_path, blocks(page)[0])
    boards = [board.header.board for board in config.boards]
    assert boards == [*(f"table-{n}" for n in range(1, 9)), "spare"]
    assert len({board.uid for board in config.boards}) == 9
    assert {login.user.name for login in config.logins} == set(SECRETS)
    made = re.search(r"for name in ([\w ]+);", text(page))
    assert made is not None
    assert tuple(made[1].split()) == SECRETS
    assert config.hub is not None
    for path in (config.journal, config.pdn, config.hub.store):
        assert path.is_relative_to("/var/lib/damas-board"), "where a service may write"


@pytest.mark.parametrize("page", PAGES)
def test_the_round_of_the_page_can_be_published(page: str, tmp_path: Path) -> None:
    config = configured(tmp_path, blocks(page)[0])
    (tmp_path / "round1.toml").write_text(blocks(page)[3], "utf-8")
    planned = read_round_file(tmp_path / "round1.toml", config.meeting, {})
    assert (planned.round, planned.publication.delay) == ("1", config.hub.terms.delay if config.hub else None)
    assert {pairing.board for pairing in planned.pairings} <= {board.header.board for board in config.boards}


@dataclass
class Walk:
    """The page's files and commands, with this machine's folders and ports in place of a venue's."""

    folder: Path
    words: dict[str, str]

    def put(self, text: str) -> str:
        for ours, theirs in self.words.items():
            text = text.replace(ours, theirs)
        return text

    async def type(self, start: str) -> int:
        """Types the line of the page that begins so, as far as it is this program's."""
        (line,) = {line for line in typed(PAGES[0]) if line.removeprefix("sudo ").startswith(f"damas-board {start}")}
        arguments = shlex.split(self.put(line.removeprefix("sudo ")))[1:]
        return await asyncio.to_thread(main, arguments)


async def test_the_walk_of_the_page_leads_to_a_round_that_is_played_and_exported(
    tmp_path: Path,
    require_program: Callable[[str], str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("DAMAS_LANG", "en")
    monkeypatch.chdir(tmp_path)
    open_toml, broker, pages, round_toml = blocks(PAGES[0])
    words = {EXAMPLE: f"{tmp_path}/open.toml", "hall.local": "localhost"}
    words |= {"/var/lib/damas-board": str(tmp_path / "state")}
    words |= {"/media/stick": str(tmp_path / "stick"), "/etc/mosquitto/certs": str(tmp_path)}
    words |= {"8883": str(free_port()), "round1.toml": str(tmp_path / "round1.toml")}
    walk = Walk(tmp_path, words)
    (line,) = (line for line in typed(PAGES[0]) if line.startswith("openssl "))
    require_program("openssl")
    made = await asyncio.create_subprocess_exec(*shlex.split(walk.put(line)), stderr=asyncio.subprocess.DEVNULL)
    assert await made.wait() == 0
    (tmp_path / "hall.key").chmod(0o600)
    (tmp_path / "round1.toml").write_text(round_toml, "utf-8")
    whole = re.sub(r"^\[broker\]\n(?:.+\n)+", broker, open_toml, flags=re.MULTILINE)
    whole = whole.replace("[hub] ", f"{pages}port = {free_port()}\n#")
    whole = re.sub(r"^uid = .*$", "sensors = false", whole, flags=re.MULTILINE)
    config = configured(tmp_path, walk.put(whole))
    out = tmp_path / "root"
    arguments = ["service", "install", str(config.path), "--output", str(out), "--mosquitto"]
    keys = ["--certificate", str(tmp_path / "hall.pem"), "--key", str(tmp_path / "hall.key")]
    assert await asyncio.to_thread(main, [*arguments, *keys]) == 0
    addition = out / "etc/mosquitto/conf.d/damas-board.conf"
    text_ = addition.read_text("utf-8").replace(" /etc/", f" {out}/etc/")
    addition.write_text(f"{text_}user {getpass.getuser()}\n", "utf-8")
    program = require_program("mosquitto")
    mosquitto = await asyncio.create_subprocess_exec(program, "-c", str(addition), stderr=asyncio.subprocess.DEVNULL)
    try:
        async with serving(config, begins=False):
            for wish in ("publish", "prepare", "start"):
                assert await walk.type(f"round {wish}") == 0, capsys.readouterr()
            assert await walk.type("round status") == 0
            assert "Ana de Lima" in capsys.readouterr().out
            for table in ("1", "2"):
                wish_ = ["round", "result", str(config.path), "1", table, "2-0", "--reason", "resigned"]
                assert await asyncio.to_thread(main, wish_) == 0
            async with asyncio.timeout(60):
                while await walk.type("round end") != 0:  # the results are on their way to the broker
                    assert "games are not over" in capsys.readouterr().err
                capsys.readouterr()
                while "Eva Cruz" not in capsys.readouterr().out:  # a look takes its time: it is no busy loop
                    await walk.type("archive standings")
            assert await walk.type("archive export") == 0
        assert list((tmp_path / "stick" / "round-1").glob("*.pdn"))
        assert await walk.type("register") == 0
        assert await walk.type(f"restore {EXAMPLE} --export /media/stick/recordings") == 0
        assert len(list((tmp_path / "stick" / "recordings").iterdir())) == 2
    finally:
        mosquitto.terminate()
        await mosquitto.wait()
