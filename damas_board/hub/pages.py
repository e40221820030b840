"""The files that a hub serves, made when something becomes public and never on request: feeds, games, tables, lists.

Each is whole in memory with its ETag, and may be written to a folder as well, from which any web server can serve it.
What they are made from is the public copies only: nothing here has ever seen what is not public yet.

    /feed/{round}.pdn, .json, /feed/{round}/{n}.pdn     the round as Lidraughts takes it, in an order that stays
    /feed/{consumer}/{round}.pdn                        the same for a consumer that has a longer delay of its own
    /rounds/{round}.pdn, /games/{game}.pdn              with all that the record has: setups too, every variant
    /standings.csv, .json, /standings/{round}.csv       the table, and the table after a round
    /api/rounds, /api/games                             public payloads as on MQTT
    /files                                              a plain list of these
"""

from __future__ import annotations

import hashlib
import html
import json
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from damas_board.hub.archive.standings import Outcome, Person, Standing, standings, standings_csv
from damas_board.hub.public_store import PUBLIC
from damas_board.messages.feed import MOST_GAMES, Feed, feed_game
from damas_board.messages.names import clean
from damas_board.messages.rounds import Pairing, Round
from damas_board.messages.score import game_text, round_text
from damas_board.messages.stream import Record
from damas_board.messages.topics import TopicError, checked_id
from damas_board.notation.errors import NotationError
from damas_board.regulations import Regulation, shipped
from damas_board.session.ending import WINNERS

log = logging.getLogger(__name__)

Regulations = Callable[[str], Regulation]
"""The regulation of a name; KeyError where none is known."""
PDN = "text/plain; charset=utf-8"
JSON = "application/json"
CSV = "text/csv; charset=utf-8"
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Page:
    body: bytes
    type: str
    etag: str


@dataclass(frozen=True, slots=True)
class View:
    """What pages are made from, as it is now."""

    rounds: Mapping[str, Round]
    shown: Mapping[str, Mapping[str, Any]]
    """The public payload of each round that is public."""
    records: Mapping[tuple[str, str], Record]
    """By copy and game, those that are public."""
    states: Mapping[str, Mapping[str, Any]]
    """The public payload of each game's state."""
    players: Mapping[str, Mapping[str, Any]]
    """What is shown of each game's players."""
    people: Mapping[str, Mapping[str, Any] | None]
    """What is shown of each player of the rounds, by key; None: nothing."""


@dataclass(frozen=True, slots=True)
class FeedChange:
    """A feed's games that have another text now, with their places: to be kept for the next start."""

    copy: str
    round: str
    games: Mapping[str, tuple[int, str]]


