"""`damas-board service` writes what makes a machine run a configuration, and takes it away again."""

from __future__ import annotations

import asyncio
import getpass
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import aiomqtt
import pytest
from broker.halls import free_port

from damas_board.broker.client import Address, client
from damas_board.cli import main, service
from damas_board.config import read_config

CONFIG = """\
meeting = "club"
[broker]
kind = "server"
host = "127.0.0.1"
port = {port}
password_file = "gw.password"
[bridge]
host = "mqtt.example.org"
user = "hall-1"
password_file = "public.password"
[journal]
path = "/var/lib/damas-board/club.sqlite"
[pdn]
folder = "/srv/games"
[[board]]
id = "table-1"
port = "/dev/ttyACM0"
regulation = "br-cbjd"
[[board]]
id = "table-2"
port = "/dev/ttyS0"
regulation = "br-cbjd"
[[user]]
name = "ana"
role = "arbiter"
password_file = "ana.password"
"""
SECRETS = ("gw", "public", "ana")
SYSTEM = "etc/systemd/system"
FILES = {
    f"{SYSTEM}/damas-board.service",
    f"{SYSTEM}/damas-board-bridge.service",
    f"{SYSTEM}/mosquitto.service.d/damas-board.conf",
    "etc/udev/rules.d/90-damas-board.rules",
    "etc/sysusers.d/damas-board.conf",
    "etc/mosquitto/conf.d/damas-board.conf",
    "etc/mosquitto/damas-board/passwords",
    "etc/mosquitto/damas-board/access.acl",
    "etc/mosquitto/damas-board/bridge.conf",
}
DEBIAN = """\
user {user}
persistence true
persistence_location {folder}/
log_dest file {folder}/mosquitto.log
include_dir {folder}/etc/mosquitto/conf.d
"""
"""The lines of Debian's own mosquitto.conf."""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DAMAS_LANG", "en")
    folder = tmp_path / "in 100% order"
    folder.mkdir()
    for name in SECRETS:
        (folder / f"{name}.password").touch(0o600)
        (folder / f"{name}.password").write_text(f"the secret of {name}", "utf-8")
    path = folder / "club.toml"
    path.write_text(CONFIG.format(port=free_port()), "utf-8")
    return path


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def install(config: Path, *more: object) -> int:
    return main(["service", "install", str(config), *map(str, more)])


