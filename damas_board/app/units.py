"""The files that make a machine run a configuration as a service: systemd units, a udev rule, the service's user.

Everything here is text, made from paths and names; `cli/service.py` reads the configuration and writes the files. The
comments travel with the files, so that whoever administers the machine reads there why a line is what it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HEADER = "# Written by `damas-board service install`; a change here is lost when it is written again."
STATE = Path("/var/lib/damas-board")
"""What a service writes lies here, unless the configuration says otherwise."""
GATEWAY, HUB, BRIDGE = "damas-board.service", "damas-board-hub.service", "damas-board-bridge.service"
SERIAL_GROUP = "dialout"
CAMERA_GROUP = "video"

_RADIO = re.compile(r"/dev/rfcomm\d+")
_PROGRAM = re.compile(r"[^'\"\\]+")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")


class UnitError(ValueError):
    """A path or name that cannot stand in a unit."""


@dataclass(frozen=True, slots=True)
class Command:
    """What a service runs, and as whom."""

    program: Sequence[str]
    """The program's path and its arguments."""
    user: str
    credentials: Mapping[str, Path]
    """Files that only root can read, under the names by which the service gets them."""
    writes: Sequence[Path] = ()
    """Folders beside STATE that it writes into."""
    language: str = "en"


_VIEWERS = ("# Each viewer of the public pages is an open file.", "LimitNOFILE=65536")


def quoted(text: str) -> str:
    """One word of a unit's list or command line: blanks, quotes, backslashes and `%` as systemd reads them."""
    _one_line(text)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%")
    return escaped if re.fullmatch(r"[\w/.,:=@+%-]+", escaped) else f'"{escaped}"'


def _whole(text: str) -> str:
    """A value that is the whole rest of its line: nothing but `%` is special there."""
    _one_line(text)
    return text.replace("%", "%%")


def _one_line(text: str) -> None:
    if not text or not text.isprintable():
        raise UnitError(f"{text!r} cannot stand in a unit of systemd; rename it")


def credential(path: Path) -> str:
    """The name by which a service gets a secret's file: the file's own. UnitError where systemd would not take it."""
    if not _NAME.fullmatch(path.name):
        raise UnitError(f"{path}: systemd hands over files with plain names only (letters, digits, . _ -); rename it")
    return path.name


def gateway_unit(
    command: Command, meeting: str, ports: Sequence[str] = (), *, hub: bool = False, cameras: bool = False
) -> str:
    """`damas-board run` as a service; `ports` are serial ports that are neither ttyACM nor ttyUSB.

    Of those a Bluetooth one is let in by its kind: it is there only while the radio is bound to the board. `hub`: its
    hub runs in the same process. `cameras`: cameras of this machine watch some of its tables.
    """
    radio = any(_RADIO.fullmatch(port) for port in ports)
    drivers = ["cdc_acm", "usbserial", *(["rfcomm"] if radio else []), *(["uvcvideo"] if cameras else [])]
    lines = [
        *_unit(
            f"damas_board: the boards of {meeting}",
            wants=" ".join(f"modprobe@{driver}.service" for driver in drivers),
            comment="# These drivers come first: a kind of device that the kernel does not know yet cannot be allowed.",
        ),
        *_service(command, "10min", "long journals are read again after a crash"),
        f"# The boards' serial ports belong to the group {SERIAL_GROUP}.",
        f"SupplementaryGroups={SERIAL_GROUP}",
        *([f"# And cameras to {CAMERA_GROUP}.", f"SupplementaryGroups={CAMERA_GROUP}"] if cameras else ()),
        *(_VIEWERS if hub else ()),
        "",
        f"# Of all devices only serial ports on USB{', by Bluetooth' if radio else ''}"
        f"{', and cameras' if cameras else ''} (and /dev/null and the like).",
        "DevicePolicy=closed",
        "DeviceAllow=char-ttyACM rw",
        "DeviceAllow=char-ttyUSB rw",
        *(["DeviceAllow=char-rfcomm rw"] if radio else ()),
        *(["DeviceAllow=char-video4linux rw"] if cameras else ()),
        *(f"DeviceAllow={quoted(port)} rw" for port in ports if not _RADIO.fullmatch(port)),
        "",
        *_hardening(),
        *_install(),
    ]
    return "\n".join(lines) + "\n"