class Pages:
    """`update(view)` makes what changed, `serve` lets it be seen; `pages` by path is what is served."""

    def __init__(
        self, meeting: str, regulations: Regulations = shipped, feeds: Mapping[tuple[str, str], Mapping[str, str]] = {}
    ) -> None:
        """`feeds` are the feeds as they were published before, by copy and round."""
        self.pages: dict[str, Page] = {}
        self._next: dict[str, Page] = {}
        """All pages as they were made last."""
        self._crowded: set[tuple[str, str]] = set()
        """The feeds of which it was said that they have no room for all games."""
        self._meeting = meeting
        self._regulations = regulations
        self._feeds = {key: Feed(dict(games)) for key, games in feeds.items()}
        self._made: dict[tuple[str, str, str], tuple[Any, ...]] = {}
        """What each game's text was made of."""
        self._full: dict[str, tuple[tuple[Any, ...], str]] = {}
        self._told: set[str] = set()
        """The consumers that were looked at."""
        self._owned: set[str] = set()
        """Paths of pages that are a consumer's."""
        self._put("/files", _index(meeting, (), ()), HTML)
        self.serve()

    @property
    def frozen(self) -> dict[str, str]:
        """Why games stay in a feed as they were published last, by game."""
        return {game: why for feed in self._feeds.values() for game, why in feed.frozen.items()}

    @property
    def left_out(self) -> dict[str, list[str]]:
        """The games that are not in the text of a feed, which has room for a certain number, by its path."""
        feeds = {_base(*key): list(feed.left_out) for key, feed in self._feeds.items() if feed.left_out}
        return {f"{base}.pdn": games for base, games in feeds.items()}

    def serve(self) -> None:
        """Let the pages be served as they were made last."""
        self.pages |= self._next

    def update(self, view: View) -> tuple[list[str], list[FeedChange]]:
        """Make what changed; the paths of the pages that are others now, and what of the feeds is to be kept.

        They are not served before `serve`, nor is that to be done before the feeds are kept: a place in a feed that
        somebody saw must be the same after a new start.
        """
        changed: list[str] = []
        kept = []
        for round_, planned in view.rounds.items():
            if round_ not in view.shown:
                continue
            for copy in (PUBLIC, *filter(_is_id, planned.publication.consumers)):
                kept += self._feed(copy, planned, view, changed)
        kept += self._former_feeds(view, changed)
        self._games(view, changed)
        self._standings(view, changed)
        self._offer(changed, "/api/rounds", _json(list(view.shown.values())), JSON)
        self._offer(changed, "/api/games", _json(list(view.states.values())), JSON)
        consumers = {name for planned in view.rounds.values() for name in planned.publication.consumers}
        for name in consumers - self._told:
            if name in view.rounds or not _is_id(name):
                log.warning("the consumer %s has the name of a round, or one that is no id: it may have no feed", name)
        self._told |= consumers
        self._offer(changed, "/files", _index(self._meeting, view.shown.values(), view.states), HTML)
        return changed, kept

    # feeds

    def _feed(self, copy: str, planned: Round, view: View, changed: list[str]) -> list[FeedChange]:
        key = (copy, planned.round)
        before = self._feeds.get(key, Feed())
        texts = []
        for pairing in planned.pairings:
            if pairing.black is None:
                continue
            record = view.records.get((copy, pairing.game))
            players = view.players.get(pairing.game, {})
            told = (record, pairing, players, planned.name, planned.clock, planned.regulation)
            if self._made.get((*key, pairing.game)) != told:
                self._made[*key, pairing.game] = told
                texts.append((pairing.game, self._feed_text(planned, pairing, record, players)))
        feed = before.with_games(texts) if texts else before
        for game in feed.games.keys() - {pairing.game for pairing in planned.pairings}:
            feed = feed.with_names(game, view.players.get(game, {}))
        for game, why in feed.frozen.items():
            log.info("game %s stays in the feed as it was: %s", game, why)
        return self._put_feed(copy, planned.round, feed, changed)

    def _former_feeds(self, view: View, changed: list[str]) -> list[FeedChange]:
        """Feeds of consumers and rounds that are named no more stay as they are, but for the names in them."""
        kept = []
        for copy, round_ in list(self._feeds):
            planned = view.rounds.get(round_)
            if planned is None or copy not in (PUBLIC, *planned.publication.consumers):
                feed = self._feeds[copy, round_]
                for game in feed.games:
                    feed = feed.with_names(game, view.players.get(game, {}))
                kept += self._put_feed(copy, round_, feed, changed)
        return kept

    def _put_feed(self, copy: str, round_: str, feed: Feed, changed: list[str]) -> list[FeedChange]:
        before = self._feeds.get((copy, round_), Feed())
        self._feeds[copy, round_] = feed
        base = _base(copy, round_)
        if feed.left_out and (copy, round_) not in self._crowded:
            self._crowded.add((copy, round_))
            log.warning("%s.pdn has room for %d games; left out: %s", base, MOST_GAMES, ", ".join(feed.left_out))
        self._offer(changed, f"{base}.pdn", feed.text, PDN, own=copy != PUBLIC)
        games = [{"pdn": text, "result": _result(text)} for text in feed.games.values()]
        self._offer(changed, f"{base}.json", _json({"games": games}), JSON, own=copy != PUBLIC)
        for number, text in enumerate(feed.games.values(), 1):
            self._offer(changed, f"{base}/{number}.pdn", text, PDN, own=copy != PUBLIC)
        places = {game: place for place, game in enumerate(feed.games)}
        news = {game: (places[game], text) for game, text in feed.games.items() if before.games.get(game) != text}
        return [FeedChange(copy, round_, news)] if news else []

    def _feed_text(self, planned: Round, pairing: Pairing, record: Record | None, players: Mapping[str, Any]) -> str:
        known = None if record is None else replace(record, players=players)
        tags = self._tags(planned.name or self._meeting, planned.round, pairing.table, record)
        clock = pairing.clock or planned.clock
        try:
            regulation = self._regulation(record, pairing.regulation, planned.regulation)
            return feed_game(known, regulation, tags, players=players, time_control=clock, public=True)
        except (KeyError, ValueError) as error:
            log.info("game %s has a place in the feed, and no moves: %s", pairing.game, error)
            return feed_game(None, shipped("pt-classicas"), tags, players=players, public=True)

    def _regulation(self, record: Record | None, *names: str | None) -> Regulation:
        told = None if record is None else record.regulation
        name = next((name for name in (told, *names) if name is not None), None)
        if name is None:
            raise NotationError("it is not said by which regulation it is played")
        return self._regulations(name)

    def _tags(self, event: str, round_: str | None, table: str | None, record: Record | None) -> dict[str, str]:
        date = None
        if record is not None and record.plies:
            date = str(record.plies[0].body["ts"])[:10].replace("-", ".")
        told = {"Event": event, "Date": date, "Round": round_, "Board": table}
        return {name: clean(value) for name, value in told.items() if value is not None}

    # games

    def _games(self, view: View, changed: list[str]) -> None:
        """Each public game with all that its record has, and the rounds of these."""
        places = {pairing.game: (r, pairing) for r in view.rounds.values() for pairing in r.pairings}
        for (copy, game), record in view.records.items():
            if copy != PUBLIC or record.start is None:
                continue
            planned, pairing = places.get(game, (None, None))
            shown = replace(record, players=view.players.get(game))
            event = self._meeting if planned is None or planned.name is None else planned.name
            round_ = record.round if planned is None else planned.round
            table = record.table if pairing is None else pairing.table
            made = (record, shown.players, event, round_, table)
            if game in self._full and self._full[game][0] == made:
                continue
            try:
                tags = self._tags(event, round_, table, record)
                text = game_text(shown, self._regulation(record), tags, public=True)
            except (KeyError, ValueError) as error:
                log.info("game %s is not written as PDN: %s", game, error)
                if game in self._full and self._full[game][0][1] != shown.players:
                    del self._full[game]  # better none than one with a name that is shown no more
                    self._offer(changed, f"/games/{game}.pdn", "", PDN)
                continue
            self._full[game] = (made, text)
            self._offer(changed, f"/games/{game}.pdn", text, PDN)
        for round_, planned in view.rounds.items():
            if round_ in view.shown:
                games = [self._full[p.game][1] for p in planned.pairings if p.game in self._full]
                self._offer(changed, f"/rounds/{round_}.pdn", round_text(games), PDN)

    # standings

    def _standings(self, view: View, changed: list[str]) -> None:
        order = sorted((name for name in view.rounds if name in view.shown), key=_natural)
        for upto in range(1, len(order) + 1):
            table = self._table(view, order[:upto])
            base = f"/standings/{order[upto - 1]}"
            places = (base, "/standings") if upto == len(order) else (base,)
            for place in places:
                self._offer(changed, f"{place}.csv", standings_csv(table), CSV)
                self._offer(changed, f"{place}.json", _json([asdict(line) for line in table]), JSON)

    def _table(self, view: View, rounds: Iterable[str]) -> list[Standing]:
        """By public results; a player's key is no name and no number that a federation knows him by."""
        people: dict[str, Person] = {}
        outcomes = []
        for name in rounds:
            results = {one["game"]: one.get("result") for one in view.shown[name]["pairings"]}
            for pairing in view.rounds[name].pairings:
                for player in (pairing.white, pairing.black):
                    if player is not None and player.key not in people:
                        people[player.key] = _person(view.people.get(player.key), len(people) + 1)
                winner = WINNERS.get(str(results.get(pairing.game)))
                if winner is not None and winner != "none":
                    black = None if pairing.black is None else people[pairing.black.key].player
                    regulation = pairing.regulation or view.rounds[name].regulation
                    win = self._win(regulation)
                    outcomes.append(Outcome(people[pairing.white.key].player, black, winner, win))
        return standings(people.values(), outcomes)

    def _win(self, regulation: str | None) -> float:
        try:
            return 1.0 if regulation is not None and self._regulations(regulation).scoring == "1-0" else 2.0
        except (KeyError, ValueError):
            return 2.0

    # pages

    def _offer(self, changed: list[str], path: str, body: str | bytes, type_: str, *, own: bool = False) -> None:
        """A page, if it is another now; `own`: never in the place of one that is public."""
        if own and path in self._next and path not in self._owned:
            return
        if own:
            self._owned.add(path)
        elif path in self._owned:
            self._owned.discard(path)
        if self._put(path, body, type_):
            changed.append(path)

    def _put(self, path: str, body: str | bytes, type_: str) -> bool:
        data = body.encode() if isinstance(body, str) else body
        etag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
        former = self._next.get(path)
        if former is not None and former.etag == etag:
            return False
        self._next[path] = Page(data, type_, etag)
        return True


