"""`damas-board flash`: writes the firmware into a board, which keeps its identity or is given one.

Every image has four bytes for the identity, which the board says in HELLO. They are filled in here, in a copy of the
image that avrdude writes; then the board is asked who it is now.
"""

from __future__ import annotations

import argparse
import re
import secrets
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import damas_board
from damas_board.cli import DONE, Commands
from damas_board.cli.errors import InputError, line_for
from damas_board.cli.talk import say
from damas_board.cli.words import word
from damas_board.decoding import wire
from damas_board.decoding.conversation import Timing
from damas_board.decoding.intel_hex import IntelHexError, read_intel_hex, write_intel_hex
from damas_board.sources.adapters import USB_NAMES
from damas_board.sources.errors import BoardError
from damas_board.sources.finder import ask
from damas_board.sources.foreign_ports import check_ours
from damas_board.sources.reconnection import is_local

UID_AT = 0x3FFC
"""Where an image has the board's identity: four bytes, the lowest first, all FF where it is not given yet."""
UID_SIZE = 4
NO_UIDS = (0, 0xFFFFFFFF)
BAUD, OLD_BAUD = 115200, 57600
"""Of the Nano's boot loader since 2018, and of the one before."""
CONTACT_LEVELS = 2
"""A board with more levels than occupied and empty has Hall sensors."""
PROGRAMMER = "avrdude"
PROGRAMMER_SECONDS = 300.0
"""How long it may take at most; ten tries to reach a boot loader take it up to a minute."""
TIMING = Timing()
"""How long a board is waited for that does not answer."""
_NOT_REACHED = re.compile(r"not in sync|not responding")


def register(commands: Commands) -> None:
    parser = commands.add_parser("flash", help=word("help.flash"), description=word("help.flash"))
    parser.add_argument("port", metavar="PORT", help=word("help.flash.port"))
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--board", metavar="B", help=word("help.flash.board"))
    which.add_argument("--hex", metavar="FILE", type=Path, help=word("help.flash.hex"))
    parser.add_argument("--uid", metavar="U", help=word("help.flash.uid"))
    parser.add_argument("--old-bootloader", action="store_true", help=word("help.flash.old_bootloader"))
    parser.set_defaults(call=call)


def call(chosen: argparse.Namespace) -> int:
    """Writes the image and prints who the board is now; an error where it is not who it should be."""
    uid = None if chosen.uid is None else _uid(chosen.uid)
    if not is_local(chosen.port):
        raise InputError(word("flash.not_local", port=chosen.port))
    check_ours(chosen.port, USB_NAMES)
    programmer = shutil.which(PROGRAMMER)
    if programmer is None:
        raise InputError(word("flash.no_programmer"))
    before = _who_is_there(chosen.port)
    build = None if chosen.hex else chosen.board or _build_of(before, chosen.port)
    path = chosen.hex if build is None else _image_for(build)
    image = _image(path)
    uid = uid or _kept(before, chosen.port)
    image |= dict(zip(range(UID_AT, UID_AT + UID_SIZE), uid.to_bytes(UID_SIZE, "little"), strict=True))
    _write(programmer, chosen.port, path.name, write_intel_hex(image), old=chosen.old_bootloader)
    print(_as_it_is_now(chosen.port, uid, build))
    return DONE


# which board, which identity, which image


def _uid(text: str) -> int:
    try:
        uid = int(text, 16)
    except ValueError:
        uid = 0
    if not 0 < uid < 1 << 8 * UID_SIZE or uid in NO_UIDS:
        raise InputError(word("flash.bad_uid", text=text))
    return uid


def _who_is_there(port: str) -> wire.Hello | None:
    """What the board says of itself; None where none of ours answers: it may be new."""
    try:
        opened, hello = ask(port, TIMING)
    except BoardError as error:
        if error.key not in ("no_board", "silent", "version_refused"):
            raise
        say(line_for(error))
        return None
    opened.close()
    return hello