def test_all_files_are_written_and_named_and_secrets_are_for_their_owner_only(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert install(config, "--output", out) == 0
    said = capsys.readouterr()
    assert files(out) == FILES
    assert set(said.out.splitlines()) == {str(out / name) for name in FILES}
    for path in (out / name for name in FILES):
        open_to_all = path.stat().st_mode & 0o004
        holds_secrets = "password" in path.name or path.name in ("access.acl", "bridge.conf")
        assert bool(open_to_all) is not holds_secrets, path
        if path.name != "bridge.conf":
            assert "the secret of" not in path.read_text("utf-8"), path
    assert "systemctl restart damas-board.service damas-board-bridge.service" in said.err


def test_the_unit_runs_this_program_with_this_file_and_gets_its_secrets(
    config: Path, tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    out = tmp_path / "out"
    assert install(config, "--output", out) == 0
    path = out / SYSTEM / "damas-board.service"
    lines = path.read_text("utf-8").splitlines()
    escaped = str(config).replace("%", "%%")
    (start,) = (line for line in lines if line.startswith("ExecStart="))
    assert start.endswith(f' -I -m damas_board run "{escaped}"')
    folder = str(config.parent).replace("%", "%%")
    for name in SECRETS:
        assert f"LoadCredential={name}.password:{folder}/{name}.password" in lines
    assert "ReadWritePaths=/srv/games" in lines, "the journal lies in the service's own folder"
    assert [line for line in lines if line.startswith("DeviceAllow=/")] == ["DeviceAllow=/dev/ttyS0 rw"]
    for name in ("damas-board", "damas-board-bridge"):
        unit = out / SYSTEM / f"{name}.service"
        done = subprocess.run(
            [require_program("systemd-analyze"), "verify", "--man=no", str(unit)],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")


async def test_mosquitto_takes_the_addition_beside_the_file_of_the_distribution(
    config: Path, tmp_path: Path, require_program: Callable[[str], str]
) -> None:
    out = tmp_path / "out"
    assert install(config, "--output", out) == 0
    addition = out / "etc/mosquitto/conf.d/damas-board.conf"
    addition.write_text(addition.read_text("utf-8").replace(" /etc/", f" {out}/etc/"), "utf-8")
    own = out / "mosquitto.conf"
    own.write_text(DEBIAN.format(user=getpass.getuser(), folder=out), "utf-8")
    process = await asyncio.create_subprocess_exec(
        require_program("mosquitto"), "-c", str(own), stderr=asyncio.subprocess.PIPE
    )
    address = read_config(config).address
    try:
        async with asyncio.timeout(60):
            while True:
                assert process.returncode is None, (out / "mosquitto.log").read_text("utf-8")
                try:
                    async with client(address) as gateway:
                        await gateway.publish("damas/v1/club/board/table-1/link", "x", qos=1, retain=True)
                    break
                except aiomqtt.MqttError:
                    await asyncio.sleep(0.05)
            async with client(Address(address.host, address.port, "ana", "the secret of ana")) as arbiter:
                await arbiter.subscribe("damas/v1/club/#", qos=1)
                assert (await anext(aiter(arbiter.messages))).payload == b"x"
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


def test_a_broker_elsewhere_gets_no_files_here(config: Path, tmp_path: Path) -> None:
    text = config.read_text("utf-8").replace('host = "127.0.0.1"', 'host = "hall.example.org"\ntls = true')
    config.write_text(text, "utf-8")
    assert install(config, "--output", tmp_path / "a") == 0
    assert not any("mosquitto" in name or "bridge" in name for name in files(tmp_path / "a"))
    pair = ("--certificate", tmp_path / "c.pem", "--key", tmp_path / "k.pem")
    assert install(config, "--output", tmp_path / "b", "--mosquitto", *pair) == 0
    assert files(tmp_path / "b") == FILES
    written = (tmp_path / "b/etc/mosquitto/conf.d/damas-board.conf").read_text("utf-8")
    assert f"certfile {tmp_path}/c.pem" in written
    assert install(config, "--output", tmp_path / "c", "--mosquitto") == 1, "TLS without a certificate"
    assert not (tmp_path / "c").exists()


def test_a_dry_run_shows_everything_but_secrets_and_writes_nothing(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(tmp_path)
    assert install(config, "--dry-run") == 0
    said = capsys.readouterr().out
    assert files(tmp_path) == before
    assert {line[3:] for line in said.splitlines() if line.startswith("# /")} == FILES
    assert "NoNewPrivileges=yes" in said
    assert "$7$" not in said
    assert "the secret of" not in said


def test_what_install_wrote_is_taken_away_and_nothing_else(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert install(config, "--output", out) == 0
    (out / SYSTEM / "other.service").touch()
    capsys.readouterr()
    assert main(["service", "uninstall", "--output", str(out)]) == 0
    assert set(capsys.readouterr().out.splitlines()) == {str(out / name) for name in FILES}
    assert files(out) == {f"{SYSTEM}/other.service"}


HUB = """\
[hub]
user = "hub"
archive = "sqlite:////srv/archive/club.sqlite"
store = "/var/lib/damas-board/publication.sqlite"
feeds = "/srv/feeds"
[[user]]
name = "hub"
role = "hub"
password_file = "hub.password"
"""


def test_a_hub_has_a_unit_of_its_own_or_shares_the_gateways(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert install(config, "--hub", "--output", tmp_path / "out") == 1
    assert "there is no [hub]" in capsys.readouterr().err
    (config.parent / "hub.password").touch(0o600)
    (config.parent / "hub.password").write_text("the secret of the hub", "utf-8")
    config.write_text(config.read_text("utf-8") + HUB, "utf-8")
    assert install(config, "--output", tmp_path / "both") == 0
    lines = (tmp_path / "both" / SYSTEM / "damas-board.service").read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith("ReadWritePaths=")] == [
        f"ReadWritePaths=/srv/{name}" for name in ("archive", "feeds", "games")
    ]
    assert "LimitNOFILE=65536" in lines
    text = config.read_text("utf-8")
    first, last = text.index("[[board]]"), text.index("[[user]]")
    config.write_text(text[:first] + text[last:], "utf-8")
    assert install(config, "--output", tmp_path / "none") == 1
    assert "give --hub" in capsys.readouterr().err
    assert install(config, "--hub", "--output", tmp_path / "hub") == 0
    unit = (tmp_path / "hub" / SYSTEM / "damas-board-hub.service").read_text("utf-8")
    assert f' hub "{config}"'.replace("%", "%%") in unit
    assert "ReadWritePaths=/srv/feeds\n" in unit
    assert "/srv/games" not in unit
    assert "DeviceAllow" not in unit
    assert "LoadCredential=hub.password:" in unit
    assert not (tmp_path / "hub" / "etc/udev").exists()


def test_two_secrets_of_one_name_are_refused(config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (config.parent / "other").mkdir()
    (config.parent / "ana.password").rename(config.parent / "other" / "gw.password")
    config.write_text(config.read_text("utf-8").replace("ana.password", "other/gw.password"), "utf-8")
    assert install(config, "--output", tmp_path / "out") == 1
    assert "other/gw.password have the same name" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("", "", "only root can write"),
        ('path = "/var/lib/damas-board/club.sqlite"', 'path = "/etc/club.sqlite"', '/var/lib/damas-board/club.sqlite"'),
        ('password_file = "ana.password"', 'password_env = "DAMAS_ANA"', "password_env: a service does not have your"),
        ('folder = "/srv/games"', 'folder = "/run/user/1000/games"', 'write folder = "/var/lib/damas-board/games"'),
    ],
)
def test_a_service_that_could_not_work_is_refused_before_anything_is_written(
    old: str, new: str, told: str, config: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(service, "ROOT", tmp_path / "root")
    monkeypatch.setattr(service, "_HIDDEN", (Path("/run/user"),))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("DAMAS_ANA", "the secret of ana")
    config.write_text(config.read_text("utf-8").replace(old, new), "utf-8")
    assert install(config) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line
    assert not (tmp_path / "root").exists()


def test_a_program_or_configuration_in_a_home_is_told_but_written_elsewhere(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_HIDDEN", (tmp_path,))
    monkeypatch.setattr(service, "ROOT", tmp_path / "root")
    assert install(config) == 1
    assert f"{config}: a service sees neither homes nor /tmp" in capsys.readouterr().err
    assert install(config, "--output", tmp_path / "out") == 0
    assert f"it will not work yet: {config}: a service sees neither" in capsys.readouterr().err
    assert files(tmp_path / "out") == FILES


def test_root_gives_mosquitto_its_files_and_another_user_is_the_machines_own(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given: list[tuple[str, str]] = []
    monkeypatch.setattr(service, "ROOT", tmp_path / "root")
    monkeypatch.setattr(service, "_HIDDEN", ())
    monkeypatch.setattr(service, "BROKER_USER", getpass.getuser())
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr("shutil.chown", lambda path, user: given.append((Path(path).name, user)))
    assert install(config, "--user", "referee") == 0
    assert sorted(given) == [("access.acl", getpass.getuser()), ("passwords", getpass.getuser())]
    assert files(tmp_path / "root") == FILES - {"etc/sysusers.d/damas-board.conf"}
    assert "User=referee" in (tmp_path / "root" / SYSTEM / "damas-board.service").read_text("utf-8")
    monkeypatch.setattr(service, "BROKER_USER", "nobody-of-this-name")
    assert install(config) == 1
    assert "no user nobody-of-this-name" in capsys.readouterr().err
