"""A second machine takes over: a new journal from recordings, or from what a broker and the gateways behind it tell.

A recording has everything of a game: it is fed to a new Session, and alerts and plies come out as before. Where no
gateway answers any more, the retained state of the game is all that is left: its moves are entered by command, the
result, the clocks and whether it is held too. In both ways the games keep their ids and their times, and the journal is
of a new epoch; what is published of it replaces what readers have. All of it is published again: the broker may be a
new one.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Literal, get_args

import aiomqtt

from damas_board.app.board import SessionLike
from damas_board.app.gateway import new_session, regulation_of
from damas_board.broker.client import Address, client
from damas_board.messages.entering import AUTHOR, entering, shown
from damas_board.messages.envelope import Envelope, EnvelopeError, decode
from damas_board.messages.recording import RecordingError, read_header, read_inputs
from damas_board.messages.topics import Kind, TopicError, checked_id, parse, topic, topic_filter
from damas_board.session.header import Header, Starts
from damas_board.session.inputs import Command, Input, Link, See
from damas_board.sinks.errors import SinkError
from damas_board.sinks.fresh_journal import Fed, Writing, made_of, write_journal
from damas_board.sinks.journal import FED, JOURNALLED, Journal, JournalReader
from damas_board.sinks.journal_mark import PRIVATE

log = logging.getLogger(__name__)

TAKEN_OVER = "taken_over"
"""Why the link of a board is lost of whose game only the state is known."""
QUIET_SECONDS = 1.0
"""When nothing retained has come for so long, all of it has."""
ANSWER_SECONDS = 10.0
"""How long a gateway is waited for; behind that it is gone."""
REACH_SECONDS = 10.0


class RestoreError(SinkError):
    """Games that cannot be restored; one line that says what to do."""


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A game to restore. Its header has the game's id and the wall time of `at` 0."""

    header: Header
    inputs: Sequence[Input]
    source: Literal["recording", "state"]
    state: Mapping[str, Any] | None = None

    @property
    def game(self) -> str:
        return self.header.game or ""


@dataclass(frozen=True, slots=True)
class RestoredGame:
    """What became of it: `plies` as the new journal has them."""

    game: str
    board: str
    plies: int
    inputs: int
    source: Literal["recording", "state"]
    result: str | None


def recorded_game(lines: Iterable[str], name: str) -> KnownGame:
    """The game of a recording (format 1). RestoreError names the file `name` where it cannot be used."""
    given = iter(lines)
    try:
        header = read_header(given)
        inputs = tuple(read_inputs(given))
    except RecordingError as error:
        raise RestoreError("restore_recording", name=name, reason=str(error)) from error
    if header.game is None:
        raise RestoreError("restore_no_id", name=name)
    try:
        checked_id(header.game, "game")
        regulation_of(header)
    except (TopicError, ValueError) as error:
        raise RestoreError("restore_recording", name=name, reason=str(error)) from error
    return KnownGame(header, inputs, "recording")


def shown_game(kept: Envelope, own: Header) -> KnownGame:
    """The game of a retained state, on a board that is set up as `own` says."""
    state = kept.body
    regulation = str(state.get("regulation", own.regulation))
    at = state.get("at", 0.0)
    seconds = float(at) if isinstance(at, int | float) else 0.0
    began = datetime.fromisoformat(kept.ts).timestamp() - seconds
    header = replace(
        own,
        game=kept.game,
        regulation=regulation,
        regulation_text=own.regulation_text if regulation == own.regulation else None,
        start=_text(state.get("start")),
        players=state.get("players"),
        clock=_text(state.get("time_control")),
        round=_text(state.get("round")),
        table=_text(state.get("table")) or own.table,
        match=_text(state.get("match")),
        starts=_starts(state.get("waits_for")),
        opening=None,
        utc=datetime.fromtimestamp(began, UTC).isoformat(timespec="milliseconds"),
    )
    return KnownGame(header, (), "state", {**state, "at": seconds})


def _starts(waits_for: Any) -> Starts:
    """What the game waits for still; one that has begun is begun at once."""
    return next((known for known in get_args(Starts) if known == waits_for), "at_once")