def hub_unit(command: Command, meeting: str) -> str:
    """`damas-board hub` as a service: as the gateway's, without any device, and with room for viewers."""
    lines = [
        *_unit(f"damas_board: the hub of {meeting}"),
        *_service(command, "10min", "a large archive may have to be brought up to date"),
        *_VIEWERS,
        "",
        "# No devices but /dev/null and the like, and no other users than its own.",
        "PrivateDevices=yes",
        "PrivateUsers=yes",
        "",
        *_hardening(),
        *_install(),
    ]
    return "\n".join(lines) + "\n"


def bridge_unit(program: str, configuration: Path, meeting: str) -> str:
    """The bridge's own Mosquitto as a service; `configuration` stays readable by root only."""
    lines = [
        *_unit(f"damas_board: the public part of {meeting} on its way out"),
        "[Service]",
        "Type=simple",
        "# A user that exists only while the service runs; it needs nothing but its queue and its socket.",
        "DynamicUser=yes",
        f"StateDirectory={BRIDGE.removesuffix('.service')}",
        f"RuntimeDirectory={BRIDGE.removesuffix('.service')}",
        "StateDirectoryMode=0700",
        "UMask=0077",
        "# The configuration holds passwords: root hands a copy over (%d is where), which no other user can read.",
        f"LoadCredential={credential(configuration)}:{_whole(str(configuration))}",
        f"ExecStart={quoted(program)} -c %d/{credential(configuration)}",
        "Restart=always",
        "RestartSec=5",
        "",
        "PrivateDevices=yes",
        "PrivateUsers=yes",
        "",
        *_hardening(),
        *_install(),
    ]
    return "\n".join(lines) + "\n"


def mosquitto_addition() -> str:
    """What is added to the distribution's own mosquitto.service."""
    lines = [
        HEADER,
        "[Service]",
        "# Started again whatever the reason, also by the system when memory was short.",
        "Restart=always",
        "RestartSec=2",
        "# Each client is an open file.",
        "LimitNOFILE=65536",
    ]
    return "\n".join(lines) + "\n"


def _unit(description: str, *, wants: str = "", comment: str = "") -> list[str]:
    return [
        HEADER,
        "[Unit]",
        f"Description={_whole(description)}",
        "# After the network and, where this machine has them, its broker and its database.",
        "Wants=network-online.target",
        "After=network-online.target time-sync.target mosquitto.service postgresql.service",
        *([comment, f"Wants={wants}", f"After={wants}"] if wants else []),
        "# A service that fails 200 times within an hour is left alone, until `systemctl reset-failed` and `start`.",
        "StartLimitIntervalSec=1h",
        "StartLimitBurst=200",
        "",
    ]


def _service(command: Command, patience: str, reason: str) -> list[str]:
    if not _PROGRAM.fullmatch(command.program[0]):
        raise UnitError(f"{command.program[0]!r}: systemd starts no program with quotes or backslashes in its path")
    secrets = [f"LoadCredential={name}:{_whole(str(path))}" for name, path in command.credentials.items()]
    writes = [f"ReadWritePaths={quoted(str(path))}" for path in command.writes]
    if secrets:
        secrets.insert(0, "# Secrets stay root's; the service gets a copy under the same name.")
    if writes:
        writes.insert(0, "# Folders outside of it that the configuration names; they must exist, and be the user's.")
    return [
        "[Service]",
        "# The program says when it is ready, and that it is alive: after a minute of silence it is started again.",
        "Type=notify",
        "NotifyAccess=main",
        "WatchdogSec=60",
        f"# Before it is ready it may take its time: {reason}.",
        f"TimeoutStartSec={patience}",
        "TimeoutStopSec=60",
        "# The colon: a $ in the line is a dollar sign.",
        f"ExecStart=:{' '.join(quoted(word) for word in command.program)}",
        "Restart=always",
        "RestartSec=5",
        "# A wrong command line does not become right.",
        "RestartPreventExitStatus=2",
        "",
        f"User={command.user}",
        "# The journal, the games and the archive; made here, and the user's own.",
        f"StateDirectory={STATE.name}",
        "StateDirectoryMode=0750",
        f"WorkingDirectory={STATE}",
        "UMask=0027",
        *writes,
        *secrets,
        "# The language of what it says in the system's log (journalctl).",
        f"Environment=DAMAS_LANG={command.language}",
        "Environment=PYTHONDONTWRITEBYTECODE=1",
    ]


