"""What a preflight hears of the boards of a gateway that runs, from the broker."""

from __future__ import annotations

from damas_board.app.running_hall import RunningHall
from damas_board.broker.client import Address
from damas_board.messages.topics import Kind, topic
from damas_board.session.inputs import Input, Link, See

SEE = str(topic(Kind.BOARD_SEE, "autumn", "table-1"))
LINK = str(topic(Kind.BOARD_LINK, "autumn", "table-1"))
ROWS = "/".join(["........"] * 8)


async def heard(*messages: tuple[str, dict[str, str]]) -> list[type[Input] | str]:
    hall = RunningHall(Address("127.0.0.1", 1, "ana", ""), "autumn", "gateway")
    for text, payload in messages:
        hall._take(text, payload)
    inputs = hall.inputs("table-1")
    taken = [await anext(inputs) for _ in range(hall._inputs["table-1"].qsize())]
    return [item.state if isinstance(item, Link) else type(item) for item in taken]


async def test_what_was_seen_before_a_board_was_lost_and_is_kept_by_the_broker_is_no_sign_of_it() -> None:
    assert await heard((LINK, {"link": "lost"}), (SEE, {"see": ROWS})) == ["lost"]
    assert await heard((SEE, {"see": ROWS}), (LINK, {"link": "lost"})) == [See, "lost"]


async def test_a_board_that_is_back_is_heard_again() -> None:
    messages = ((LINK, {"link": "lost"}), (LINK, {"link": "up"}), (SEE, {"see": ROWS}))
    assert await heard(*messages) == ["lost", "back", See]
    assert await heard(messages[0], messages[2], messages[1]) == ["lost", "back", See]
