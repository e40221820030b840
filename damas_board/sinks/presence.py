"""Whether another gateway goes by our name: what is heard on our own `$state`.

Two gateways with one name would write over each other's boards, each sure that all is well. Every gateway says an
`instance` with its `online`, one that stays the same for a journal on a machine, and listens to its own topic. A live
`online` of another instance is a twin; it is answered once with our own, so that the twin hears of us too, also if it
came later. What the broker had *kept* of another instance proves nothing: that one may be long gone without a word.
"""

from __future__ import annotations

import asyncio

from damas_board.messages.json_text import JsonError, read_json

ANSWER_SECONDS = 3.0
"""How long another instance of which the broker kept an `online` may take to answer ours."""


class Presence:
    """What one gateway hears, a connection at a time."""

    def __init__(self, instance: str) -> None:
        self.instance = instance
        self.begin()

    def begin(self) -> None:
        """A new connection: what was heard before is void."""
        self.kept: str | None = None
        """Another instance that was online by what the broker kept."""
        self.twins: set[str] = set()
        """Other instances that are online now."""
        self.echoed = asyncio.Event()
        """Set when our own `online` has come back, and with it everything that was kept before."""
        self.met = asyncio.Event()
        """Set when a twin was heard."""

    def hear(self, payload: bytes, retained: bool) -> bool:
        """One message on the topic; True where our own `online` has to be said again."""
        try:
            body = read_json(payload)
        except JsonError:
            return not retained
        instance, state = (body.get("instance"), body.get("state")) if isinstance(body, dict) else (None, None)
        if instance == self.instance:
            if not retained and state == "online":
                self.echoed.set()
            return not retained and state == "offline"  # our own last will, of a connection that broke before
        if state != "online" or not isinstance(instance, str):
            return not retained
        if retained:
            self.kept = instance
            return False
        new = instance not in self.twins
        self.twins.add(instance)
        self.met.set()
        return new

    async def twin(self) -> bool:
        """Whether another one is online; waits for its answer only where the broker kept a word of it."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self.echoed.wait()
        except TimeoutError:  # we may not write or read there: nothing can be known
            return self.met.is_set()
        if self.kept is not None and not self.met.is_set():
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await self.met.wait()
            except TimeoutError:
                return False
        return self.met.is_set()
