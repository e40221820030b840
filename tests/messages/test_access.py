from __future__ import annotations

import pytest

from damas_board.messages.access import (
    ORGANISER_COMMANDS,
    ROLES,
    TABLE,
    User,
    may_command,
    may_publish,
    may_receive,
    may_subscribe,
    rights,
)
from damas_board.messages.topics import Kind, TopicError, covers, id_fields, topic

VIEWER = User("screen", "viewer", "autumn")
GATEWAY = User("gw-1", "gateway", "autumn", boards=("table-1", "table-2"))
ORGANISER = User("olga", "organiser", "autumn")
ARBITER = User("ana", "arbiter", "autumn")
HUB = User("hub-1", "hub", "autumn", publishes=True)
SECOND_HUB = User("hub-2", "hub", "autumn")

ROOT = "damas/v1/autumn"
GAME = "table-1-20260131-1"


@pytest.mark.parametrize(
    ("user", "tail", "allowed"),
    [
        (VIEWER, "public/game/g-1/event", False),
        (VIEWER, "req/screen", False),
        (VIEWER, "cmd/screen/board/table-1", False),
        (GATEWAY, "gateway/gw-1/$state", True),
        (GATEWAY, "gateway/gw-2/$state", False),
        (GATEWAY, "gateway/gw-1/health", True),
        (GATEWAY, "gateway/gw-2/health", False),
        (GATEWAY, "board/table-1/see", True),
        (GATEWAY, "board/table-2/link", True),
        (GATEWAY, "board/table-3/see", False),
        (GATEWAY, f"game/{GAME}/event", True),
        (GATEWAY, f"game/{GAME}/state", True),
        (GATEWAY, "game/table-3-20260131-1/event", False),
        (GATEWAY, "game/table-10-20260131-1/event", False),
        (GATEWAY, "round/1", False),
        (GATEWAY, "ack/ana", True),
        (GATEWAY, "cmd/ana/board/table-1", False),
        (GATEWAY, "cmd/gw-1/board/table-1", False),
        (GATEWAY, f"public/game/{GAME}/event", False),
        (ORGANISER, "round/1", True),
        (ORGANISER, "cmd/olga/board/table-1", True),
        (ORGANISER, "cmd/ana/board/table-1", False),
        (ORGANISER, "req/olga", True),
        (ORGANISER, "board/table-1/see", False),
        (ARBITER, "cmd/ana/board/table-1", True),
        (ARBITER, f"cmd/ana/game/{GAME}", True),
        (ARBITER, "cmd/olga/board/table-1", False),
        (ARBITER, "req/ana", True),
        (ARBITER, "req/olga", False),
        (ARBITER, "ack/ana", False),
        (ARBITER, "round/1", False),
        (ARBITER, f"game/{GAME}/event", False),
        (HUB, "cmd/hub-1/board/table-1", True),
        (HUB, "cmd/ana/board/table-1", False),
        (HUB, f"public/game/{GAME}/event", True),
        (HUB, "public/round/1", True),
        (HUB, "round/1", True),
        (HUB, f"game/{GAME}/event", False),
        (SECOND_HUB, f"public/game/{GAME}/event", False),
        (SECOND_HUB, "round/1", False),
        (SECOND_HUB, "req/hub-2", True),
    ],
)
def test_who_may_write(user: User, tail: str, allowed: bool) -> None:
    assert may_publish(user, f"{ROOT}/{tail}") is allowed


@pytest.mark.parametrize(
    ("user", "tail", "allowed"),
    [
        (VIEWER, "public/game/g-1/event", True),
        (VIEWER, "public/round/1", True),
        (VIEWER, "game/g-1/event", False),
        (VIEWER, "board/table-1/see", False),
        (VIEWER, "ack/screen", False),
        (GATEWAY, "cmd/ana/board/table-1", True),
        (GATEWAY, "cmd/ana/board/table-3", False),
        (GATEWAY, f"cmd/ana/game/{GAME}", True),
        (GATEWAY, "cmd/ana/game/table-3-20260131-1", False),
        (GATEWAY, "req/ana", True),
        (GATEWAY, "round/1", True),
        (GATEWAY, "board/table-3/see", False),
        (GATEWAY, "ack/ana", False),
        (ORGANISER, "game/g-1/event", True),
        (ORGANISER, "ack/olga", True),
        (ORGANISER, "ack/ana", False),
        (ORGANISER, "cmd/ana/board/table-1", False),
        (ARBITER, "game/g-1/event", True),
        (ARBITER, "cmd/olga/board/table-1", True),
        (ARBITER, "ack/olga", False),
        (HUB, "game/g-1/state", True),
        (HUB, "ack/hub-1", True),
    ],
)
def test_who_may_read(user: User, tail: str, allowed: bool) -> None:
    assert may_receive(user, f"{ROOT}/{tail}") is allowed


