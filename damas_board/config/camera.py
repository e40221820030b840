"""From the table [board.camera] to settings: which camera it is, what is asked of it, and what is known of its view."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from damas_board.config.settings import TableCamera
from damas_board.config.shapes import BoardTable, CameraTable
from damas_board.decoding.vision.profile import Profile, ProfileError, profile_from
from damas_board.regulations import Regulation
from damas_board.regulations.tables import Path as KeyPath
from damas_board.regulations.tables import TableError, key_lines, line_of, parse
from damas_board.sources.camera_settings import SCHEMES, CameraSettings, Keeping, kind_of, scheme_of

if TYPE_CHECKING:
    from damas_board.config.reading import Reading

PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp", ".gif", ".avif", ".heic")
"""How files end that are no video."""


def has_sensors(board: BoardTable) -> bool:
    """Whether there is a sensor board at this table: a table with a camera has one only if it says where it is."""
    told = board.port is not None or board.uid is not None or board.adapter is not None
    return board.sensors and (board.camera is None or told)


class CameraReading:
    """What of [board.camera] other tables and files decide."""

    def __init__(self, reading: Reading, index: int, board: BoardTable, table: CameraTable) -> None:
        self.reading = reading
        self.board = board
        self.table = table
        self.here: KeyPath = ("board", index)
        self.path: KeyPath = ("board", index, "camera")
        self.wrong = reading.wrong

    def camera(self, regulation: Regulation) -> TableCamera:
        """The camera and its profile; ConfigError where they do not fit the board, or each other."""
        if not has_sensors(self.board):
            self.alone()
        if regulation.variant.corner == "all":
            message = f"a camera needs squares that no piece stands on, and {regulation.name} is played on all of them"
            raise self.wrong((*self.path, "device"), message)
        profile = self.profile(regulation)
        settings = self.settings(profile)
        files = [("profile", self.reading.located(self.table.profile))]
        files += [("device", Path(settings.device))] if settings.kind == "file" else []
        return TableCamera(settings, profile, tuple(files))

    def device(self) -> str:
        """The camera's number, path or address; an address with a password in it may come from a file only."""
        table = self.table
        if table.device_file is not None:
            here = (*self.path, "device_file")
            if table.device is not None:
                raise self.wrong(here, "device_file and device are both given; one is enough")
            file = self.reading.secret_file(table.device_file)
            self.reading.private(here, file, "device_file")
            device = self.reading.content(here, file, "device_file").strip()
            if scheme_of(device) is None:
                raise self.wrong(here, f"device_file: there is no address in {file}, as rtsp://user:password@host/")
            return device
        if table.device is None:
            message = 'needs "device": a number, "/dev/v4l/by-id/...", an address or a video file'
            raise self.wrong(self.path, message, key="device")
        device = str(table.device)
        if CameraSettings(device).shown != device:
            message = (
                "device has a password in it; write the address into a file of its own and name that (device_file)"
            )
            raise self.wrong((*self.path, "device"), message)
        return device

    def alone(self) -> None:
        """A camera tells colours, of the squares that are played on, as White sees them, and no clock."""
        board = self.board
        if board.senses == "occupancy":
            message = 'a camera tells the colours of the pieces; leave senses out, or write senses = "colour"'
            raise self.wrong((*self.here, "senses"), message)
        if board.senses == "kind":
            message = 'a camera does not tell men from kings, the rules do; leave senses out, or write "colour"'
            raise self.wrong((*self.here, "senses"), message)
        if board.covers == "all":
            raise self.wrong((*self.here, "covers"), "a camera tells the squares that are played on; leave covers out")
        if board.turn:
            message = "how the camera looks at the board stands in its profile; leave turn out"
            raise self.wrong((*self.here, "turn"), message)
        if board.starts == "lever":
            message = 'starts is "lever", but a camera has none, so no game would ever begin'
            raise self.wrong((*self.here, "starts"), message, allowed=("at_once", "command", "move"))

    def settings(self, profile: Profile) -> CameraSettings:
        table, device = self.table, self.device()
        kind = kind_of(device)
        if (scheme := scheme_of(device)) is not None and scheme not in SCHEMES:
            key = "device" if table.device_file is None else "device_file"
            message = f"{key}: no stream can be read by {scheme}, only by {', '.join(SCHEMES)}"
            raise self.wrong((*self.path, key), message, allowed=SCHEMES)
        if not device:
            message = 'device is empty; write a number, "/dev/video0", an address or a video file'
            raise self.wrong((*self.path, "device"), message)
        if kind == "file" and Path(device).suffix.lower() in PICTURES:
            message = f"device: {device} is a single picture; a game needs a camera, an address or a video file"
            raise self.wrong((*self.path, "device"), message)
        if kind != "device":
            for key in ("width", "height", "fps", "exposure", "white_balance", "focus"):
                if key in table.model_fields_set:
                    message = f"{key} is asked of a camera of this machine only; what a {kind} shows it decides itself"
                    raise self.wrong((*self.path, key), message)
        if "keep_megabytes" in table.model_fields_set and table.keep is None:
            raise self.wrong((*self.path, "keep_megabytes"), 'keep_megabytes is of use with "keep", a folder, only')
        keep = None
        if table.keep is not None:
            keep = Keeping(self.reading.located(table.keep) / self.board.id, table.keep_megabytes)
        return CameraSettings(
            str(self.reading.located(device)) if kind == "file" else device,
            table.width or (profile.width if kind == "device" else None),
            table.height or (profile.height if kind == "device" else None),
            table.fps,
            table.exposure,
            table.white_balance,
            table.focus,
            keep,
        )

    def profile(self, regulation: Regulation) -> Profile:
        """What `calibrate camera` wrote; the error about it names the profile's file and line."""
        here, file = (*self.path, "profile"), self.reading.located(self.table.profile)
        if not file.exists():
            message = f"profile: there is no {file}; damas-board calibrate camera makes it"
            raise self.wrong(here, message)
        profile = read_profile(self.reading.content(here, file, "profile"), file)
        size = regulation.variant.size
        if profile.grid.size != size:
            of = f"{profile.grid.size} x {profile.grid.size}"
            message = (
                f"profile: {file} is of a board of {of} squares, but {regulation.name} is played on {size} x {size}"
            )
            raise self.wrong(here, message)
        return profile


def read_profile(text: str, file: Path) -> Profile:
    """The profile in a file's text. TableError says which line of it is wrong, and what could stand there."""
    table = parse(text, str(file))
    try:
        return profile_from(table)
    except ProfileError as error:
        line = line_of(key_lines(text), error.path)
        allowed = f"; {' or '.join(error.allowed)} is expected" if error.allowed else ""
        raise TableError(str(file), line, f"{error}{allowed}", allowed=error.allowed) from error
