"""Which board is at which port: every port is asked once who is there, for all the boards of a gateway together.

How it works. Boards are known by their identity, ports come and go. One thread looks at the candidates; a port that has
appeared is asked by a short-lived thread of its own, since a port without a board behind it keeps one waiting for
seconds. A board that somebody waits for is handed over with its port still open (to open many boards is to restart
them), and asked again only when it has been given back. So no port ever has two openers, and two boards that swapped
ports while they were unplugged each come back to their own game.

What nobody waits for is closed again and only remembered: `asked` tells of it, and it is never taken. It is asked
again, ever more rarely, while some board is missing: what was there may have been swapped between two looks.
"""

from __future__ import annotations

import contextlib
import glob
import logging
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from threading import Condition, Event, Thread  # noqa: TID251  ports are asked side by side: the edge of the program
from types import TracebackType
from typing import Literal, Self

import serial
from serial.tools import list_ports

from damas_board.decoding import wire
from damas_board.decoding.conversation import Conversation, Ended, Greeted, Refused, Timing
from damas_board.sources.errors import BoardError
from damas_board.sources.foreign_ports import Place, place_of
from damas_board.sources.reconnection import LOOK_SECONDS, Foreign, is_local, none_foreign
from damas_board.sources.serial_port import PORT_FAULTS, open_port, read_available

log = logging.getLogger(__name__)

AGAIN_FIRST, AGAIN_LONGEST = 2.0, 60.0
"""The waits before a port is asked again while a board is missing, seconds; they double."""
ASKERS = 32
"""Ports that are asked at a time."""