@pytest.mark.parametrize("user", [VIEWER, GATEWAY, ORGANISER, ARBITER, HUB], ids=lambda user: user.role)
def test_nobody_touches_another_meeting_or_what_is_no_topic(user: User) -> None:
    for kind in Kind:
        other = str(topic(kind, "spring", *(user.name for _ in id_fields(kind))))
        assert not may_publish(user, other)
        assert not may_receive(user, other)
    for text in ("$SYS/broker/uptime", f"{ROOT}/board/table-1/see/x", f"{ROOT}/board/+/see", "#", ""):
        assert not may_publish(user, text)
        assert not may_receive(user, text)


def test_the_author_of_a_command_is_the_login() -> None:
    for user in (ORGANISER, ARBITER, HUB):
        for author in (ORGANISER, ARBITER, HUB, VIEWER, GATEWAY):
            assert may_publish(user, f"{ROOT}/cmd/{author.name}/board/table-1") is (user == author)


def test_a_retained_command_or_request_is_refused() -> None:
    assert may_publish(ARBITER, f"{ROOT}/cmd/ana/board/table-1")
    assert not may_publish(ARBITER, f"{ROOT}/cmd/ana/board/table-1", retain=True)
    assert not may_publish(ARBITER, f"{ROOT}/req/ana", retain=True)
    assert may_publish(GATEWAY, f"{ROOT}/board/table-1/see", retain=True)


def test_games_listed_by_id_are_the_only_ones_written() -> None:
    user = User("gw-1", "gateway", "autumn", boards=("table-1",), games=("final", "table-1-2026*"))
    assert may_publish(user, f"{ROOT}/game/final/event")
    assert may_publish(user, f"{ROOT}/game/{GAME}/event")
    assert not may_publish(user, f"{ROOT}/game/finals/event")
    assert not may_publish(user, f"{ROOT}/game/table-1-2027/event")


@pytest.mark.parametrize(
    ("user", "tail", "allowed"),
    [
        (VIEWER, "public/#", True),
        (VIEWER, "#", True),
        (VIEWER, "game/#", False),
        (VIEWER, "game/+/event", False),
        (VIEWER, "public/game/+/event", True),
        (VIEWER, "public/round", False),
        (VIEWER, "public/+/#", True),
        (GATEWAY, "cmd/+/board/table-1", True),
        (GATEWAY, "cmd/+/board/table-3", False),
        (GATEWAY, "public/#", False),
        (ARBITER, "game/+/event/#", True),
        (ARBITER, "ack/olga", False),
    ],
)
def test_a_subscription_that_can_deliver_nothing_is_refused(user: User, tail: str, allowed: bool) -> None:
    assert may_subscribe(user, f"{ROOT}/{tail}") is allowed


@pytest.mark.parametrize("user", [VIEWER, GATEWAY, ORGANISER, ARBITER, HUB, SECOND_HUB], ids=lambda user: user.name)
def test_the_rights_written_for_mosquitto_are_those_of_the_table(user: User) -> None:
    ids = ("screen", "gw-1", "olga", "ana", "hub-1", "hub-2", "table-1", "table-3", "g-1")
    for kind in Kind:
        fields = id_fields(kind)
        for chosen in [(a,) for a in ids] if len(fields) == 1 else [(a, b) for a in ids for b in ids]:
            text = str(topic(kind, "autumn", *chosen))
            wild = user.role == "gateway" and "game" in fields  # Mosquitto's filters cannot say table-1-*
            for action, asked in (("write", may_publish), ("read", may_receive)):
                written = any(a == action and covers(granted, text) for a, granted in rights(user))
                assert written is asked(user, text) or (wild and written)


def test_every_role_has_rows_and_every_kind_a_writer_and_a_reader() -> None:
    assert {row.role for row in TABLE} == set(ROLES)
    for action in ("write", "read"):
        assert {row.kind for row in TABLE if row.action == action} == set(Kind)


def test_an_organiser_starts_and_publishes_games_but_decides_none() -> None:
    assert {do for do in ("new_game", "start", "abort", "hold", "release") if may_command(ORGANISER, do)} == set(
        ORGANISER_COMMANDS
    )
    for do in ("result", "rewind", "stands"):
        assert not may_command(ORGANISER, do)
        assert may_command(ARBITER, do)
        assert may_command(HUB, do)
        assert not may_command(VIEWER, do)
        assert not may_command(GATEWAY, do)


def test_names_that_could_not_be_a_topic_are_no_users() -> None:
    for name in ("Ana", "a/b", "+", ""):
        with pytest.raises(TopicError):
            User(name, "arbiter", "autumn")
    with pytest.raises(TopicError):
        User("gw-1", "gateway", "autumn", boards=("+",))
    with pytest.raises(TopicError):
        User("gw-1", "gateway", "autumn", games=("a*b",))
