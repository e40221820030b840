"""The console's desk: gives the commands of whoever is logged in, and brings what gateways are asked for.

A command has an id that is made of all that it says, of who gives it and of a key. What a broker loses on the way is
sent again under the same id while its answer is waited for, and so is what the page asks for again under the same key:
the gateway does it once. It says in `for` whose it is, and comes too late (`expires`) for whoever has long decided
otherwise.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from damas_board.hub.console.hall import Hall
from damas_board.hub.console.people import Person
from damas_board.messages.envelope import rfc3339
from damas_board.messages.topics import DELIVERY, Kind, topic

ANSWER_SECONDS = 6.0
"""How long an answer to a command is waited for."""
PIECES_SECONDS = 20.0
"""The same for what comes in pieces, once some have come."""
AGAIN_SECONDS = 2.0
"""What has no answer is sent again."""
EXPIRY = timedelta(minutes=2)
REMEMBERED = 500
"""Commands whose answers are kept, for a page that asks again."""

Answer = Mapping[str, Any]


class NoAnswerError(RuntimeError):
    """No gateway has what was named, or it cannot be reached."""


class CommandDesk:
    """`answered` is to be told every answer that comes on the hub's own topic."""

    def __init__(self, hall: Hall, user: str, meeting: str) -> None:
        self._hall = hall
        self._user = user
        self._meeting = meeting
        self._given: OrderedDict[str, tuple[asyncio.Future[Answer], dict[str, Any]]] = OrderedDict()
        self._pieces: dict[str, _Pieces] = {}
        self._ids = count(1)
        self._token = secrets.token_hex(4)

    def answered(self, answer: Answer) -> None:
        id_ = answer.get("id")
        known = self._given.get(id_) if isinstance(id_, str) else None
        if known is not None and not known[0].done():
            known[0].set_result(answer)
        pieces = self._pieces.get(id_) if isinstance(id_, str) else None
        if pieces is not None:
            pieces.take(answer)

    async def command(
        self, person: Person, kind: Kind, target: str, do: str, arguments: Mapping[str, Any], key: str | None = None
    ) -> dict[str, Any]:
        """Give a command to a board or a game and wait: `{outcome, reason?, detail?}`. NoAnswerError where none came.

        The same under the same `key` is the same command, whose answer is given again.
        """
        said = _said(person, do, arguments)
        id_ = _id(kind, target, said, secrets.token_hex(8) if key is None else key)
        place = topic(kind, self._meeting, self._user, target)
        answer, body = self._given.get(id_) or (None, None)
        if answer is None or body is None:
            answer = asyncio.get_running_loop().create_future()
            expires = rfc3339(datetime.now(UTC) + EXPIRY)
            body = {"schema": DELIVERY[kind].schema, **said, "id": id_, "expires": expires}
            self._given[id_] = (answer, body)
            while len(self._given) > REMEMBERED:
                self._given.popitem(last=False)
        end = asyncio.get_running_loop().time() + ANSWER_SECONDS
        while not answer.done() and asyncio.get_running_loop().time() < end:
            await self._hall.reader.publish(place, body)
            await asyncio.wait([answer], timeout=AGAIN_SECONDS)
        if not answer.done():
            raise NoAnswerError
        told = answer.result()
        kept = {key: told[key] for key in ("reason", "detail") if told.get(key) is not None}
        return {"outcome": "done" if told.get("outcome") == "done" else "refused", **kept}

    def was_given(
        self, person: Person, kind: Kind, target: str, do: str, arguments: Mapping[str, Any], key: str | None = None
    ) -> bool:
        """Whether this very command was given before, under its key."""
        return key is not None and _id(kind, target, _said(person, do, arguments), key) in self._given

    async def request(self, want: str, **named: Any) -> list[Answer]:
        """Ask the gateway that has it, and wait for all pieces, in their order; a refusal is one piece."""
        id_ = f"console-{want}-{self._token}-{next(self._ids)}"
        body = {"schema": DELIVERY[Kind.REQUEST].schema, "id": id_, "want": want, **named}
        place = topic(Kind.REQUEST, self._meeting, self._user)
        pieces = self._pieces[id_] = _Pieces()
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            while not pieces.complete.is_set():
                waited = loop.time() - began
                if waited >= (PIECES_SECONDS if pieces.found else ANSWER_SECONDS):
                    break
                if not pieces.came:
                    await self._hall.reader.publish(place, body)
                pieces.came = False
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(pieces.complete.wait(), AGAIN_SECONDS)
        finally:
            del self._pieces[id_]
        if not pieces.complete.is_set():
            raise NoAnswerError
        return pieces.in_order()


class _Pieces:
    """An answer of which some has come."""

    def __init__(self) -> None:
        self.found: dict[int, Answer] = {}
        self.complete = asyncio.Event()
        self.came = False
        """Since it was looked at last."""

    def take(self, answer: Answer) -> None:
        piece, of = answer.get("piece", 1), answer.get("pieces", 1)
        if isinstance(piece, int) and isinstance(of, int):
            self.found[piece] = answer
            self.came = True
            if answer.get("outcome") != "done" or len(self.found) >= of:
                self.complete.set()

    def in_order(self) -> list[Answer]:
        return [self.found[number] for number in sorted(self.found)]


def _said(person: Person, do: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {**arguments, "do": do, "for": person.name}


def _id(kind: Kind, target: str, said: Mapping[str, Any], key: str) -> str:
    """At most 64 characters: what a gateway takes."""
    digest = hashlib.sha256(json.dumps([kind, target, said, key], sort_keys=True).encode()).hexdigest()[:20]
    return f"{said['do'].replace('_', '-')[:14]}-{said['for'][:26]}-{digest}"


def joined(pieces: Sequence[Answer], key: str) -> list[Any]:
    """The lists of `key` of all pieces, one behind the other."""
    return [item for piece in pieces for item in piece.get(key) or ()]


def text_of(pieces: Sequence[Answer]) -> str:
    return "".join(str(piece.get("text") or "") for piece in pieces)