State = Literal["asking", "held", "free", "in_use", "no_board", "refused"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is known of a port."""

    port: str
    state: State
    """`held`: a board of ours; `free`: a board that nobody has taken; `refused`: it cannot be opened or understood."""
    hello: wire.Hello | None = None
    error: BoardError | None = None

    @property
    def uid(self) -> str | None:
        return None if self.hello is None else self.hello.identity


def ask(path: str, timing: Timing | None = None, leaving: Event | None = None) -> tuple[serial.Serial, wire.Hello]:
    """Who is at a port, which stays open. BoardError where it cannot be opened, or no board of ours answers."""
    port = open_port(path)
    try:
        return port, _greeted(port, path, timing or Timing(), leaving or Event())
    except BaseException:
        port.close()
        raise


def _greeted(port: serial.Serial, path: str, timing: Timing, leaving: Event) -> wire.Hello:
    conversation = Conversation(time.monotonic(), timing)
    try:
        while not leaving.is_set():
            data = read_available(port)
            at = time.monotonic()
            for item in [*conversation.receive(data, at), *conversation.tick(at)]:
                match item:
                    case Greeted(_, hello):
                        return hello
                    case Refused(_, theirs, ours, firmware):
                        version = ".".join(map(str, firmware))
                        raise BoardError("version_refused", port=path, theirs=theirs, ours=ours, firmware=version)
                    case Ended(_, why, seconds):
                        raise BoardError(why, port=path, seconds=seconds)
                    case _:
                        pass
            if out := conversation.data_to_send():
                port.write(out)
    except PORT_FAULTS as error:
        raise BoardError("port_lost", port=path) from error
    raise BoardError("port_lost", port=path)


class Candidates:
    """The ports where boards may be: `named` ones, and those that match `patterns`, or (None) USB ports.

    Of the USB ports all where `everything`; else only those with the chip of a named port, so that no other device on
    the machine is sent bytes that it does not understand.
    """

    def __init__(
        self, named: Sequence[str] = (), patterns: Sequence[str] | None = None, *, everything: bool = False
    ) -> None:
        self._named = tuple(named)
        self._patterns = patterns
        self._everything = everything
        self._chips: set[tuple[int, int]] = set()

    def __call__(self) -> Sequence[str]:
        if self._patterns is not None:
            return [*self._named, *(path for pattern in self._patterns for path in sorted(glob.glob(pattern)))]
        ports = [port for port in list_ports.comports() if port.vid is not None and port.pid is not None]
        named = {os.path.realpath(name) for name in self._named}
        self._chips |= {(port.vid, port.pid) for port in ports if port.device in named}
        found = [port.device for port in ports if self._everything or (port.vid, port.pid) in self._chips]
        return [*self._named, *sorted(found)]


@dataclass(slots=True)
class _Port:
    path: str
    place: Place
    asked: Asked
    wait: float = AGAIN_FIRST
    again_at: float = 0.0


@dataclass(slots=True)
class Found:
    """A board at its port, which is open and ours until `close`."""

    path: str
    port: serial.Serial
    hello: wire.Hello
    _give_back: Callable[[], None] = field(repr=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        with contextlib.suppress(*PORT_FAULTS):  # it is gone: nothing is left to close
            self.port.close()
        self._give_back()


class Finder:
    """`with Finder(candidates) as finder:` looks for boards; its methods may be called from any thread."""

    def __init__(
        self,
        candidates: Callable[[], Iterable[str]],
        *,
        reserved: Iterable[str] = (),
        foreign: Foreign = none_foreign,
        timing: Timing | None = None,
        look: float = LOOK_SECONDS,
    ) -> None:
        """`reserved` ports are never asked: whatever board is there is somebody's. Nor are `foreign` ones, not ours."""
        self._candidates = candidates
        self._foreign = foreign
        self._left_alone: frozenset[str] = frozenset()
        self._reserved = tuple(reserved)
        self._timing = timing or Timing()
        self._look = look
        self._state = Condition()
        self._ports: dict[Place, _Port] = {}
        self._wanted: Counter[str] = Counter()
        self._offers: dict[str, Found] = {}
        self._looked = False
        self._askers = 0
        self._leaving = Event()
        self._thread: Thread | None = None

    def __enter__(self) -> Self:
        self._thread = Thread(target=self._run, name="finder", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leaving.set()
        with self._state:
            self._state.notify_all()
            offers = list(self._offers.values())
            self._offers.clear()
        for found in offers:
            found.close()
        if self._thread is not None:
            self._thread.join(self._look + 5.0)

    def asked(self) -> tuple[Asked, ...]:
        """What is known of all ports that are there, in the order of their names."""
        with self._state:
            return tuple(sorted((port.asked for port in self._ports.values()), key=lambda asked: asked.port))

    def left_alone(self) -> frozenset[str]:
        """The candidates that are there and are not asked, because they are foreign."""
        with self._state:
            return self._left_alone

    def settled(self) -> bool:
        """Whether every port that is there has been asked."""
        with self._state:
            return self._settled()

    def wait_settled(self, seconds: float) -> bool:
        """Wait until every port that is there has been asked; False where that takes longer."""
        with self._state:
            return self._state.wait_for(self._settled, seconds)

    def find(self, uid: str, leaving: Event, seconds: float | None = None) -> Found | None:
        """The board with that identity, with its port open; waits until it is there, or `leaving` is set: None.

        With `seconds` waits no longer, and not for ports to appear: BoardError where none of those that are there has
        it.
        """
        until = None if seconds is None else time.monotonic() + seconds
        with self._state:
            self._wanted[uid] += 1
            self._state.notify_all()
            try:
                while not (leaving.is_set() or self._leaving.is_set()):
                    if uid in self._offers:
                        return self._offers.pop(uid)
                    if until is not None and (self._settled(uid) or time.monotonic() >= until):
                        raise BoardError("board_missing", uid=uid)
                    self._state.wait(self._look)
                return None
            finally:
                self._wanted[uid] -= 1
                unclaimed = None if self._wanted[uid] else self._offers.pop(uid, None)
                if unclaimed is not None:
                    unclaimed.close()

    def release(self, path: str) -> None:
        """A reserved port may be asked from now on."""
        with self._state:
            self._reserved = tuple(reserved for reserved in self._reserved if reserved != path)

    def _settled(self, uid: str | None = None) -> bool:
        """Nothing is being asked, nor is to be for the board `uid`."""
        if not self._looked:
            return False
        return not any(port.asked.state == "asking" or self._is_due(port, uid) for port in self._ports.values())

    def _is_due(self, port: _Port, uid: str | None) -> bool:
        """Whether a port that is known is to be asked (again), for the board `uid`."""
        fresh = port.again_at == 0.0 and port.asked.state != "held"
        return fresh or (port.asked.state == "free" and uid is not None and port.asked.uid == uid)

    # the finder's own threads

    def _run(self) -> None:
        while not self._leaving.is_set():
            try:
                there = self._there()
            except OSError as error:
                log.warning("the ports of this machine cannot be listed: %s", error)
                there = {}
            with self._state:
                self._take_note(there)
                self._ask_those_due()
                self._looked = True
                self._state.notify_all()
                self._state.wait(self._look)

    def _there(self) -> dict[Place, str]:
        """The local candidates that are there, each under its first name."""
        with self._state:
            names = self._reserved
        reserved = {place for path in names if (place := place_of(path)) is not None}
        found: dict[Place, str] = {}
        candidates = list(self._candidates())
        foreign = self._foreign(candidates)
        for path in candidates:
            place = place_of(path) if is_local(path) and path not in foreign else None
            if place is not None and place not in reserved:
                found.setdefault(place, path)
        with self._state:
            self._left_alone = frozenset(path for path in foreign if place_of(path) is not None)
        return found

    def _take_note(self, there: dict[Place, str]) -> None:
        for place, port in list(self._ports.items()):
            if there.get(place) != port.path and port.asked.state not in ("asking", "held"):
                del self._ports[place]
        for place, path in there.items():
            if place not in self._ports:
                self._ports[place] = _Port(path, place, Asked(path, "no_board"))

    def _ask_those_due(self) -> None:
        now = time.monotonic()
        wanted = {uid for uid, count in self._wanted.items() if count > 0 and uid not in self._offers}
        for port in self._ports.values():
            state, again = port.asked.state, now >= port.again_at
            is_it = state == "free" and port.asked.uid in wanted
            fresh = port.again_at == 0.0
            if state in ("asking", "held") or self._askers >= ASKERS or not (fresh or is_it or (wanted and again)):
                continue
            port.asked = replace(port.asked, state="asking")
            self._askers += 1
            Thread(target=self._ask, args=(port,), name=f"asks {port.path}", daemon=True).start()

    def _ask(self, port: _Port) -> None:
        opened: serial.Serial | None = None
        try:
            opened, hello = ask(port.path, self._timing, self._leaving)
            asked = Asked(port.path, "free", hello)
        except BoardError as error:
            states: dict[str, State] = {"port_in_use": "in_use", "no_board": "no_board", "silent": "no_board"}
            asked = Asked(port.path, states.get(error.key, "refused"), error=error)
        except Exception as error:
            log.exception("%s: cannot be asked", port.path)
            asked = Asked(port.path, "refused", error=BoardError("port_failed", port=port.path, reason=str(error)))
        with self._state:
            self._askers -= 1
            if opened is not None and self._is_wanted(asked.uid):
                port.asked = replace(asked, state="held")
                port.wait = AGAIN_FIRST
                assert asked.uid is not None
                assert asked.hello is not None
                found = Found(port.path, opened, asked.hello, lambda: self._given_back(port))
                self._offers[asked.uid] = found
            else:
                port.asked = asked
                port.again_at = time.monotonic() + port.wait
                port.wait = min(2 * port.wait, AGAIN_LONGEST)
                if opened is not None:
                    opened.close()
            self._state.notify_all()

    def _is_wanted(self, uid: str | None) -> bool:
        return uid is not None and self._wanted[uid] > 0 and uid not in self._offers and not self._leaving.is_set()

    def _given_back(self, port: _Port) -> None:
        with self._state:
            if port.asked.state == "held":
                port.asked = Asked(port.path, "no_board")
                port.again_at = 0.0
            self._state.notify_all()
