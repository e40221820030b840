"""Who may write and read which topics: the one access table.

The embedded broker asks `may_publish`, `may_subscribe` and `may_receive`; Mosquitto gets `rights` written out as its
ACL file. A row says for a role what it may do with topics of a kind, and which ids may stand there:

- `{user}` is the login itself, so that the author of a command cannot be forged, and a gateway's id is its login;
- `{board}` and `{game}` are those listed for a gateway;
- everything else is any id.

A gateway names its games `{board}-{date}-{n}`, so a list of games may hold `table-1-*`. Mosquitto knows only whole
levels: there such an entry becomes "any game", the one place where the two brokers differ. Games listed by their full
id are held on both.

The hub that publishes may write rounds, because it carries the work of the organiser who is logged in to its console;
the payload's `by` says who that is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

from damas_board.messages.topics import DELIVERY, ROOT, Kind, TopicError, checked_id, covers, filled, id_fields, parse

Role = Literal["viewer", "gateway", "organiser", "arbiter", "hub"]
Action = Literal["write", "read"]
ROLES: tuple[Role, ...] = get_args(Role)

ORGANISER_COMMANDS = frozenset({"new_game", "start", "abort", "hold", "release"})
"""Of the commands, those that an organiser may give; an arbiter and a hub may give all."""


@dataclass(frozen=True, slots=True)
class User:
    """A login of one meeting. `boards` and `games` are what a gateway writes; an entry of `games` may end in `*`."""

    name: str
    role: Role
    meeting: str
    boards: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    publishes: bool = False
    """Whether this hub writes the public copy: the only one in the meeting that does."""

    def __post_init__(self) -> None:
        checked_id(self.name, "user")
        checked_id(self.meeting, "meeting")
        for board in self.boards:
            checked_id(board, "board")
        for game in self.games:
            if game != "*":
                checked_id(game.removesuffix("*"), "game")

    @property
    def written_games(self) -> tuple[str, ...]:
        """The games listed, or all that the listed boards name themselves."""
        return self.games or tuple(f"{board}-*" for board in self.boards)


@dataclass(frozen=True, slots=True)
class Row:
    """`role` may `action` the topics of `kind`; `own` are the ids that are bound to the user (see the module)."""

    role: Role
    action: Action
    kind: Kind
    own: frozenset[str] = frozenset()
    publisher: bool = False
    """Only where the user `publishes`."""


def _rows(role: Role, action: Action, *kinds: Kind, own: str = "", publisher: bool = False) -> tuple[Row, ...]:
    bound = frozenset(own.split())
    return tuple(Row(role, action, kind, bound & frozenset(id_fields(kind)), publisher) for kind in kinds)


_PUBLIC = (Kind.PUBLIC_ROUND, Kind.PUBLIC_GAME_STATE, Kind.PUBLIC_GAME_EVENT)
_BOARD = (
    Kind.BOARD_LINK,
    Kind.BOARD_INFO,
    Kind.BOARD_SEE,
    Kind.BOARD_HEALTH,
    Kind.BOARD_STATE,
    Kind.BOARD_EVENT,
)
_GAME = (Kind.GAME_STATE, Kind.GAME_EVENT)
_COMMAND = (Kind.COMMAND_BOARD, Kind.COMMAND_GAME)
_GATEWAY = (Kind.GATEWAY_STATE, Kind.GATEWAY_HEALTH)
_HALL = (*_GATEWAY, *_BOARD, *_GAME, Kind.ROUND, *_PUBLIC)

TABLE: tuple[Row, ...] = (
    *_rows("viewer", "read", *_PUBLIC),
    *_rows("gateway", "write", *_GATEWAY, *_BOARD, *_GAME, own="gateway board game"),
    *_rows("gateway", "write", Kind.ANSWER),
    # One that takes over asks the one that it takes over from.
    *_rows("gateway", "write", Kind.REQUEST, own="user"),
    *_rows("gateway", "read", Kind.ANSWER, own="user"),
    *_rows("gateway", "read", *_COMMAND, own="board game"),
    *_rows("gateway", "read", Kind.REQUEST, Kind.ROUND),
    # What a gateway writes it may read: a denied publication is acknowledged like any other, so it looks for its own.
    *_rows("gateway", "read", *_GATEWAY, *_BOARD, *_GAME, own="gateway board game"),
    *_rows("organiser", "write", Kind.ROUND),
    *_rows("organiser", "write", *_COMMAND, Kind.REQUEST, own="user"),
    *_rows("organiser", "read", *_HALL),
    *_rows("organiser", "read", Kind.ANSWER, own="user"),
    *_rows("arbiter", "write", *_COMMAND, Kind.REQUEST, own="user"),
    *_rows("arbiter", "read", *_HALL, *_COMMAND),
    *_rows("arbiter", "read", Kind.ANSWER, own="user"),
    *_rows("hub", "write", *_COMMAND, Kind.REQUEST, own="user"),
    *_rows("hub", "write", Kind.ROUND, *_PUBLIC, publisher=True),
    *_rows("hub", "read", *_HALL, *_COMMAND),
    *_rows("hub", "read", Kind.ANSWER, own="user"),
)


def _allowed(user: User, row: Row, field: str) -> tuple[str, ...]:
    """The ids that may stand at `field`: `*` any, `x-*` any that begins so."""
    if field not in row.own:
        return ("*",)
    match field:
        case "board":
            return user.boards
        case "game":
            return user.written_games
        case _:
            return (user.name,)


def _holds(user: User, row: Row, action: Action) -> bool:
    return row.role == user.role and row.action == action and (user.publishes or not row.publisher)


@lru_cache(maxsize=10_000)  # a broker asks the same for every message to every reader
def _permitted(user: User, action: Action, topic_text: str) -> bool:
    try:
        topic = parse(topic_text)
    except TopicError:
        return False
    return topic.meeting == user.meeting and any(
        row.kind == topic.kind
        and _holds(user, row, action)
        and all(
            any(_fits(value, entry) for entry in _allowed(user, row, field))
            for field, value in zip(id_fields(row.kind), topic.ids, strict=True)
        )
        for row in TABLE
    )


def _fits(value: str, entry: str) -> bool:
    return value.startswith(entry[:-1]) if entry.endswith("*") else value == entry


def may_publish(user: User, topic: str, *, retain: bool = False) -> bool:
    """Whether `user` may write to `topic`; a retained message only where one may ever be retained."""
    return _permitted(user, "write", topic) and not (retain and DELIVERY[parse(topic).kind].retain == "never")


def may_receive(user: User, topic: str) -> bool:
    """Whether a message on `topic` may be delivered to `user`."""
    return _permitted(user, "read", topic)


def may_subscribe(user: User, filter_text: str) -> bool:
    """Whether a subscription can deliver anything to `user`: some topic under `filter_text` may be read.

    What is delivered is `may_receive`'s to say, message by message: so `damas/v1/{meeting}/#` is everybody's
    subscription to all that they may read, on Mosquitto as on the embedded broker.
    """
    return any(_overlap(filter_text, granted) for action, granted in rights(user) if action == "read")


def may_command(user: User, do: str) -> bool:
    """Whether `user` may give the command `do`, on a topic where commands of that user may be written."""
    match user.role:
        case "arbiter" | "hub":
            return True
        case "organiser":
            return do in ORGANISER_COMMANDS
        case "viewer" | "gateway":
            return False


@lru_cache(maxsize=1000)  # asked again for every filter of a subscription, and a gateway may have many boards
def rights(user: User) -> tuple[tuple[Action, str], ...]:
    """The table for one user as MQTT filters of whole levels, without doubles, in the order of the table."""
    found: dict[tuple[Action, str], None] = {}
    for row in TABLE:
        if not _holds(user, row, row.action):
            continue
        combinations: list[tuple[str, ...]] = [()]
        for field in id_fields(row.kind):
            entries = ["+" if entry.endswith("*") else entry for entry in _allowed(user, row, field)]
            combinations = [(*ids, entry) for ids in combinations for entry in entries]
        for ids in combinations:
            found[row.action, f"{ROOT}/{user.meeting}/{filled(row.kind, ids)}"] = None
    kept = list(found)
    return tuple(
        (action, text)
        for action, text in kept
        if not any(a == action and other != text and covers(other, text) for a, other in kept)
    )


def _overlap(one: str, other: str) -> bool:
    """Whether some topic is under both filters."""
    left, right = one.split("/"), other.split("/")
    for a, b in zip(left, right, strict=False):
        if "#" in (a, b):
            return True
        if a != b and "+" not in (a, b):
            return False
    if len(left) == len(right):
        return True
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    return longer[len(shorter) :] == ["#"]
