"""What every source is: a device, or something in its place, that gives inputs and knows no rules."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from damas_board.session.inputs import Button, Input, Lever, See

KEPT_ROWS = 64
"""So many rows before the last ones are kept, for boards that know only what they have shown, and not when."""


class Source(Protocol):
    """`async with source` opens it, `async for item in source` gives its inputs, in the order they happened.

    Opening raises an error of the source's own where the device is not there at all or is something else. After that a
    source never raises for its hardware: a connection that goes and comes back is `Link` inputs. The iteration ends
    where there is nothing more to come; the block may be left at any time, also while an input is awaited.
    """

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def __aiter__(self) -> AsyncIterator[Input]: ...


@runtime_checkable
class Resumable(Protocol):
    """A source whose device remembers what happened while nobody listened."""

    def go_on_from(self, known: See, before: Sequence[str] = ()) -> None:
        """Call before the source is opened: `known` is the last reading that came of it, with its `event`.

        `before`: the rows that came before it, each other than the next, the newest last.
        If the device still knows all that came after, the stream begins with a Link that is back and `whole`, and goes
        on with what was missed; else as without this.
        """


def known_after(known: See | None, item: Input) -> See | None:
    """The reading, and the event, from which a device would have to go on behind `item`; `known` behind those before.

    None where it cannot: nothing has been read yet.
    """
    match item:
        case See(event=event) if event is not None:
            return item
        case Lever(event=event) | Button(event=event) if event is not None:
            here = known is not None and known.event is not None and known.event[:2] == event[:2]
            return replace(known, at=item.at, was=item.was, event=event) if known is not None and here else None
        case _:
            return known


def rows_before(before: tuple[str, ...], known: See | None, after: See | None) -> tuple[str, ...]:
    """What had come before `after`, the newest last, where that was `before` before `known`."""
    if known is None or after is None or known.event is None or after.event is None:
        return ()
    if known.event.uid != after.event.uid:
        return ()
    return before if after.rows == known.rows else (*before, known.rows)[-KEPT_ROWS:]
