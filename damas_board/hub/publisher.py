"""What of a meeting is public, for each public: which game is published on which terms, and what that changes.

A game is found in the rounds by its id, so that boards may change places; its terms are those of its table, else of its
round, and where neither says a delay, of the hub.
A game that names a round of which nothing is known is not published before that is known. What was published once of
how to publish stays in force where the organiser's message is gone: a broker that was wiped ends no delay.
What waits for its time is looked through for corrections, so it goes on only as far as the hall was heard (`Heard`).

No I/O and no clock: times are passed in. The hub stores what `due` returns before anybody sees it.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from damas_board.hub.public_store import PUBLIC, News, StoredCopy
from damas_board.hub.reader import Told
from damas_board.hub.silence import Silence
from damas_board.messages.names import about_showing, cleaned, public_person, with_showing
from damas_board.messages.publication import SIDES, HoleError, Place, PublicCopy, Terms, public_players
from damas_board.messages.rounds import Pairing, Round, RoundError, player_object, read_round
from damas_board.messages.stream import StreamError

log = logging.getLogger(__name__)

_ROUND_KEYS = ("round", "name", "regulation", "clock", "match", "begins")
_PAIRING_KEYS = ("table", "game", "regulation", "clock", "match")
Key = tuple[str, str]
"""The name of the copy, and the game."""


@dataclass
class Kept:
    """A copy with the place of its stream: `seq` is that of its newest event."""

    copy: PublicCopy
    epoch: int
    seq: int = 0
    broken: str | None = None
    """Why it cannot go on: the hall's stream breaks its contract."""
    renewed: bool = False
    """It began again in a newer epoch than another hub's, which is done once."""
    elsewhere: bool = False
    """Another hub goes on publishing it: here it stays as it is."""
    silent: datetime | None = None
    """Since when its board is not heard, as far as that is public."""
    delay: float | None = None
    """How late it is shown, seconds."""


