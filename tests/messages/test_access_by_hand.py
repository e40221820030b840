"""The access table once more, written by hand from design.md section 7: a slip in the table is a difference here."""

from __future__ import annotations

import pytest

from damas_board.messages.access import User, may_publish, may_receive
from damas_board.messages.topics import DELIVERY, Kind

MEETING = "autumn"
USERS = {
    "viewer": User("tv", "viewer", MEETING),
    "gateway": User("gw-1", "gateway", MEETING, boards=("table-1",), games=("g-1",)),
    "organiser": User("olga", "organiser", MEETING),
    "arbiter": User("ana", "arbiter", MEETING),
    "hub": User("hub-1", "hub", MEETING, publishes=True),
    "second": User("hub-2", "hub", MEETING),
}
HALL = "gateway* organiser arbiter hub second"
"""The hall's readers; of a gateway only what is its own (`*`)."""

# topic: who may write it, who may read it; `*` only the topic of the own name, board or game
BY_HAND = {
    "gateway/gw-1/$state": ("gateway*", HALL),
    "gateway/gw-1/health": ("gateway*", HALL),
    "board/table-1/link": ("gateway*", HALL),
    "board/table-1/info": ("gateway*", HALL),
    "board/table-1/see": ("gateway*", HALL),
    "board/table-1/health": ("gateway*", HALL),
    "board/table-1/state": ("gateway*", HALL),
    "board/table-1/event": ("gateway*", HALL),
    "game/g-1/state": ("gateway*", HALL),
    "game/g-1/event": ("gateway*", HALL),
    "round/r-1": ("organiser hub", "gateway organiser arbiter hub second"),
    "cmd/ana/board/table-1": ("arbiter*", "gateway* arbiter hub second"),
    "cmd/ana/game/g-1": ("arbiter*", "gateway* arbiter hub second"),
    "cmd/olga/board/table-1": ("organiser*", "gateway* arbiter hub second"),
    "cmd/hub-1/board/table-1": ("hub*", "gateway* arbiter hub second"),
    "cmd/hub-2/game/g-1": ("second*", "gateway* arbiter hub second"),
    "cmd/gw-1/board/table-1": ("", "gateway* arbiter hub second"),
    "cmd/tv/board/table-1": ("", "gateway* arbiter hub second"),
    "req/ana": ("arbiter*", "gateway"),
    "req/olga": ("organiser*", "gateway"),
    "req/hub-1": ("hub*", "gateway"),
    "req/tv": ("", "gateway"),
    "ack/ana": ("gateway", "arbiter*"),
    "ack/olga": ("gateway", "organiser*"),
    "ack/hub-2": ("gateway", "second*"),
    "ack/tv": ("gateway", ""),
    "public/round/r-1": ("hub", "viewer organiser arbiter hub second"),
    "public/game/g-1/state": ("hub", "viewer organiser arbiter hub second"),
    "public/game/g-1/event": ("hub", "viewer organiser arbiter hub second"),
}
ANOTHERS = {"gw-1": "gw-9", "table-1": "table-9", "g-1": "g-9"}


def names(text: str) -> set[str]:
    return {name.rstrip("*") for name in text.split()}


@pytest.mark.parametrize("tail", BY_HAND)
def test_who_may_what_is_as_it_was_written_by_hand(tail: str) -> None:
    write, read = BY_HAND[tail]
    place = f"damas/v1/{MEETING}/{tail}"
    assert {name for name, user in USERS.items() if may_publish(user, place)} == names(write)
    assert {name for name, user in USERS.items() if may_receive(user, place)} == names(read)
    for name, user in USERS.items():
        elsewhere = f"damas/v1/spring/{tail}"
        assert not may_publish(user, elsewhere), name
        assert not may_receive(user, elsewhere), name
        if DELIVERY[kind_of(tail)].retain == "never":
            assert not may_publish(user, place, retain=True), name


@pytest.mark.parametrize("tail", [tail for tail in BY_HAND if "*" in " ".join(BY_HAND[tail])])
def test_what_is_bound_to_ones_own_ends_with_anothers(tail: str) -> None:
    """The same topic of another gateway's board and game: those marked `gateway*` have no right there."""
    write, read = BY_HAND[tail]
    other = "/".join(ANOTHERS.get(level, level) for level in tail.split("/"))
    if other == tail:
        return
    place = f"damas/v1/{MEETING}/{other}"
    assert {name for name, user in USERS.items() if may_publish(user, place)} == names(write.replace("gateway*", ""))
    assert {name for name, user in USERS.items() if may_receive(user, place)} == names(read.replace("gateway*", ""))


def kind_of(tail: str) -> Kind:
    levels = tail.split("/")
    for kind in Kind:
        shape = kind.value.split("/")
        if len(shape) == len(levels) and all(s == t or s[0] == "{" for s, t in zip(shape, levels, strict=True)):
            return kind
    raise AssertionError(tail)


def test_every_kind_of_topic_was_written_by_hand() -> None:
    assert {kind_of(tail) for tail in BY_HAND} == set(Kind)
