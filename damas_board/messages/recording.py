"""Recordings, format 1: JSON Lines to header and inputs and back; pure, a line at a time.

The first line is the header, every other line one input. Unknown keys are ignored, an unknown `recording` number is
refused, and a time that goes back is refused. The end of a file is not an input.

Beside what an input is, it may say where it came from. `was` (see, lever, button): when the board saw it, where that
was before `at`. `event` (the same), `[uid, boot_id, seq]`: the newest of the board's own events that is in it, so that
a board which remembers what it told can be asked for what came after. `whole: true` (link back): nothing that happened
while the link was lost is missing, it follows. `by` (see, link): which of several sources that watch one board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches
from math import isfinite
from typing import Any, get_args

from damas_board.messages.json_text import JsonError, read_json
from damas_board.notation.errors import NotationError
from damas_board.notation.time_control import read_time_control
from damas_board.session.header import Header, Settings, Starts
from damas_board.session.inputs import BoardEvent, Button, ClockReading, Command, Input, Lever, Link, See, Tick
from damas_board.tracking.ghosts import Wiring

FORMAT = 1
KINDS = ("see", "lever", "clock", "button", "link", "command", "tick")
_SETTINGS = {f.name for f in fields(Settings)}
_OPTIONAL_TEXT = ("regulation_text", "start", "utc", "version", "game", "round", "table", "match", "clock", "opening")
_ALLOWED: dict[str, tuple[Any, ...]] = {
    "senses": ("occupancy", "colour", "kind"),
    "turn": (0, 90, 180, 270),
    "covers": ("playable", "all"),
    "wiring": get_args(Wiring),
    "recorded": (True, False),
    "starts": get_args(Starts),
}


TEXTS: Mapping[str, str] = {
    "empty": "the recording is empty; its first line must be the header",
    "no_json": "not JSON ({error}); a recording is one JSON object a line",
    "no_object": "not a JSON object; a recording is one JSON object a line",
    "no_header": 'the first line is no header: it has no "recording": 1',
    "other_format": "recording format {found!r} is not known here; this reads {ours}",
    "header_needs": "the header needs {key!r}, a text",
    "goes_back": "the time goes back from {last:g} to {at:g}",
    "no_time": 'an input needs "at", a number of seconds',
    "no_input": "no known input; one of {known} is expected",
    "no_input_near": "no known input; did you mean {near!r}?",
}
"""The English of what is wrong most often, by key; the keys and the names in braces are what a catalogue in another
language needs."""


class RecordingError(ValueError):
    """A recording that cannot be read; the message says which line and what was expected.

    Where `key` is one of TEXTS, `facts` fill its text.
    """

    def __init__(self, line: int, message: str, key: str | None = None, facts: Mapping[str, Any] | None = None) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.key = key
        self.facts: Mapping[str, Any] = facts or {}


def _wrong(line: int, key: str, /, **facts: Any) -> RecordingError:
    return RecordingError(line, TEXTS[key].format(**facts), key, facts)


def _object(line: int, text: str) -> dict[str, Any]:
    try:
        value = read_json(text)
    except JsonError as error:
        raise _wrong(line, "no_json", error=error) from error
    if not isinstance(value, dict):
        raise _wrong(line, "no_object")
    return value


def header_from(value: dict[str, Any], line: int = 1) -> Header:
    """The header in `value`. RecordingError names the key that is missing or wrong."""
    if "recording" not in value:
        raise _wrong(line, "no_header")
    if type(value["recording"]) is not int or value["recording"] != FORMAT:
        raise _wrong(line, "other_format", found=value["recording"], ours=FORMAT)
    for key in ("board", "regulation"):
        if not isinstance(value.get(key), str) or not value[key]:
            raise _wrong(line, "header_needs", key=key)
    chosen: dict[str, Any] = {"board": value["board"], "regulation": value["regulation"]}
    for key, allowed in _ALLOWED.items():
        if key in value:
            if not any(value[key] == known and type(value[key]) is type(known) for known in allowed):
                raise RecordingError(line, f"{key} is {value[key]!r}; allowed: {', '.join(map(repr, allowed))}")
            chosen[key] = value[key]
    for key in _OPTIONAL_TEXT:
        if value.get(key) is not None:
            if not isinstance(value[key], str):
                raise RecordingError(line, f"{key} must be a text")
            chosen[key] = value[key]
    if "clock" in chosen:
        try:
            read_time_control(chosen["clock"])
        except NotationError as error:
            raise RecordingError(line, f"clock: {error}") from error
    if isinstance(value.get("players"), dict):
        chosen["players"] = value["players"]
    settings = value.get("settings") or {}
    if not isinstance(settings, dict):
        raise RecordingError(line, "settings must be an object of names and seconds")
    try:
        times = {key: _seconds(seconds) for key, seconds in settings.items() if key in _SETTINGS}
    except ValueError as error:
        raise RecordingError(line, f"settings: {error}") from error
    if any(seconds < 0 for seconds in times.values()):
        raise RecordingError(line, "settings must be seconds, 0 or more")
    chosen["settings"] = Settings(**times)
    return Header(**chosen)


def header_object(header: Header) -> dict[str, Any]:
    """The header as the first line's object; defaults are left out."""
    body: dict[str, Any] = {"recording": FORMAT, "board": header.board, "regulation": header.regulation}
    body["senses"] = header.senses
    for key in ("turn", "covers", "wiring", "recorded", "starts"):
        if getattr(header, key) != getattr(Header("", ""), key):
            body[key] = getattr(header, key)
    for key in (*_OPTIONAL_TEXT, "players"):
        if getattr(header, key) is not None:
            body[key] = getattr(header, key)
    if header.settings != Settings():
        body["settings"] = {f.name: getattr(header.settings, f.name) for f in fields(Settings)}
    return body