def _base(copy: str, round_: str) -> str:
    """Where a feed is, without the end of its name."""
    return f"/feed/{round_}" if copy == PUBLIC else f"/feed/{copy}/{round_}"


def _is_id(name: str) -> bool:
    """Whether a name may stand in a path."""
    try:
        return checked_id(name) == name
    except TopicError:
        return False


def _person(told: Mapping[str, Any] | None, number: int) -> Person:
    shown = told or {}
    rating = shown.get("rating")
    return Person(
        str(number),
        shown.get("name", f"#{number}"),
        shown.get("federation"),
        None if rating is None else str(rating),
    )


def _result(text: str) -> str:
    """The result that a game's text ends with."""
    return text.split()[-1]


def _natural(name: str) -> tuple[tuple[bool, int, str], ...]:
    """Sorts `2` before `10`."""
    parts = name.replace("-", " ").split()
    return tuple((not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _index(meeting: str, rounds: Iterable[Mapping[str, Any]], games: Iterable[str]) -> str:
    """A plain list of what there is."""
    links = []
    for told in sorted(rounds, key=lambda told: _natural(told["round"])):
        name = html.escape(str(told["round"]))
        title = html.escape(str(told.get("name") or told["round"]))
        feed = f'<a href="/feed/{name}.pdn">feed</a>, <a href="/feed/{name}.json">JSON</a>'
        rest = f'<a href="/rounds/{name}.pdn">PDN</a>, <a href="/standings/{name}.csv">CSV</a>'
        links.append(f"<li>{title} ({html.escape(str(told['state']))}): {feed}, {rest}</li>")
    links += [f'<li><a href="/games/{game}.pdn">{html.escape(game)}</a></li>' for game in sorted(games)]
    title = html.escape(meeting)
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title>\n<h1>{title}</h1>\n'
        f"<ul>\n{''.join(f'{link}{chr(10)}' for link in links)}</ul>\n</html>\n"
    )
