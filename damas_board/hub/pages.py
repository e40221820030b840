"""The files that a hub serves, made when something becomes public and never on request: feeds, games, tables, lists.

Each is whole in memory with its ETag, and may be written to a folder as well, from which any web server can serve it.
What they are made from is the public copies only: nothing here has ever seen what is not public yet.

    /feed/{round}.pdn, .json, /feed/{round}/{n}.pdn     the round as Lidraughts takes it, in an order that stays
    /feed/{consumer}/{round}.pdn                        the same for a consumer that has a longer delay of its own
    /rounds/{round}.pdn, /games/{game}.pdn              with all that the record has: setups too, every variant
    /standings.csv, .json, /standings/{round}.csv       the table, and the table after a round
    /livechess/{meeting}/tournament.json, /livechess/{meeting}/round-{n}/index.json, .../game-{m}.json
                                                        the meeting in the shape of DGT's LiveChess Cloud
    /api/rounds, /api/games                             public payloads as on MQTT
    /files                                              a plain list of these
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from damas_board.hub.archive.standings import Outcome, Person, Standing, standings, standings_csv
from damas_board.hub.feed_watch import Pace
from damas_board.hub.file_words import WORDS
from damas_board.hub.ordering import natural
from damas_board.hub.public_store import PUBLIC
from damas_board.messages import livechess
from damas_board.messages.feed import MOST_GAMES, Feed, FeedGame, Setups, fed, known_there
from damas_board.messages.names import clean, public_name
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
"""Each text says how it is encoded: Lidraughts would take one that does not for Latin-1."""
SMALL = 1024
"""Bytes: a page that is not larger is not compressed."""


@dataclass(frozen=True, slots=True)
class Page:
    body: bytes
    type: str
    etag: str
    packed: bytes | None = field(default=None, repr=False)
    """The body compressed with gzip, where that saves anything."""


def packed(body: bytes) -> bytes | None:
    """The body compressed, the same each time; None where it is not worth it."""
    found = gzip.compress(body, 6, mtime=0) if len(body) > SMALL else body
    return found if len(found) < len(body) else None


def file_of(path: str) -> str | None:
    """What a page is called as a file in a folder; None for one that is none."""
    name = path.removeprefix("/")
    if not name or name.endswith("/"):
        return None
    if name == "files":
        return "files.html"
    return name if "." in name.rpartition("/")[2] else f"{name}.json"


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
        self,
        meeting: str,
        regulations: Regulations = shipped,
        feeds: Mapping[tuple[str, str], Mapping[str, str]] = {},
        *,
        setups: Setups = "truncate",
    ) -> None:
        """`feeds` are the feeds as they were published before, by copy and round; `setups` as in messages.feed."""
        self.pages: dict[str, Page] = {}
        self.troubles: tuple[Mapping[str, Any], ...] = ()
        """What Lidraughts cannot do with the public feeds that are served; see feed_watch."""
        self.paces: Mapping[str, Pace] = {}
        """How far the games of each round have come in its feed."""
        self._next: dict[str, Page] = {}
        """All pages as they were made last."""
        self._setups: Setups = setups
        self._said: dict[tuple[str, str], dict[str, Any]] = {}
        """What there is to know of a game in its public feed, by round and game."""
        self._moves: dict[tuple[str, str], tuple[str, ...]] = {}
        """Those that are in the public feed, by round and game."""
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
        self._live: dict[str, Any] = {}
        """What each of the LiveChess files was made of."""
        self._found: tuple[Mapping[str, Any], ...] = ()
        self._came: Mapping[str, Pace] = {}
        self._put("/files", _index(meeting, (), {}), HTML)
        self.serve()

    def serve(self) -> None:
        """Let the pages be served as they were made last, all at once: nothing is answered meanwhile."""
        self.pages |= self._next
        self.troubles, self.paces = self._found, self._came

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
        self._found = tuple(self._troubles(view))
        self._came = {name: self._pace(view.rounds[name]) for name in view.rounds if name in view.shown}
        self._games(view, changed)
        self._standings(view, changed)
        self._livechess(view, changed)
        self._offer(changed, "/api/rounds", _json(list(view.shown.values())), JSON)
        self._offer(changed, "/api/games", _json(list(view.states.values())), JSON)
        consumers = {name for planned in view.rounds.values() for name in planned.publication.consumers}
        for name in consumers - self._told:
            if name in view.rounds or not _is_id(name):
                log.warning("the consumer %s has the name of a round, or one that is no id: it may have no feed", name)
        self._told |= consumers
        players = {game: view.players.get(game, {}) for game in sorted(view.states, key=natural)}
        self._offer(changed, "/files", _index(self._meeting, view.shown.values(), players), HTML)
        return changed, kept

    # feeds

    def _feed(self, copy: str, planned: Round, view: View, changed: list[str]) -> list[FeedChange]:
        key = (copy, planned.round)
        before = self._feeds.get(key, Feed())
        results = _results(view.shown[planned.round]) if copy == PUBLIC else {}
        texts = []
        for pairing in planned.pairings:
            if pairing.black is None:
                continue
            record = view.records.get((copy, pairing.game))
            players, result = view.players.get(pairing.game, {}), results.get(pairing.game)
            told = (record, pairing, players, planned.name, planned.clock, planned.regulation, result)
            if self._made.get((*key, pairing.game)) != told:
                self._made[*key, pairing.game] = told
                written, said = self._feed_text(planned, pairing, record, players, result)
                texts.append((pairing.game, written.text))
                if copy == PUBLIC:
                    self._said[planned.round, pairing.game] = said
                    self._moves[planned.round, pairing.game] = written.moves
        feed = before.with_games(texts) if texts else before
        for game in feed.games.keys() - {pairing.game for pairing in planned.pairings if pairing.black is not None}:
            feed = feed.with_names(game, view.players.get(game, {}))
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
        if not feed.games:  # an empty text or list is no feed, but something that Lidraughts remembers as one
            return []
        self._offer(changed, f"{base}.pdn", feed.text, PDN, own=copy != PUBLIC)
        games = [{"pdn": text, "result": _result(text)} for text in list(feed.games.values())[:MOST_GAMES]]
        self._offer(changed, f"{base}.json", _json({"games": games}), JSON, own=copy != PUBLIC)
        for number, text in enumerate(feed.games.values(), 1):
            self._offer(changed, f"{base}/{number}.pdn", text, PDN, own=copy != PUBLIC)
        places = {game: place for place, game in enumerate(feed.games)}
        news = {game: (places[game], text) for game, text in feed.games.items() if before.games.get(game) != text}
        return [FeedChange(copy, round_, news)] if news else []

    def _feed_text(
        self, planned: Round, pairing: Pairing, record: Record | None, players: Mapping[str, Any], result: str | None
    ) -> tuple[FeedGame, dict[str, Any]]:
        """A game for the feed, and what there is to know of it."""
        known = None if record is None else replace(record, players=players)
        tags = self._tags(planned.name or self._meeting, planned.round, pairing.table, record)
        clock = pairing.clock or planned.clock
        said: dict[str, Any] = {"code": "feed_no_regulation", "regulation": pairing.regulation or planned.regulation}
        try:
            regulation = self._regulation(record, pairing.regulation, planned.regulation)
            said = {"code": "feed_unknown_there", "regulation": regulation.name}
            ended = None if result is None else regulation.result(result)
            written = fed(
                known,
                regulation,
                tags,
                players=players,
                time_control=clock,
                public=True,
                setups=self._setups,
                result=ended,
            )
        except (KeyError, ValueError) as error:
            if said["code"] != "feed_no_regulation":
                said = {"code": "feed_frozen", "detail": str(error)}
            unknown = shipped("pt-classicas")
            return fed(None, unknown, tags, players=players, public=True), said
        if known_there(regulation):
            code = "feed_cut" if self._setups == "truncate" else "feed_begins_behind"
            said = {} if written.setup is None else {"code": code, "plies": written.setup}
        return written, said

    def _troubles(self, view: View) -> Iterator[Mapping[str, Any]]:
        """What there is to know of the public feeds, of several games in one where it is the same of them."""
        for name in sorted(view.shown.keys() & view.rounds.keys(), key=natural):
            feed, together = self._feeds.get((PUBLIC, name), Feed()), dict[tuple[str, Any], list[str]]()
            for pairing in view.rounds[name].pairings:
                said = self._said.get((name, pairing.game), {})
                if said.get("code") in ("feed_unknown_there", "feed_no_regulation"):
                    together.setdefault((said["code"], said["regulation"]), []).append(pairing.table)
                elif pairing.game in feed.frozen:
                    detail = said.get("detail", feed.frozen[pairing.game])
                    yield {"code": "feed_frozen", **_of(name, pairing), "detail": detail}
                elif said:
                    yield {**said, **_of(name, pairing)}
            for (code, regulation), tables in together.items():
                yield {"code": code, "round": name, "regulation": regulation, "tables": tables}
            if feed.left_out:
                places = {pairing.game: pairing.table for pairing in view.rounds[name].pairings}
                tables = [places.get(game, game) for game in feed.left_out]
                yield {"code": "feed_too_many", "round": name, "most": MOST_GAMES, "tables": tables}

    def _pace(self, planned: Round) -> Pace:
        """How far the games have come that Lidraughts can show."""
        feed = self._feeds.get((PUBLIC, planned.round), Feed())
        games = [p.game for p in planned.pairings if p.game in feed.games and p.game not in feed.frozen]
        moves = tuple(self._moves.get((planned.round, game), ()) for game in games)
        return Pace(moves, any(moves) and any(_result(feed.games[game]) == "*" for game in games))

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
        order = sorted((name for name in view.rounds if name in view.shown), key=natural)
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

    # livechess

    def _livechess(self, view: View, changed: list[str]) -> None:
        """The public copy in the shape of LiveChess; a round's games are numbered in the order of its feed."""
        base, rounds = f"/livechess/{self._meeting}", []
        control = None
        for number, name in enumerate(sorted(view.shown.keys() & view.rounds.keys(), key=natural), 1):
            results, order = _results(view.shown[name]), self._feeds.get((PUBLIC, name), Feed()).games
            games = [
                (view.players.get(game, {}), results.get(game), view.records.get((PUBLIC, game))) for game in order
            ]
            control = control or view.rounds[name].clock
            rounds.append((len(games), sum(livechess.is_live(winner, record) for _, winner, record in games)))
            where = f"{base}/round-{number}"
            if self._is_new(f"{where}/index.json", games):
                self._offer(changed, f"{where}/index.json", _json(livechess.index(games)), JSON)
            for place, (_, winner, record) in enumerate(games, 1):
                if self._is_new(f"{where}/game-{place}.json", (winner, record)):
                    written = _json(livechess.game(winner, record))
                    self._offer(changed, f"{where}/game-{place}.json", written, JSON)
        whole = livechess.tournament(self._meeting, control, rounds)
        self._offer(changed, f"{base}/tournament.json", _json(whole), JSON)

    def _is_new(self, path: str, made_of: Any) -> bool:
        """Whether a page of LiveChess is to be made of something else than last time."""
        before = self._live.get(path)
        self._live[path] = made_of
        return bool(before != made_of)

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
        self._next[path] = Page(data, type_, etag, packed(data))
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