def _hardening() -> list[str]:
    return [
        "# No way to more rights than it has, which are none.",
        "NoNewPrivileges=yes",
        "CapabilityBoundingSet=",
        "AmbientCapabilities=",
        "RestrictSUIDSGID=yes",
        "# It sees the file system read-only but for the folders above, and neither homes nor others' temporary files.",
        "ProtectSystem=strict",
        "ProtectHome=yes",
        "PrivateTmp=yes",
        "# Nor other users' processes; nothing of the kernel, the clock or the host's name can be changed.",
        "ProtectProc=invisible",
        "ProtectKernelTunables=yes",
        "ProtectKernelModules=yes",
        "ProtectKernelLogs=yes",
        "ProtectControlGroups=yes",
        "ProtectClock=yes",
        "ProtectHostname=yes",
        "RestrictNamespaces=yes",
        "RestrictRealtime=yes",
        "LockPersonality=yes",
        "MemoryDenyWriteExecute=yes",
        "RemoveIPC=yes",
        "KeyringMode=private",
        "# The network and local sockets; no raw packets, no netlink.",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
        "# The system calls of an ordinary service; another one fails as if not allowed.",
        "SystemCallArchitectures=native",
        "SystemCallFilter=@system-service",
        "SystemCallFilter=~@privileged @resources",
        "SystemCallErrorNumber=EPERM",
        "",
    ]


def _install() -> list[str]:
    return ["[Install]", "WantedBy=multi-user.target"]


def system_user(name: str) -> str:
    """For systemd-sysusers: the service's own user, without a home and without a login."""
    return f'{HEADER}\nu {name} - "damas_board" {STATE} /usr/sbin/nologin\nm {name} {SERIAL_GROUP}\n'


_MAKERS: Mapping[str, str] = {
    "0403": "FTDI, USB to serial",
    "0483": "STMicroelectronics",
    "067b": "Prolific, USB to serial",
    "10c4": "Silicon Labs, USB to serial",
    "16c0": "Teensy and others",
    "1a86": "WCH, USB to serial",
    "1b4f": "SparkFun",
    "2341": "Arduino",
    "239a": "Adafruit",
    "2886": "Seeed",
    "2a03": "Arduino",
    "2e8a": "Raspberry Pi",
    "303a": "Espressif",
}
"""The USB vendor ids of microcontrollers and of USB-to-serial chips; makers of modems are not among them."""


def serial_rules() -> str:
    """The udev rule for boards: the group may use them, nothing else of the system touches them."""
    makers = "|".join(_MAKERS)
    lines = [
        HEADER,
        "# Boards are found by their own identity, at whatever port they come up: we must only be let in.",
        "",
        "# A USB device that rests to save power loses what its board says meanwhile: these stay awake. The makers:",
        *(f"#   {number}  {maker}" for number, maker in _MAKERS.items()),
        f'ACTION=="add|change", SUBSYSTEM=="usb", ENV{{DEVTYPE}}=="usb_device", ATTR{{idVendor}}=="{makers}", '
        'TEST=="power/control", ATTR{power/control}="on"',
        "",
        'ACTION=="remove", GOTO="damas_board_end"',
        'SUBSYSTEM!="tty", GOTO="damas_board_end"',
        'KERNEL!="ttyACM[0-9]*|ttyUSB[0-9]*", GOTO="damas_board_end"',
        "# The group may read and write them, all others nothing.",
        f'GROUP="{SERIAL_GROUP}", MODE="0660"',
        "# ModemManager would send its commands to find out whether a board is a telephone. A modem is left to it.",
        f'ATTRS{{idVendor}}=="{makers}", ENV{{ID_MM_DEVICE_IGNORE}}="1", ENV{{ID_MM_PORT_IGNORE}}="1"',
        'LABEL="damas_board_end"',
    ]
    return "\n".join(lines) + "\n"