def _kept(before: wire.Hello | None, port: str) -> int:
    """The identity that the board has, or a new one."""
    if before is not None and before.uid not in NO_UIDS:
        return before.uid
    uid = secrets.randbelow(NO_UIDS[1] - 1) + 1
    say(word("flash.new_uid", port=port, uid=f"{uid:08x}"))
    return uid


def _build_of(hello: wire.Hello | None, port: str) -> str:
    """The name of the build that such a board has."""
    if hello is None:
        raise InputError(word("flash.which", port=port, boards=", ".join(_builds())))
    kind = "matrix" if hello.levels == CONTACT_LEVELS else "hall"
    return f"{kind}-{hello.places}" + ("-lights" if hello.caps & wire.Cap.LIGHTS else "")


def _folder() -> Path:
    """Where the images lie: in the installed package, or in the checkout beside it."""
    package = Path(damas_board.__file__).parent
    installed = package / "images"
    return installed if installed.is_dir() else package.parent / "firmware" / "images"


def _builds() -> list[str]:
    return sorted(path.stem for path in _folder().glob("*.hex"))


def _image_for(build: str) -> Path:
    path = _folder() / f"{build}.hex"
    if build not in _builds():
        raise InputError(word("flash.no_build", board=build, boards=", ".join(_builds())))
    return path


def _image(path: Path) -> dict[int, int]:
    """The bytes of an image of ours."""
    try:
        image = read_intel_hex(path.read_text("ascii", errors="replace"))
    except IntelHexError as error:
        raise InputError(f"{path}: {word(f'flash.hex.{error.key}', **error.facts)}") from error
    if any(image.get(address) != 0xFF for address in range(UID_AT, UID_AT + UID_SIZE)):
        raise InputError(word("flash.foreign", file=path, address=f"{UID_AT:04X}"))
    return image


# avrdude


def _write(programmer: str, port: str, name: str, text: str, *, old: bool) -> None:
    """Let avrdude write the image; where it does not reach the boot loader, at the other speed too."""
    speeds = (OLD_BAUD, BAUD) if old else (BAUD, OLD_BAUD)
    with TemporaryDirectory(prefix="damas-board-") as folder:
        file = Path(folder) / name
        file.write_text(text, "ascii")
        for baud in speeds:
            say(word("flash.writing", image=name, port=port, baud=baud))
            said = _run(programmer, port, baud, file)
            if said is None:
                return
            if not _NOT_REACHED.search(said):
                raise InputError(word("flash.failed", port=port, reason=_reason(said)))
            say(word("flash.not_reached", port=port, baud=baud))
    raise InputError(word("flash.no_bootloader", port=port))


def _run(programmer: str, port: str, baud: int, file: Path) -> str | None:
    """What avrdude said where it failed; None where it did not."""
    command = [programmer, "-p", "m328p", "-c", "arduino", "-P", port, "-b", str(baud), "-D"]
    try:
        done = subprocess.run(
            [*command, "-U", f"flash:w:{file}:i"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PROGRAMMER_SECONDS,
            text=True,
            errors="replace",
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise InputError(word("flash.slow", port=port, seconds=PROGRAMMER_SECONDS)) from error
    return done.stdout if done.returncode else None


def _reason(said: str) -> str:
    """The line that says what was wrong, of all that avrdude says."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line.lower()), lines[0] if lines else PROGRAMMER)


def _as_it_is_now(port: str, uid: int, build: str | None) -> str:
    """A line about the board behind the port. An error where it does not answer, or is another one than was written."""
    try:
        opened, hello = ask(port, TIMING)
    except BoardError as error:
        raise InputError(word("flash.silent", error=line_for(error))) from error
    opened.close()
    found = _build_of(hello, port)
    if hello.uid != uid or found != (build or found):
        now, written = f"{hello.identity} ({found})", f"{uid:08x} ({build or found})"
        raise InputError(word("flash.other", port=port, found=now, expected=written))
    return word(
        "flash.done",
        port=port,
        uid=hello.identity,
        firmware=".".join(map(str, hello.firmware)),
        board=found,
        places=hello.places,
        size=hello.geometry & 0x0F,
    )