def _results(shown: Mapping[str, Any]) -> dict[str, str]:
    """The public results of a round by game, as sides or `draw`; of games that have none, nothing."""
    told = {one["game"]: WINNERS.get(str(one.get("result"))) for one in shown["pairings"]}
    return {game: winner for game, winner in told.items() if winner is not None and winner != "none"}


def _of(round_: str, pairing: Pairing) -> dict[str, str]:
    """Which game a trouble is about."""
    return {"round": round_, "table": pairing.table, "game": pairing.game}


def _result(text: str) -> str:
    """The result that a game's text ends with."""
    return text.split()[-1]


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _index(meeting: str, rounds: Iterable[Mapping[str, Any]], players: Mapping[str, Mapping[str, Any]]) -> str:
    """The list of what there is, of the games by who plays; its words are in English until a script puts in others."""
    rows = []
    for told in sorted(rounds, key=lambda told: natural(told["round"])):
        name = told["round"]
        feed = _links((f"/feed/{name}.pdn", "PDN"), (f"/feed/{name}.json", "JSON"))
        whole = _links((f"/rounds/{name}.pdn", "PDN"))
        table = _links((f"/standings/{name}.csv", "CSV"), (f"/standings/{name}.json", "JSON"))
        title = html.escape(str(told.get("name") or name))
        cells = "".join(f"<td>{cell}</td>" for cell in (feed, whole, table))
        rows.append(f'<tr><th scope="row">{title}</th>{cells}</tr>\n')
    head = "".join(f'<th scope="col">{_said(key)}</th>' for key in ("round", "feed", "whole", "standings"))
    games = "".join(f"<li>{_links((f'/games/{game}.pdn', _versus(players[game], game)))}</li>\n" for game in players)
    whole_meeting = (
        ("/standings.csv", "all_standings", "CSV"),
        ("/standings.json", "all_standings", "JSON"),
        ("/api/rounds", "rounds", "JSON"),
        ("/api/games", "states", "JSON"),
        (f"/livechess/{meeting}/tournament.json", "livechess", "JSON"),
    )
    links = "".join(f"<li>{_said(key)}: {_links((path, kind))}</li>\n" for path, key, kind in whole_meeting)
    title = html.escape(meeting)
    table = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{''.join(rows)}</tbody>\n</table>\n"
    parts = (
        f'<h1>{title}</h1>\n<p>{_said("lead")}</p>\n<p><a href="/">{_said("live")}</a></p>\n',
        f'<div class="files">\n{table}</div>\n' if rows else f"<p>{_said('none')}</p>\n",
        f'<section class="files">\n<h2>{_said("games")}</h2>\n<ul>\n{games}</ul>\n</section>\n' if games else "",
        f'<section class="files">\n<h2>{_said("meeting")}</h2>\n<ul>\n{links}</ul>\n</section>\n' if rows else "",
    )
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        '<link rel="stylesheet" href="/assets/base.css">\n<link rel="stylesheet" href="/assets/files.css">\n'
        '<script type="module" src="/assets/files.js"></script>\n'
        f"</head>\n<body>\n<main>\n{''.join(parts)}</main>\n</body>\n</html>\n"
    )


def _said(key: str) -> str:
    """A word of the list."""
    return f'<span data-say="files.{key}">{WORDS[f"files.{key}"][0]}</span>'


def _links(*links: tuple[str, str]) -> str:
    return " ".join(f'<a href="{html.escape(path)}">{html.escape(text)}</a>' for path, text in links)


def _versus(players: Mapping[str, Any], game: str) -> str:
    """Who plays, as far as it may be read, and which game that is."""
    names = [public_name(players.get(side)) for side in ("white", "black")]
    return f"{' / '.join(name or '?' for name in names)} ({game})" if any(names) else game