def rebuild(path: Path, games: Sequence[KnownGame]) -> list[RestoredGame]:
    """A new journal at `path` with these games. RestoreError where there is one that has games, or none are given."""
    if not games:
        raise RestoreError("restore_nothing", path=str(path))
    seen: set[str] = set()
    for known in games:
        if known.game in seen:
            raise RestoreError("restore_twice", game=known.game)
        seen.add(known.game)
    utc = min((known.header.utc for known in games if known.header.utc), default=None, key=_moment)
    zero = utc or datetime.now(UTC).isoformat(timespec="milliseconds")
    restored: list[RestoredGame] = []
    with Journal.open(path) as former:
        if former.games():
            raise RestoreError("restore_over", path=str(path))
        epoch = former.epoch + 1

    def fill(connection: Any) -> None:
        restored.extend(_filled(Writing(connection), games, zero))

    part = path.with_name(path.name + "-restoring")
    write_journal(part, zero, epoch, fill)
    for suffix in ("-wal", "-shm", "-mark"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    os.replace(part, path)
    return restored


def _filled(writing: Writing, games: Sequence[KnownGame], zero: str) -> Iterator[RestoredGame]:
    """Write the games in the order of their beginnings, their inputs in the order of all times."""
    entries: list[tuple[float, str, str, Fed]] = []
    begun = sorted(((_beginning(known) + _shift(known.header, zero), known) for known in games), key=lambda one: one[0])
    found = []
    for at, known in begun:
        shift = _shift(known.header, zero)
        header = replace(known.header, utc=None)
        writing.game(known.game, at, header)
        session = new_session(header)
        made = list(_made(session, known, shift))
        entries += [(fed.item.at, header.board, known.game, fed) for fed in made]
        over = session.state.over
        result = None if over is None else over.result
        found.append(RestoredGame(known.game, header.board, len(session.state.moves), len(made), known.source, result))
    for _, board, game, fed in sorted(entries, key=lambda entry: entry[0]):
        number = writing.input(board, game, fed.item, fed.state)
        for body in fed.events or ():
            writing.event(board, f"game/{game}", body, of=number, made_by="session", sent=0)
    yield from found


def _made(session: SessionLike, known: KnownGame, shift: float) -> Iterator[Fed]:
    """The inputs and their events. Behind an input that no Session survives they are only journalled."""
    running = True
    items = known.inputs if known.state is None else _entered(session, known, known.state)
    for item in items:
        placed = _moved(item, shift) if shift else item
        bodies = made_of(session, placed) if running else None
        running = bodies is not None
        yield Fed(placed, FED if running else JOURNALLED, bodies)


def _moved(item: Input, by: float) -> Input:
    at = round(item.at + by, 6)
    if isinstance(item, See) and item.was is not None:
        return replace(item, at=at, was=round(item.was + by, 6))
    return replace(item, at=at)


def _entered(session: SessionLike, known: KnownGame, state: Mapping[str, Any]) -> Iterator[Input]:
    """What makes a Session's game that of a retained state: one input after the other, as it is fed them."""
    at = float(state["at"])
    yield Link(at, "lost", TAKEN_OVER)
    ids = (f"restored-{number}" for number in count(1))
    variant = regulation_of(known.header).variant
    told = replace(shown(state), over=None)
    yield from entering(session.state, told, at, ids, variant)
    clock = state.get("clock")
    if isinstance(clock, Mapping) and session.state.over is None:
        times = {side: clock.get(side) for side in ("white", "black")}
        yield Command(at, "set_clock", next(ids), times, AUTHOR)
    yield from entering(session.state, shown(state), at, ids, variant)
    if state.get("held"):
        yield Command(at, "hold", next(ids), {}, AUTHOR)


def _beginning(known: KnownGame) -> float:
    if known.state is not None:
        return float(known.state["at"])
    return known.inputs[0].at if known.inputs else 0.0


def _shift(header: Header, zero: str) -> float:
    """From the game's own scale of time to that of the journal, seconds."""
    return 0.0 if header.utc is None else (_moment(header.utc) - _moment(zero))


def _moment(utc: str | None) -> float:
    return 0.0 if utc is None else datetime.fromisoformat(utc).timestamp()


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _privately(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE)


def exported(journal: JournalReader, folder: Path) -> Iterator[Path]:
    """Each game of a journal as a recording `{game}.jsonl`, replaced as a whole; OSError where that is not possible.

    Only its owner may read it: the names in it are those of the hall.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for game in journal.games():
        path = folder / f"{game.game}.jsonl"
        part = path.with_suffix(".jsonl.part")
        part.unlink(missing_ok=True)
        with open(part, "w", encoding="utf-8", opener=_privately) as opened:
            opened.writelines(f"{line}\n" for line in journal.export(game.game))
        os.replace(part, path)
        yield path


# --- from a broker


async def games_behind(address: Address, meeting: str, boards: Sequence[Header]) -> list[KnownGame]:
    """The games of these boards that a broker has a state of, each as complete as it can be had.

    RestoreError where the broker is not reached, or refuses the login.
    """
    try:
        async with asyncio.timeout(REACH_SECONDS) as reach, client(address) as connected:
            reach.reschedule(None)
            return await _Asking(connected, address.user, meeting, boards).games()
    except (aiomqtt.MqttError, TimeoutError) as error:
        broker = f"{address.host}:{address.port}"
        raise RestoreError("restore_broker", broker=broker, login=address.user, reason=str(error) or "-") from error


class _Asking:
    def __init__(self, connected: aiomqtt.Client, user: str, meeting: str, boards: Sequence[Header]) -> None:
        self._client = connected
        self._user = user
        self._meeting = meeting
        self._boards = {header.board: header for header in boards}
        self._states: dict[str, Envelope] = {}
        self._pieces: dict[str, dict[int, Mapping[str, Any]]] = {}

    async def games(self) -> list[KnownGame]:
        for kind, ids in ((Kind.ANSWER, (self._user,)), (Kind.GAME_STATE, ())):
            await self._client.subscribe(topic_filter(kind, self._meeting, *ids), qos=1)
        await self._until(lambda: False, QUIET_SECONDS)
        found, silent = [], set()
        for number, (game, kept) in enumerate(sorted(self._states.items())):
            own = self._boards.get(kept.board or "")
            if own is None:
                continue
            text = None if own.board in silent else await self._recording(f"restore-{number}", game)
            if text is None:
                silent.add(own.board)
            found.append(shown_game(kept, own) if text is None else recorded_game(text.splitlines(), game))
        return found

    async def _recording(self, id_: str, game: str) -> str | None:
        """The recording of a game, None where no gateway has it."""
        body = {"id": id_, "want": "recording", "game": game}
        await self._client.publish(str(topic(Kind.REQUEST, self._meeting, self._user)), json.dumps(body), qos=1)
        pieces = self._pieces.setdefault(id_, {})

        def complete() -> bool:
            return any(len(pieces) == piece.get("pieces", 1) for piece in pieces.values())

        await self._until(complete, ANSWER_SECONDS)
        if not complete() or any(piece.get("outcome") != "done" for piece in pieces.values()):
            return None
        return "".join(str(pieces[number].get("text", "")) for number in sorted(pieces))

    async def _until(self, enough: Callable[[], bool], seconds: float) -> None:
        """Take messages until there are enough, or none has come for so many seconds."""
        messages = aiter(self._client.messages)
        while not enough():
            try:
                async with asyncio.timeout(seconds):
                    message = await anext(messages)
            except TimeoutError:
                return
            self._take(message)

    def _take(self, message: aiomqtt.Message) -> None:
        payload = message.payload
        if not payload or not isinstance(payload, bytes):
            return
        try:
            place = parse(str(message.topic))
            if place.kind is Kind.GAME_STATE:
                self._states[place.id("game")] = replace(decode(payload), game=place.id("game"))
            else:
                answer = json.loads(payload)
                self._pieces.setdefault(str(answer["id"]), {})[int(answer.get("piece") or 1)] = answer
        except (TopicError, EnvelopeError, ValueError, KeyError, TypeError) as error:
            log.warning("a message on %s cannot be used: %s", message.topic, error)