def input_from(value: dict[str, Any], line: int = 0) -> Input:
    """The input in `value`. RecordingError names what is missing or wrong, and the nearest kind of input."""
    if "at" not in value:
        raise _wrong(line, "no_time")
    try:
        at = _seconds(value["at"])
    except ValueError as error:
        raise RecordingError(line, f'an input needs "at": {error}') from error
    kind = next((k for k in KINDS if k in value), None)
    if kind is None:
        near = [match for key in value for match in get_close_matches(key, KINDS, 1)]
        if near:
            raise _wrong(line, "no_input_near", near=near[0])
        raise _wrong(line, "no_input", known=", ".join(KINDS))
    content = value[kind]
    try:
        return _read(kind, content, at, value)
    except KeyError as error:
        raise RecordingError(line, f"{kind}: {error} is missing") from error
    except ValueError as error:
        raise RecordingError(line, f"{kind}: {_short(content)} is not understood ({error})") from error


def _short(content: Any) -> str:
    text = repr(content)
    return text if len(text) <= 80 else text[:77] + "..."


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("a number of seconds is expected")
    try:
        seconds = float(value)
    except OverflowError as error:
        raise ValueError("the number is too large") from error
    if not isfinite(seconds):
        raise ValueError("a finite number is expected")
    return seconds


def _side(value: Any) -> Any:
    if value not in ("white", "black"):
        raise ValueError("a side is 'white' or 'black'")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a text is expected")
    return value


def _text_or_none(value: Any) -> str | None:
    return None if value is None else _text(value)


def _object_of(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("an object is expected")
    return value


def _likelihoods(value: Any) -> dict[str, dict[str, float]]:
    """`doubt`: for each square the likelihoods of marks."""
    return {
        square: {mark: _seconds(likelihood) for mark, likelihood in _object_of(marks).items()}
        for square, marks in _object_of(value).items()
    }


def _was(value: dict[str, Any]) -> float | None:
    return None if value.get("was") is None else _seconds(value["was"])


def _event(value: Any) -> BoardEvent | None:
    if value is None:
        return None
    if not isinstance(value, list) or [type(part) for part in value] != [str, int, int]:
        raise ValueError("an event is the board's uid, its boot id and a number")
    return BoardEvent(*value)


def _read(kind: str, content: Any, at: float, value: dict[str, Any]) -> Input:
    match kind:
        case "see":
            doubt = value.get("doubt")
            return See(
                at,
                _text(content),
                _text_or_none(value.get("by")),
                _was(value),
                None if doubt is None else _likelihoods(doubt),
                value.get("unstable") is True,
                _event(value.get("event")),
            )
        case "lever":
            return Lever(at, _side(content), _was(value), _event(value.get("event")))
        case "clock":
            clock = _object_of(content)
            running = clock.get("running")
            return ClockReading(
                at, _seconds(clock["white"]), _seconds(clock["black"]), None if running is None else _side(running)
            )
        case "button":
            return Button(at, _text(content), _text(value["side"]), _was(value), _event(value.get("event")))
        case "link":
            if content not in ("lost", "back"):
                raise ValueError("a link is 'lost' or 'back'")
            reason, by = _text_or_none(value.get("reason")), _text_or_none(value.get("by"))
            return Link(at, content, reason, value.get("whole") is True, by)
        case "command":
            command = _object_of(content)
            rest = {k: v for k, v in command.items() if k not in ("do", "id", "by", "note")}
            by, note = _text_or_none(command.get("by")), _text_or_none(command.get("note"))
            return Command(at, _text(command["do"]), _text(command["id"]), rest, by, note)
        case _:
            return Tick(at)


def input_object(item: Input) -> dict[str, Any]:
    """One input as a recording line's object; `input_from` reads it back to an equal value."""
    body: dict[str, Any] = {"at": item.at}
    match item:
        case See():
            body["see"] = item.rows
            for key in ("by", "doubt"):
                if getattr(item, key) is not None:
                    body[key] = getattr(item, key)
            if item.unstable:
                body["unstable"] = True
        case Lever():
            body["lever"] = item.side
        case ClockReading():
            body["clock"] = {"white": item.white, "black": item.black, "running": item.running}
        case Button():
            body |= {"button": item.button, "side": item.side}
        case Link():
            body["link"] = item.state
            if item.reason is not None:
                body["reason"] = item.reason
            if item.whole:
                body["whole"] = True
            if item.by is not None:
                body["by"] = item.by
        case Command():
            body["command"] = {"do": item.do, "id": item.id, **item.arguments}
            for key in ("by", "note"):
                if getattr(item, key) is not None:
                    body["command"][key] = getattr(item, key)
        case Tick():
            body["tick"] = True
    if isinstance(item, See | Lever | Button):
        if item.was is not None:
            body["was"] = item.was
        if item.event is not None:
            body["event"] = list(item.event)
    return body


def read_header(lines: Iterator[str]) -> Header:
    """The header from the first line of `lines`."""
    first = next(lines, None)
    if first is None or not first.strip():
        raise _wrong(1, "empty")
    return header_from(_object(1, first))


def read_inputs(lines: Iterable[str]) -> Iterator[Input]:
    """The inputs of a recording whose header has been read; empty lines are passed over.

    RecordingError for a line that is not an input or goes back in time; everything before it has been yielded.
    """
    last = float("-inf")
    for number, text in enumerate(lines, 2):
        if not text.strip():
            continue
        item = input_from(_object(number, text), number)
        if item.at < last:
            raise _wrong(number, "goes_back", last=last, at=item.at)
        last = item.at
        yield item
