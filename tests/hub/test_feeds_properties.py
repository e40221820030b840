"""Whatever happens at tables and at the organiser's desk, Lidraughts takes each text, and no game leaves its place."""

from __future__ import annotations

from random import Random
from typing import Any

from hub.streams import unruly
from hypothesis import given, settings
from hypothesis import strategies as st
from messages.lidraughts import Broadcast, game, texts

from damas_board.hub.pages import Pages, View
from damas_board.hub.public_store import PUBLIC
from damas_board.hub.publisher import Publisher
from damas_board.hub.reader import Told
from damas_board.messages.feed import Setups

REGULATIONS = ("br-cbjd", "int-fmjd", "pt-classicas")
SHOWN = ("Ana <br> Lima", "Rui [pdn]", "Eva {x}", "Zé \\ Pinto")
RESULTS = (None, "2-0", "1-1", "*")


class Hall:
    """Three games and who pairs them; what is public is asked for again and again, also after a new start."""

    def __init__(self, seed: int, setups: Setups) -> None:
        self.random = Random(seed)
        self.setups = setups
        self.publisher = Publisher("open", 1)
        self.pages = Pages("open", setups=setups)
        self.kept: dict[tuple[str, str], dict[str, str]] = {}
        self.broadcasts = {"pdn": Broadcast(), "json": Broadcast()}
        self.order: list[str] = []
        self.longest: dict[str, int] = {}
        names = [f"g-{number}" for number in range(1, len(REGULATIONS) + 1)]
        self.streams = {
            name: list(unruly(seed % 10 + number, name, acts=60, regulation=regulation))
            for number, (name, regulation) in enumerate(zip(names, REGULATIONS, strict=True))
        }
        self.pairings = [self.pairing(number, name) for number, name in enumerate(names, 1)]
        self.hold = False

    def pairing(self, number: int, name: str) -> dict[str, Any]:
        players = [{"name": f"{self.random.choice(SHOWN)} {side}{number}"} for side in "wb"]
        for player in players:
            if self.random.random() < 0.4:
                player |= {"minor": True} | ({"public": "K."} if self.random.random() < 0.3 else {})
        result = self.random.choice(RESULTS)
        told = {"table": str(number), "game": name, "white": players[0], "black": players[1]}
        known = (
            {"regulation": REGULATIONS[number - 1]} if number <= len(REGULATIONS) and self.random.random() < 0.8 else {}
        )
        return {**told, **known, **({} if result is None else {"result": result})}

    def organises(self) -> None:
        """Another name, another result, another order, a game more, a game less, the round held or let go."""
        match self.random.randrange(6):
            case 0:
                self.random.shuffle(self.pairings)
            case 1 if len(self.pairings) > 2:  # one alone is told apart by its names
                self.pairings.pop(self.random.randrange(len(self.pairings)))
            case 2:
                number = 4 + len(self.order) + self.random.randrange(100)
                self.pairings.append(self.pairing(number, f"g-{number}"))
            case 3:
                self.hold = not self.hold
            case _:
                at = self.random.randrange(len(self.pairings))
                one = self.pairings[at]
                again = self.pairing(int(one["table"]), one["game"])
                self.pairings[at] = {**again, "game": one["game"]}
        body = {"round": "1", "name": self.random.choice(("Open", "Open, part 2")), "pairings": self.pairings}
        self.publisher.round("1", {**body, "publication": {"delay": 0, "hold": self.hold}}, 0.0)

    def plays(self) -> None:
        name = self.random.choice(list(self.streams))
        stream = self.streams[name]
        some, self.streams[name] = stream[:8], stream[8:]
        self.publisher.events(name, [Told(one, 0.0) for one in some], 0.0, whole=True)

    def publishes(self) -> None:
        self.publisher.due(0.0)
        rounds = self.publisher.rounds
        games = {pairing.game for one in rounds.values() for pairing in one.pairings} | set(self.streams)
        records = {key: kept.copy.record for key, kept in self.publisher.kept.items() if kept.copy.record.start}
        players = {name: self.publisher.players(name) for name in games}
        view = View(dict(rounds), dict(self.publisher.shown), records, {}, players, dict(self.publisher.people()))
        _, changes = self.pages.update(view)
        for change in changes:
            places = self.kept.setdefault((change.copy, change.round), {})
            for name, (place, text) in sorted(change.games.items(), key=lambda item: item[1][0]):
                assert list(places).index(name) == place if name in places else len(places) == place
                places[name] = text
        self.pages.serve()

    def starts_again(self) -> None:
        self.pages = Pages("open", feeds={key: dict(games) for key, games in self.kept.items()}, setups=self.setups)

    def is_looked_at(self) -> None:
        """As Lidraughts does; and nothing that anybody had before may be gone."""
        if "/feed/1.pdn" not in self.pages.pages:
            return
        for kind, broadcast in self.broadcasts.items():
            broadcast.fetch(self.pages.pages[f"/feed/1.{kind}"].body.decode())
            assert broadcast.format == kind
        order = list(self.kept[PUBLIC, "1"])
        assert order[: len(self.order)] == self.order
        self.order = order
        games = self.broadcasts["pdn"].games
        assert [one.tags["Round"] for one in games] == [f"1.{number}" for number in range(1, len(order) + 1)]
        said = {trouble.get("game") for trouble in self.pages.troubles}
        for name, one, chapter in zip(order, games, self.broadcasts["pdn"].chapters, strict=True):
            assert one.ignored == 0
            assert {"White", "Black", "Result", "GameType"} <= set(one.tags)
            assert chapter.moves[: len(one.moves)] == one.moves
            record = self.publisher.kept.get((PUBLIC, name))
            paired = any(pairing["game"] == name for pairing in self.pairings)
            if record is not None and record.copy.record.regulation != "pt-classicas" and paired and name not in said:
                assert one.moves == list(record.copy.record.moves)
        assert not [part for part in ("<", "\\", "[pdn") if part in self.pages.pages["/feed/1.pdn"].body.decode()]


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from(("truncate", "begin_behind")))
def test_each_text_is_taken_and_no_game_leaves_its_place(seed: int, setups: Setups) -> None:
    hall = Hall(seed, setups)
    hall.organises()
    for _ in range(40):
        hall.random.choices((hall.plays, hall.organises, hall.starts_again), (10, 2, 1))[0]()
        hall.publishes()
        hall.is_looked_at()
    body = hall.pages.pages["/feed/1.pdn"].body.decode() if hall.order else ""
    assert [game(text).tags["Round"] for text in texts(body, "pdn") if text] == [
        f"1.{number}" for number in range(1, len(hall.order) + 1)
    ]
