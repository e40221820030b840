"""`damas-board service`: this machine runs a configuration by itself, from the moment it is switched on."""

from __future__ import annotations

import argparse
import os
import pwd
import re
import shutil
import socket
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import damas_board
from damas_board.app import units
from damas_board.broker import bridge
from damas_board.broker.mosquitto import ACCESS, PASSWORDS, access_file, addition, password_file, write_whole
from damas_board.cli import DONE, Commands
from damas_board.cli.errors import InputError
from damas_board.cli.mosquitto import checked_certificate, listener
from damas_board.cli.talk import say
from damas_board.cli.words import language, word
from damas_board.config import Config, read_config
from damas_board.config.exposure import on_this_machine
from damas_board.regulations.tables import Path as KeyPath

ROOT = Path("/")
SYSTEM = Path("etc/systemd/system")
SYSTEM_USERS = Path("etc/sysusers.d/damas-board.conf")
SERIAL_RULES = Path("etc/udev/rules.d/90-damas-board.rules")
BROKER = Path("etc/mosquitto/conf.d/damas-board.conf")
BROKER_FILES = Path("etc/mosquitto/damas-board")
BROKER_ADDITION = SYSTEM / "mosquitto.service.d/damas-board.conf"
SQLITE = "sqlite:///"
OWN_USER = "damas-board"
BROKER_USER = "mosquitto"
PUBLIC, PRIVATE = 0o644, 0o600
"""Who may read a file."""

_HIDDEN = tuple(Path(path) for path in ("/home", "/root", "/run/user", "/tmp", "/var/tmp"))
"""What a service with ProtectHome= and PrivateTmp= does not see."""
_READ_ONLY = tuple(Path(path) for path in ("/etc", "/usr", "/boot", "/proc", "/sys", "/dev"))
_ON_USB = re.compile(r"/dev/(ttyACM\d+|ttyUSB\d+|serial/.+|pts/\d+)")


@dataclass(frozen=True, slots=True)
class Written:
    """A file to write, below the root of a file system."""

    path: Path
    text: str
    mode: int = PUBLIC
    owner: str | None = None


def register(commands: Commands) -> None:
    parser = commands.add_parser("service", help=word("help.service"), description=word("help.service"))
    actions = parser.add_subparsers(metavar=word("help.command"), required=True)
    install = actions.add_parser("install", help=word("help.service.install"), description=word("help.service.install"))
    install.add_argument("config", metavar="CONFIG.toml", type=Path, help=word("help.run.config"))
    install.add_argument("--hub", action="store_true", help=word("help.service.hub"))
    where = install.add_mutually_exclusive_group()
    where.add_argument("--output", metavar="DIR", type=Path, help=word("help.service.output"))
    where.add_argument("--dry-run", action="store_true", help=word("help.service.dry_run"))
    install.add_argument("--user", metavar="NAME", default=OWN_USER, help=word("help.service.user"))
    install.add_argument(
        "--mosquitto", action=argparse.BooleanOptionalAction, default=None, help=word("help.service.mosquitto")
    )
    install.add_argument("--certificate", metavar="FILE", type=Path, help=word("help.mosquitto.certificate"))
    install.add_argument("--key", metavar="FILE", type=Path, help=word("help.mosquitto.key"))
    install.set_defaults(call=call)
    remove = actions.add_parser("uninstall", help=word("help.service.uninstall"))
    remove.add_argument("--output", metavar="DIR", type=Path, default=ROOT, help=word("help.service.output"))
    remove.set_defaults(call=uninstall)


def call(chosen: argparse.Namespace) -> int:
    """Writes the files and prints their paths, or with --dry-run the files; InputError where it cannot be."""
    config = read_config(chosen.config)
    if chosen.hub and config.hub is None:
        raise InputError(word("service.no_hub", file=config.path))
    if not chosen.hub and not config.boards:
        raise InputError(word("service.no_boards", file=config.path))
    try:
        files = list(_files(config, chosen))
    except ValueError as error:
        raise InputError(str(error)) from error
    if chosen.dry_run:
        for file in files:
            print(f"# {ROOT / file.path}")
            print(file.text if file.mode == PUBLIC else f"{word('service.secret')}\n")
        return DONE
    root = ROOT if chosen.output is None else chosen.output.resolve()
    if root == ROOT:
        _refuse_what_cannot_work(config, chosen, files)
    for file in files:
        _write(root, file)
        print(root / file.path)
    for step in _next_steps(config, chosen, files):
        say(step)
    return DONE