@dataclass(frozen=True, slots=True)
class Due:
    """What becomes public now."""

    news: tuple[News, ...] = ()
    rounds: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The rounds whose public payload changes."""
    players: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Public games whose players are to be shown otherwise, with what is shown of them now."""
    words: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What the starts of games say about showing their players, to be stored."""
    held: Mapping[str, bool] = field(default_factory=dict)
    """Games that the arbiter holds from now on (True) or holds no more, to be stored."""
    told: tuple[str, ...] = ()
    """Public games of which something else is told now: whether their board is heard, how late they are."""

    def __bool__(self) -> bool:
        return bool(self.news or self.rounds or self.players or self.words or self.held or self.told)


@dataclass(frozen=True, slots=True)
class Heard:
    """How far the hall has been heard. Who is over is not waited for: its gateway may have been switched off."""

    until: float
    """The broker was there, and what came from it was taken."""
    missing: Collection[str] = ()
    """Games of which events are known to be missing."""
    assured: Collection[str] = ()
    """Games whose gateway has said, on this connection and on its own, how far their streams have come."""
    proved: float | None = None
    """Everything that the broker had then has come here; None: `until` tells. Only what is not to be late does not wait
    for it."""

    @property
    def known(self) -> float:
        return self.until if self.proved is None else self.proved


class Publisher:
    """`events` and `round` as the hall tells them, `due` again and again."""

    def __init__(
        self,
        meeting: str,
        epoch: int,
        stored: Iterable[StoredCopy] = (),
        rounds: Mapping[str, tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]] | None = None,
        words: Mapping[str, Mapping[str, Any]] | None = None,
        held: Iterable[str] = (),
        *,
        now: float = 0.0,
        default: Terms | None = None,
    ) -> None:
        """`stored`, `rounds`, `words` and `held` are what a store has; `epoch` is for games that were never public.

        `default`: the terms of games that are of no round, and of rounds that say no delay.
        """
        self.kept: dict[Key, Kept] = {}
        self.rounds: dict[str, Round] = {}
        self.shown: dict[str, Mapping[str, Any]] = {}
        """The public payload of each round."""
        self.again: set[str] = set()
        """Games whose stream has to be read again from the beginning: the caller takes them out."""
        self.doubted: set[str] = set()
        """Games of which something waits, and whose gateway has not said how far they have come."""
        self.silence = Silence()
        """Which boards are heard; the caller says it as the hall does."""
        self.refused: dict[str, str] = {}
        """Why a round's newest payload is not used, by round."""
        self._meeting = meeting
        self._epoch = epoch
        self._default = Terms() if default is None else default
        self._pairings: dict[str, tuple[Round, Pairing]] = {}
        self._round_of: dict[str, tuple[str | None, str | None]] = {}
        """The round and the table that the hall's own start of a game names."""
        self._entered: dict[str, tuple[str | None, float]] = {}
        """Results that the organiser entered, or took back (None), by game, and when that was heard first."""
        self._results: dict[str, str] = {}
        """Of these, what is public."""
        self._said: dict[str, Mapping[str, Any]] = {}
        """The players as the hall's own start of a game names them."""
        self._words = dict(words or {})
        """What of that is about showing them, also of games that are not read again."""
        self._new_words: set[str] = set()
        self._held = set(held)
        """The games that the arbiter holds by the last that is known of their whole streams."""
        self._new_held: set[str] = set()
        self._players: dict[str, dict[str, Any]] = {}
        """What is shown of a game's players, as far as it was asked for since something changed."""
        self._people: dict[str, dict[str, Any] | None] = {}
        self._about: dict[str, dict[str, Any]] = {}
        """What is said about showing each player of the rounds, by key."""
        self._heard: dict[Key, float] = {}
        """Until when each game's stream is known without a hole."""
        self._changed: set[Key] = set()
        self._changed_rounds: set[str] = set()
        for one in stored:
            self.kept[one.copy, one.game] = Kept(PublicCopy(one.events, one.place), one.epoch, one.seq)
        for name, (payload, shown) in (rounds or {}).items():
            if shown is not None:
                self.shown[name] = shown
                self._results |= {one["game"]: one["result"] for one in shown["pairings"] if self._is_entered(one)}
            if payload is not None:
                self.round(name, payload, now)

    # what the hall tells

    def events(self, game: str, told: Sequence[Told], now: float, *, whole: bool) -> None:
        """The next events of a game's stream; see Listener."""
        for envelope in (one.envelope for one in told):
            if envelope.board is not None:
                self.silence.plays(game, envelope.board, envelope.ts, now)
            if envelope.body.get("event") == "game_started":
                self._round_of[game] = (_text(envelope.body, "round"), _text(envelope.body, "table"))
                self._take_players(game, envelope.body.get("players"))
        for name in self._copies_of(game):
            kept = self.kept.setdefault((name, game), Kept(PublicCopy(), self._epoch))
            if kept.broken is not None:
                continue
            try:
                for one in told:
                    kept.copy.take(one.envelope, now - one.age)
            except HoleError:  # this copy needs what came before
                self.again.add(game)
                continue
            except ValueError as error:
                self._break(game, kept, error)
                continue
            if whole:
                kept.copy.caught_up()
                if name == PUBLIC and kept.copy.held != (game in self._held):
                    self._held ^= {game}
                    self._new_held.add(game)
            self._changed.add((name, game))

    def _take_players(self, game: str, players: Any) -> None:
        self._said[game] = players if isinstance(players, Mapping) else {}
        self._players.pop(game, None)
        self._say_who_is_who()
        if game in self._pairings:
            self._changed_rounds.add(self._pairings[game][0].round)
        word = {side: told for side in SIDES if (told := about_showing(self._said[game].get(side)))}
        if word != self._words.get(game, {}):
            self._words[game] = word
            self._new_words.add(game)

    def _say_who_is_who(self) -> None:
        """Something else is said of players: what is about showing one counts in all rounds."""
        self._people.clear()
        told: dict[str, list[Any]] = {}
        for key, word in self._words_of_players():
            told.setdefault(key, []).append(word)
        about = {key: found for key, said in told.items() if (found := about_showing(*said))}
        if about != self._about:
            self._about = about
            self._players.clear()
            self._changed |= set(self.kept)
            self._changed_rounds |= set(self.rounds)

    def _words_of_players(self) -> Iterator[tuple[str, Any]]:
        """All that is said of each player of the rounds, by key, as it is said: by the games, and by the organiser."""
        for planned in self.rounds.values():
            for pairing in planned.pairings:
                word = self._word(pairing.game)
                for side, player in (("white", pairing.white), ("black", pairing.black)):
                    if player is not None:
                        yield from ((player.key, word.get(side)), (player.key, player_object(player)))

    def round(self, round_: str, payload: Mapping[str, Any], now: float) -> bool:
        """A round as its organiser published it; False where it cannot be used, and the former one stays in force."""
        try:
            planned = read_round({**payload, "round": round_}, meeting=self._meeting)
        except RoundError as error:
            self.refused[round_] = str(error)
            log.error("round %s: what was published cannot be used, what was before stays: %s", round_, error)
            return False
        self.refused.pop(round_, None)
        self.rounds[round_] = planned
        self._pairings = {p.game: (r, p) for r in self.rounds.values() for p in r.pairings}
        for pairing in planned.pairings:
            known = self._entered.get(pairing.game, (self._results.get(pairing.game), now))[0]
            if known != pairing.result:
                self._entered[pairing.game] = (pairing.result, now)
        self._players.clear()
        self._say_who_is_who()
        self._changed_rounds.add(round_)
        for name in planned.publication.consumers:
            missing = {game for _, game in self.kept if (name, game) not in self.kept and name in self._copies_of(game)}
            self.again |= missing
        self._changed |= set(self.kept)
        return True

    def renew(self, game: str, seen: int) -> bool:
        """Another hub has published more of a game, in epoch `seen`: its public stream begins again in a newer one.

        Once: where another hub has published more again it is at work beside this one, and publishes that game alone
        from then on (False), lest two of them outdo each other for ever.
        """
        kept = self.kept[PUBLIC, game]
        if kept.renewed:
            kept.elsewhere = True
        else:
            self.kept[PUBLIC, game] = Kept(PublicCopy(), max(seen, kept.epoch) + 1, renewed=True)
            self.again.add(game)
        return not kept.renewed

    # what becomes public

    def due(self, now: float, heard: Heard | None = None) -> Due:
        """What is public from now on; it counts as published. `heard`: None where everything until now was."""
        news = []
        self.doubted.clear()
        players = self._renamed()
        for key, kept in self.kept.items():
            if key not in self._changed and not kept.copy.waiting:
                continue
            found = self._news(key, kept, now if heard is None else self._until(key, kept.copy, now, heard))
            if found is not None:
                news.append(found)
        self._changed.clear()
        others = self._told_otherwise(now)
        games = {new.game for new in news if new.copy == PUBLIC}
        changed = {name for name, planned in self.rounds.items() if games & {p.game for p in planned.pairings}}
        waiting = [game for game, (result, _) in self._entered.items() if result != self._results.get(game)]
        changed |= self._changed_rounds | {self._pairings[g][0].round for g in waiting if g in self._pairings}
        self._changed_rounds.clear()
        rounds = {}
        for name in sorted(changed):
            body = self._public_round(self.rounds[name], now if heard is None else min(now, heard.known))
            if body is not None and body != self.shown.get(name):
                rounds[name] = self.shown[name] = body
        words = {game: self._words[game] for game in self._new_words}
        held = {game: game in self._held for game in self._new_held}
        self._new_words.clear()
        self._new_held.clear()
        return Due(tuple(news), rounds, players, words, held, others)

    def _renamed(self) -> dict[str, Mapping[str, Any]]:
        """The public games of those that changed whose players are shown otherwise now; at once, whatever is held."""
        found: dict[str, Mapping[str, Any]] = {}
        for key, kept in self.kept.items():
            if key in self._changed and kept.copy.record.start is not None:
                players = self.players(key[1])
                if players != (kept.copy.record.players or {}):
                    kept.copy.name(players)
                    found[key[1]] = players
        return found

    def _told_otherwise(self, now: float) -> tuple[str, ...]:
        """The public games whose silence or delay is another now; of who is held nothing changes."""
        found = []
        for (name, game), kept in self.kept.items():
            over = kept.copy.record.over is not None
            if (
                name != PUBLIC
                or kept.copy.record.start is None
                or (over and not kept.silent and kept.delay is not None)
            ):
                continue
            terms = self.terms(name, game)
            if terms is None or terms.hold or kept.copy.held or kept.elsewhere:
                continue
            silent = None if over else self.silence.as_of(game, now - terms.delay)
            if (silent, terms.delay) != (kept.silent, kept.delay):
                kept.silent, kept.delay = silent, terms.delay
                found.append(game)
        return tuple(found)

    def _until(self, key: Key, copy: PublicCopy, now: float, heard: Heard) -> float:
        """Until when a game's stream is known without a hole."""
        name, game = key
        if game in heard.assured or copy.ended:
            terms = self.terms(name, game)
            late = terms is not None and terms.delay > 0
            until = heard.known if late else heard.until
            if game not in heard.missing:
                self._heard[key] = max(self._heard.get(key, -math.inf), min(now, until))
        elif copy.waiting:
            self.doubted.add(game)
        return self._heard.get(key, -math.inf)

    def _news(self, key: Key, kept: Kept, now: float) -> News | None:
        name, game = key
        terms = self.terms(name, game)
        if terms is None or kept.broken is not None or kept.elsewhere:
            return None
        try:
            events = kept.copy.publish(now, terms, self._paired(game))
        except StreamError as error:
            self._break(game, kept, error)
            return None
        if not events:
            return None
        found = News(name, game, kept.epoch, kept.seq + 1, kept.copy.place, events)
        kept.seq += len(events)
        return found

    def _break(self, game: str, kept: Kept, error: Exception) -> None:
        if kept.broken is None:
            log.error("game %s: its stream cannot be followed, its public copy stays as it is: %s", game, error)
        kept.broken = str(error)

    def places(self) -> list[News]:
        """How far each copy has come, as news without events: what a new start need not compare again."""
        return [
            News(name, game, kept.epoch, kept.seq + 1, kept.copy.place, ())
            for (name, game), kept in self.kept.items()
            if kept.seq
        ]

    def finished(self, game: str) -> Place | None:
        """How far the hall's stream of a game was read of which every copy has the end; None where one has not."""
        copies = [kept.copy for (_, other), kept in self.kept.items() if other == game]
        places = {copy.place for copy in copies if copy.record.over is not None and not copy.waiting}
        names = {name for name, other in self.kept if other == game}
        complete = len(places) == 1 and len(copies) == len(names | set(self._copies_of(game)))
        complete = complete and all(copy.record.over is not None for copy in copies)
        return places.pop() if complete else None

    def pairing(self, game: str) -> tuple[Round, Pairing] | None:
        """The pairing of a game, with its round."""
        return self._pairings.get(game)

    def players(self, game: str) -> dict[str, Any]:
        """What the public is told of a game's players: its own word and the pairing's together, and what any round or
        game says about showing them.
        """
        if game not in self._players:
            self._players[game] = public_players(self._word(game), self._paired(game))
        return self._players[game]

    def people(self) -> dict[str, dict[str, Any] | None]:
        """What the public is told of each player of the rounds, by key: all that is said of one, anywhere, together."""
        if self._people:
            return self._people
        told: dict[str, list[Any]] = {}
        for key, word in self._words_of_players():
            told.setdefault(key, []).append(word)
        self._people = {key: public_person(*said) for key, said in told.items()}
        return self._people

    def _word(self, game: str) -> Mapping[str, Any]:
        """The players as the game's own start names them; of one that is not read again what may be kept of that."""
        if game in self._said:
            return self._said[game]
        kept = self.kept.get((PUBLIC, game))
        public = (None if kept is None else kept.copy.record.players) or {}
        words = self._words.get(game, {})
        return {side: {**public.get(side, {}), **words.get(side, {})} for side in SIDES}

    def terms(self, copy: str, game: str) -> Terms | None:
        """How a game is published in a copy; None where that is not known, or it is not.

        Everybody can reach a consumer's copy, so it is never younger than what everybody may see, and held with it.
        """
        planned, table = self._place_of(game)
        if planned is None:
            unknown = self._round_of.get(game, (None, None))[0] is not None
            return None if unknown or copy != PUBLIC else self._default
        own = None if table is None else planned.publication.boards.get(table)
        hold = planned.publication.hold or bool(own is not None and own.hold)
        if own is not None and own.hold is not None:
            hold = own.hold
        delay = self._delay(planned) if own is None or own.delay is None else own.delay
        if copy != PUBLIC:
            if copy not in planned.publication.consumers:
                return None
            delay = max(delay, planned.publication.consumers[copy])
        return Terms(delay, hold, self._default.clocks)

    def _delay(self, planned: Round) -> float:
        """How late the tables of a round are public that say nothing about it, seconds."""
        delay = planned.publication.delay
        return self._default.delay if delay is None else delay

    def _copies_of(self, game: str) -> list[str]:
        planned, _ = self._place_of(game)
        consumers = [] if planned is None else list(planned.publication.consumers)
        return [PUBLIC, *(name for name in consumers if name != PUBLIC)]

    def _place_of(self, game: str) -> tuple[Round | None, str | None]:
        found = self._pairings.get(game)
        if found is not None:
            return found[0], found[1].table
        round_, table = self._round_of.get(game, (None, None))
        return (None if round_ is None else self.rounds.get(round_)), table

    def _paired(self, game: str) -> Mapping[str, Any] | None:
        found = self._pairings.get(game)
        if found is None:
            return None
        sides = {"white": found[1].white, "black": found[1].black}
        return {
            side: with_showing(player_object(player), self._about.get(player.key, {}))
            for side, player in sides.items()
            if player is not None
        }

    def _public_round(self, planned: Round, now: float) -> dict[str, Any] | None:
        """What the public is told of a round; while it is kept back altogether what it was told, with the names as they
        may be read now, or None."""
        if planned.publication.hold:
            return self._named(self.shown.get(planned.round))
        pairings = [self._public_pairing(pairing, now) for pairing in planned.pairings]
        states = [self._state(pairing, told) for pairing, told in zip(planned.pairings, pairings, strict=True)]
        body = {key: value for key in _ROUND_KEYS if (value := getattr(planned, key)) is not None}
        body["state"] = _state_of(states)
        featured = {"featured": list(planned.publication.featured)} if planned.publication.featured else {}
        return {**cleaned(body), "pairings": pairings, "publication": {"delay": self._delay(planned), **featured}}

    def _named(self, shown: Mapping[str, Any] | None) -> dict[str, Any] | None:
        if shown is None:
            return None
        pairings = []
        for one in shown["pairings"]:
            players = self.players(one["game"])
            pairings.append({**one, **{side: players.get(side, {}) for side in SIDES if side in one}})
        return {**shown, "pairings": pairings}

    def _public_pairing(self, pairing: Pairing, now: float) -> dict[str, Any]:
        body = {key: value for key in _PAIRING_KEYS if (value := getattr(pairing, key)) is not None}
        players = self.players(pairing.game)
        told = {**body, "white": players.get("white", {})}
        if pairing.black is not None:
            told["black"] = players.get("black", {})
        result = self._result(pairing, now)
        return {**told, **({} if result is None else {"result": result})}

    def _result(self, pairing: Pairing, now: float) -> str | None:
        """A game's result as far as it is public: its own, else the one that the organiser entered.

        What was entered in the place of another, or taken back, is public when it is due; until then the other is.
        """
        game = pairing.game
        kept = self.kept.get((PUBLIC, game))
        if kept is not None and kept.copy.record.over is not None:
            return str(kept.copy.record.over["winner"])
        terms = self.terms(PUBLIC, game)
        held = terms is None or terms.hold or game in self._held or (kept is not None and kept.copy.held)
        if game in self._entered and terms is not None and not held:
            result, heard = self._entered[game]
            if result != self._results.get(game) and now - heard >= terms.delay:
                self._results.pop(game, None)
                self._results |= {} if result is None else {game: result}
        return self._results.get(game)

    def _is_entered(self, shown: Mapping[str, Any]) -> bool:
        """Whether a public pairing has a result that is not its game's own."""
        kept = self.kept.get((PUBLIC, shown["game"]))
        return "result" in shown and (kept is None or kept.copy.record.over is None)

    def _state(self, pairing: Pairing, told: Mapping[str, Any]) -> str:
        if pairing.black is None:
            return "bye"
        if "result" in told:
            return "over"
        kept = self.kept.get((PUBLIC, pairing.game))
        return "planned" if kept is None or kept.copy.record.start is None else "started"


def _state_of(tables: Iterable[str]) -> str:
    """Of a round by its tables: `started` with its first game, `over` when its last one has ended."""
    states = set(tables)
    if states and states <= {"over", "bye"}:
        return "over"
    return "planned" if states <= {"planned", "bye"} else "started"


def _text(body: Mapping[str, Any], key: str) -> str | None:
    value = body.get(key)
    return value if isinstance(value, str) else None
