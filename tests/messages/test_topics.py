from __future__ import annotations

import pytest

from damas_board.messages.topics import (
    DELIVERY,
    Kind,
    TopicError,
    covers,
    id_fields,
    parse,
    topic,
    topic_filter,
)

TABLE = [
    ("damas/v1/autumn/gateway/gw-1/$state", Kind.GATEWAY_STATE, 1, "yes"),
    ("damas/v1/autumn/gateway/gw-1/health", Kind.GATEWAY_HEALTH, 1, "yes"),
    ("damas/v1/autumn/board/table-1/link", Kind.BOARD_LINK, 1, "yes"),
    ("damas/v1/autumn/board/table-1/info", Kind.BOARD_INFO, 1, "yes"),
    ("damas/v1/autumn/board/table-1/see", Kind.BOARD_SEE, 0, "yes"),
    ("damas/v1/autumn/board/table-1/health", Kind.BOARD_HEALTH, 0, "yes"),
    ("damas/v1/autumn/board/table-1/state", Kind.BOARD_STATE, 1, "yes"),
    ("damas/v1/autumn/board/table-1/event", Kind.BOARD_EVENT, 1, "no"),
    ("damas/v1/autumn/game/table-1-20260131-1/state", Kind.GAME_STATE, 1, "yes"),
    ("damas/v1/autumn/game/table-1-20260131-1/event", Kind.GAME_EVENT, 1, "no"),
    ("damas/v1/autumn/round/3", Kind.ROUND, 1, "yes"),
    ("damas/v1/autumn/cmd/ana/board/table-1", Kind.COMMAND_BOARD, 1, "never"),
    ("damas/v1/autumn/cmd/ana/game/g-1", Kind.COMMAND_GAME, 1, "never"),
    ("damas/v1/autumn/req/ana", Kind.REQUEST, 1, "never"),
    ("damas/v1/autumn/ack/ana", Kind.ANSWER, 1, "no"),
    ("damas/v1/autumn/public/round/3", Kind.PUBLIC_ROUND, 1, "yes"),
    ("damas/v1/autumn/public/game/g-1/state", Kind.PUBLIC_GAME_STATE, 1, "yes"),
    ("damas/v1/autumn/public/game/g-1/event", Kind.PUBLIC_GAME_EVENT, 1, "no"),
]


@pytest.mark.parametrize(("text", "kind", "qos", "retain"), TABLE)
def test_every_topic_of_the_contract_is_read_and_written(text: str, kind: Kind, qos: int, retain: str) -> None:
    found = parse(text)
    assert (found.kind, str(found), found.meeting) == (kind, text, "autumn")
    assert (found.qos, DELIVERY[kind].retain) == (qos, retain)
    assert topic(kind, "autumn", *found.ids) == found
    assert covers(topic_filter(kind, "autumn"), text)


def test_the_table_names_every_kind() -> None:
    assert {kind for _, kind, _, _ in TABLE} == set(Kind) == set(DELIVERY)


def test_ids_are_found_by_name() -> None:
    assert parse("damas/v1/autumn/cmd/ana/board/table-1").id("board") == "table-1"
    assert id_fields(Kind.COMMAND_GAME) == ("user", "game")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "damas/v1",
        "damas/v1/autumn",
        "damas/v2/autumn/round/3",
        "damas/v1/autumn/round",
        "damas/v1/autumn/round/3/",
        "damas/v1/autumn/round/3/x",
        "damas/v1/Autumn/round/3",
        "damas/v1/autumn/round/+",
        "damas/v1/autumn/round/#",
        "damas/v1/autumn/round/",
        "damas/v1/autumn/board/table_1/see",
        "damas/v1/autumn/board/table-1\n/see",
        "damas/v1/autumn/board/mesa-é/see",
        "damas/v1/autumn/board/" + "a" * 41 + "/see",
        "damas/v1/autumn/board/table-1/moves",
        "/damas/v1/autumn/round/3",
        "damas/v1//round/3",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(TopicError):
        parse(text)


@pytest.mark.parametrize("bad", ["", "A", "a b", "a/b", "+", "#", "$state", "a\n", "a" * 41])
def test_an_id_that_would_change_the_topic_is_refused(bad: str) -> None:
    with pytest.raises(TopicError, match="is refused"):
        topic(Kind.BOARD_SEE, "autumn", bad)
    with pytest.raises(TopicError, match="is refused"):
        topic(Kind.BOARD_SEE, bad, "table-1")


def test_a_topic_needs_all_its_ids() -> None:
    with pytest.raises(TopicError, match="needs 2 ids"):
        topic(Kind.COMMAND_BOARD, "autumn", "ana")


def test_a_filter_leaves_open_what_is_not_given() -> None:
    assert topic_filter(Kind.COMMAND_BOARD, "autumn", "+", "table-1") == "damas/v1/autumn/cmd/+/board/table-1"
    assert topic_filter(Kind.GAME_EVENT, "autumn") == "damas/v1/autumn/game/+/event"


@pytest.mark.parametrize(
    ("wide", "narrow", "expected"),
    [
        ("a/#", "a", True),
        ("a/#", "a/b/c", True),
        ("a/#", "a/#", True),
        ("a/+", "a/#", False),
        ("a/+", "a/b", True),
        ("a/+", "a", False),
        ("a/b", "a/+", False),
        ("a/+/c", "a/b/c", True),
        ("a/+/c", "a/b/d", False),
        ("#", "$SYS/x", False),
        ("+/x", "$SYS/x", False),
    ],
)
def test_covers_is_mqtts_matching(wide: str, narrow: str, expected: bool) -> None:
    assert covers(wide, narrow) is expected