def uninstall(chosen: argparse.Namespace) -> int:
    """Removes the files that `install` wrote, and prints their paths; what the services wrote themselves stays."""
    root = chosen.output.resolve()
    places = [SYSTEM / name for name in (units.GATEWAY, units.HUB, units.BRIDGE)]
    places += [SYSTEM_USERS, SERIAL_RULES, BROKER, BROKER_ADDITION]
    places += [BROKER_FILES / name for name in (PASSWORDS, ACCESS, bridge.CONFIGURATION)]
    for place in places:
        path = root / place
        if path.is_file():
            path.unlink()
            print(path)
    return DONE


def _files(config: Config, chosen: argparse.Namespace) -> Iterator[Written]:
    command = _command(config, chosen)
    if chosen.hub:
        yield Written(SYSTEM / units.HUB, units.hub_unit(command, config.meeting))
    else:
        ports = sorted({port for board in config.boards if (port := _other_port(board.port)) is not None})
        cameras = any(board.camera is not None and board.camera.settings.kind == "device" for board in config.boards)
        unit = units.gateway_unit(command, config.meeting, ports, hub=config.hub is not None, cameras=cameras)
        yield Written(SYSTEM / units.GATEWAY, unit)
        yield Written(SERIAL_RULES, units.serial_rules())
    if chosen.user == OWN_USER:
        yield Written(SYSTEM_USERS, units.system_user(chosen.user))
    if _broker_is_here(config, chosen):
        checked_certificate(config, chosen)
        folder = ROOT / BROKER_FILES
        yield Written(BROKER, addition(folder, listener(config, chosen)))
        yield Written(BROKER_FILES / PASSWORDS, password_file(config.logins), PRIVATE, BROKER_USER)
        yield Written(BROKER_FILES / ACCESS, access_file(config.logins), PRIVATE, BROKER_USER)
        yield Written(BROKER_ADDITION, units.mosquitto_addition())
        if config.bridge is not None:
            yield from _bridge_files(config)


def _bridge_files(config: Config) -> Iterator[Written]:
    assert config.bridge is not None
    name = units.BRIDGE.removesuffix(".service")
    store, ear = Path("/var/lib") / name, Path("/run") / name / bridge.SOCKET
    place = BROKER_FILES / bridge.CONFIGURATION
    ends = (config.bridge.hall, config.bridge.public)
    yield Written(place, bridge.configuration(store, ear, config.meeting, config.gateway, *ends), PRIVATE)
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin") or "/usr/sbin/mosquitto"
    yield Written(SYSTEM / units.BRIDGE, units.bridge_unit(program, ROOT / place, config.meeting))


def _command(config: Config, chosen: argparse.Namespace) -> units.Command:
    task = "hub" if chosen.hub else "run"
    path = config.path.absolute()
    program = (sys.executable, "-I", "-m", "damas_board", task, str(path))
    outside = sorted({folder for _, _, folder in _written(config, chosen) if not folder.is_relative_to(units.STATE)})
    return units.Command(program, chosen.user, _credentials(path), outside, language())


def _written(config: Config, chosen: argparse.Namespace) -> Iterator[tuple[KeyPath, Path, Path]]:
    """What the service writes: the key that names it, the path, and the folder that it must be able to write into."""
    if not chosen.hub:
        yield ("journal", "path"), config.journal, config.journal.parent
        yield ("pdn", "folder"), config.pdn, config.pdn
        for index, board in enumerate(config.boards):
            if board.camera is not None and (keep := board.camera.settings.keep) is not None:
                yield ("board", index, "camera", "keep"), keep.folder.parent, keep.folder.parent
    if config.hub is not None:
        if config.hub.archive.startswith(SQLITE):
            archive = Path(config.hub.archive.removeprefix(SQLITE))
            yield ("hub", "archive"), archive, archive.parent
        yield ("hub", "store"), config.hub.store, config.hub.store.parent
        if config.hub.folder is not None:
            yield ("hub", "feeds"), config.hub.folder, config.hub.folder


def _credentials(path: Path) -> Mapping[str, Path]:
    """The secret files that a configuration names, by the names under which the service gets them."""
    found: dict[str, Path] = {}
    for text in _secret_files(tomllib.loads(path.read_text("utf-8-sig"))):
        file = (path.parent / Path(text).expanduser()).resolve()
        if found.setdefault(units.credential(file), file) != file:
            raise InputError(word("service.same_name", one=found[file.name], other=file))
    return found


def _secret_files(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _secret_files(value)
        elif isinstance(value, list):
            for entry in value:
                if isinstance(entry, Mapping):
                    yield from _secret_files(entry)
        elif isinstance(value, str) and (key == "key" or key.endswith("_file")):
            yield value


def _other_port(port: str | None) -> str | None:
    """A serial port of this machine that is not on USB."""
    return port if port is not None and port.startswith("/dev/") and not _ON_USB.fullmatch(port) else None


def _broker_is_here(config: Config, chosen: argparse.Namespace) -> bool:
    if config.embedded is not None:
        if chosen.mosquitto:
            raise config.wrong(("broker", "kind"), word("mosquitto.embedded"))
        return False
    if chosen.mosquitto is not None:
        return bool(chosen.mosquitto)
    host = config.address.host
    own = socket.gethostname().lower()
    return on_this_machine(host) or host.lower() in {own, f"{own}.local", socket.getfqdn().lower()}


def _refuse_what_cannot_work(config: Config, chosen: argparse.Namespace, files: list[Written]) -> None:
    """InputError where the service would not see what it needs, or a user is missing, or this is not root."""
    for problem in _problems(config, chosen):
        raise InputError(problem)
    if os.geteuid() != 0:
        raise InputError(word("service.not_root"))
    for owner in {file.owner for file in files if file.owner is not None}:
        try:
            pwd.getpwnam(owner)
        except KeyError as error:
            raise InputError(word("service.no_owner", user=owner)) from error


def _problems(config: Config, chosen: argparse.Namespace) -> Iterator[str]:
    own = Path(damas_board.__file__).resolve().parents[1]
    for path in (Path(sys.executable).absolute(), Path(sys.executable).resolve(), own):
        if _under(path, _HIDDEN):
            yield word("service.hidden_program", path=path)
    if _under(config.path.absolute(), _HIDDEN):
        yield word("service.hidden_config", path=config.path.absolute())
    for key, path, folder in _written(config, chosen):
        if _under(folder, _HIDDEN) or _under(folder, _READ_ONLY):
            example = f"{SQLITE if key[-1] == 'archive' else ''}{units.STATE / path.name}"
            yield str(config.wrong(key, word("service.read_only", key=key[-1], path=path, example=example)))
    for index, board in enumerate(config.boards):
        for name, path in () if board.camera is None else board.camera.files:
            if _under(path, _HIDDEN):
                yield str(config.wrong(("board", index, "camera", name), word("service.hidden_file", path=path)))
        code = None if board.adapter is None else board.adapter.file
        if code is not None and _under(code, _HIDDEN):
            yield str(config.wrong(("board", index, "adapter", "speaks"), word("service.hidden_file", path=code)))
    for place in config.lines:
        name = str(place[-1]) if place else ""
        if name.endswith("_env"):
            yield str(config.wrong(place, word("service.environment", key=name)))


def _under(path: Path, folders: tuple[Path, ...]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _write(root: Path, file: Written) -> None:
    path = root / file.path
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, file.text, file.mode)
    path.chmod(file.mode)
    if root == ROOT and file.owner is not None:
        shutil.chown(path, file.owner)


def _next_steps(config: Config, chosen: argparse.Namespace, files: list[Written]) -> Iterator[str]:
    if chosen.output is not None:
        yield from (word("service.would_fail", problem=problem) for problem in _problems(config, chosen))
    unit = units.HUB if chosen.hub else units.GATEWAY
    paths = {file.path for file in files}
    yield word("service.next")
    if SYSTEM_USERS in paths:
        yield "    systemd-sysusers"
    yield "    systemctl daemon-reload"
    if SERIAL_RULES in paths:
        yield "    udevadm control --reload && udevadm trigger --subsystem-match=usb --subsystem-match=tty"
    if BROKER in paths:
        yield "    systemctl restart mosquitto"
    started = [unit, *([units.BRIDGE] if SYSTEM / units.BRIDGE in paths else [])]
    yield f"    systemctl enable {' '.join(started)}"
    yield f"    systemctl restart {' '.join(started)}"
    yield f"    systemctl status {unit}; journalctl -u {unit} -f"
