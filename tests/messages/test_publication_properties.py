"""Whatever a hall tells, however delays change and messages come again: what the public copy may never do."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from unruly import Unruly

from damas_board.messages.encoding import event_object
from damas_board.messages.envelope import Envelope, timestamp
from damas_board.messages.publication import _JUDGED, PUBLIC_KEYS, PublicCopy, Terms
from damas_board.messages.stream import Record, fold_event
from damas_board.regulations import names, shipped
from damas_board.session.header import Header
from damas_board.session.session import Session

UTC = "2026-01-31T18:00:00Z"


@dataclass
class Stream:
    """A random game of the hall. Every text of a move, a position, a result is another, to be found in any output."""

    random: Random
    at: float = 0.0
    record: Record = field(default_factory=Record)
    told: list[tuple[dict[str, Any], float]] = field(default_factory=list)
    revision: int = 0
    numbers: int = 0
    alerts: dict[str, int] = field(default_factory=dict)

    def fresh(self, kind: str) -> str:
        self.numbers += 1
        return f"<{kind}{self.numbers}>"

    def tell(self, event: str, **keys: Any) -> None:
        body = {"event": event, "at": self.at, **keys}
        self.record = fold_event(self.record, {"ts": UTC, **body})
        self.told.append((body, self.at))

    def step(self) -> None:
        self.at = round(self.at + self.random.choice((0.0, 0.5, 1.0, 3.0)), 3)
        if self.record.start is None:
            self.tell("game_started", game="g-1", regulation="br-cbjd", fen=self.fresh("fen"))
            return
        if self.record.over is not None:
            self.tell("game_reopened", by="<secret>", revision=self.bump())
            return
        plies = len(self.record.plies)
        kinds = ["move"] * 8 + ["piece_lifted", "clock", "held"]
        if plies:
            kinds += [
                "move_confirmed",
                "move_revised",
                "move_revised",
                "moves_retracted",
                "position_set",
                "odd",
                "over",
            ]
        match self.random.choice(kinds):
            case "move":
                self.ply("move", plies + 1)
            case "odd":
                id_ = self.fresh("alert")
                self.ply("move", plies + 1, irregular=True)
                self.alerts[id_] = plies + 1
                self.tell(
                    "alert", id=id_, kind="illegal_move", severity="irregular", ply=plies + 1, evidence="<secret>"
                )
            case "move_revised":
                self.rectified(plies)
                self.revision += 1
                self.ply("move_revised", plies, was=self.record.plies[-1].move)
            case "moves_retracted":
                first = self.random.randint(max(1, plies - 3), plies)
                self.rectified(first)
                self.tell("moves_retracted", from_ply=first, reason="<secret>", revision=self.bump(), fen="?")
            case "move_confirmed":
                self.tell("move_confirmed", ply=self.random.randint(1, plies), revision=self.revision)
            case "position_set":
                self.tell("position_set", fen=self.fresh("fen"), ply=plies, by="<secret>", revision=self.bump())
            case "over":
                end = {"winner": "draw", "result": self.fresh("result"), "reason": "agreed", "article": None}
                self.tell("game_over", **end, ply=plies, revision=self.revision)
            case "held":
                self.tell("publication", held=not self.record.held)
            case "clock":
                white = round(300 + self.numbers / 1000 + self.at, 3)
                self.tell("clock", white=white, black=1.0, running="white", stale=False, jump=77.125)
            case _:
                self.tell("piece_lifted", square="<secret>", side="white", since=self.at)
        if self.alerts and self.random.random() < 0.5:
            id_ = self.random.choice(sorted(self.alerts))
            del self.alerts[id_]
            self.tell("alert_closed", id=id_, how=self.random.choice(("stands", "dismissed")))

    def bump(self) -> int:
        self.revision += 1
        return self.revision

    def rectified(self, first: int) -> None:
        for id_ in [id_ for id_, ply in self.alerts.items() if ply >= first]:
            del self.alerts[id_]
            self.tell("alert_closed", id=id_, how="rectified")

    def ply(self, event: str, ply: int, irregular: bool = False, **keys: Any) -> None:
        rest = {
            **{"ply": ply, "side": "white" if ply % 2 else "black", "move": self.fresh("move"), "from": "a", "to": "b"},
            **{"path": [], "captured": [], "promoted": False, "fen": self.fresh("fen"), "provisional": True},
            **{"irregular": irregular, "basis": "seen", "down": self.at, "seconds": None, "revision": self.revision},
        }
        self.tell(event, **rest, **keys)


def entries(record: Record) -> list[str]:
    """What a record shows, as texts that are nowhere else: its start, its plies, its end."""
    shown = [] if record.start is None else [record.start]
    for ply in record.plies:
        shown += [ply.move, *({ply.body["fen"]: None, ply.fen: None})]
    return shown + ([] if record.over is None else [record.over["result"]])


def until(told: list[tuple[dict[str, Any], float]], cut: float) -> Record:
    record = Record()
    for body, at in told:
        if at > cut:
            break
        record = fold_event(record, {"ts": UTC, **body})
    return record


def moved_at(record: Record, alert: Any) -> float:
    """When the ply that an alert is about was first told as it is; an older alert was about another one."""
    if not alert["ply"] <= len(record.plies) or alert["kind"] in ("left_on_board", "removed_wrongly"):
        return 0.0
    return float(record.plies[alert["ply"] - 1].body["at"])


def judged(record: Record) -> Record:
    """The record up to the first irregular ply that nobody let stand."""
    stands = {
        alert["ply"] for alert in record.settled if alert["kind"] in _JUDGED and alert["at"] >= moved_at(record, alert)
    }
    setups = [ply.ply for ply in record.plies if ply.fen != ply.body["fen"]]
    for number, ply in enumerate(record.plies):
        if ply.irregular and record.over is None and ply.ply not in stands and ply.ply > max(setups, default=0):
            return Record(record.game, record.regulation, record.start, None, record.plies[:number])
    return record


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 2**32), st.booleans())
def test_the_public_copy_of_a_random_game(seed: int, restarts: bool) -> None:
    random = Random(seed)
    stream = Stream(random)
    copy = PublicCopy()
    published: list[dict[str, Any]] = []
    epoch, taken, cut, shown = 1, 0, -math.inf, Record()
    seen: set[str] = set()
    delay = random.choice((0.0, 0.0, 2.0, 5.0, 20.0))

    def read() -> None:
        nonlocal taken
        again = random.randint(0, taken)  # at least once, often twice
        for number, (body, at) in enumerate(stream.told[again:], again + 1):
            copy.take(Envelope("damas.event/1", timestamp(UTC, at), "t-1", "g-1", epoch, number, body), at)
        taken = len(stream.told)
        copy.caught_up()

    def publish(hold: bool = False) -> None:
        nonlocal cut, shown
        cut = max(cut, stream.at - delay)
        former = entries(shown)
        events = copy.publish(stream.at, Terms(delay, hold))
        for event in events:
            shown = fold_event(shown, event)
        published.extend(events)
        text = json.dumps(events)
        present = entries(shown)
        known = until(stream.told, cut)
        # 1: nothing younger than the delay, no secret, nothing but what is listed
        young = [
            entry
            for body, at in stream.told
            if at > cut
            for entry in (body.get("move"), body.get("fen"), body.get("result"))
        ]
        assert not [entry for entry in young if entry is not None and entry in text]
        assert "<secret>" not in text
        assert "77.125" not in text
        assert all({"ts"} | set(PUBLIC_KEYS[event["event"]]) >= set(event) for event in events)
        # 2: what is new is as the hall knows it today: a revision inside the delay never becomes public
        fresh = [entry for entry in present if entry not in former]
        assert set(fresh) <= set(entries(stream.record))
        # 3: nothing twice; what goes, goes because the hall says so
        assert not seen & set(fresh)
        seen.update(present)
        gone = [entry for entry in former if entry not in present]
        assert not set(gone) & set(entries(known))
        assert not ((hold or stream.record.held) and events)
        assert copy.record.moves == shown.moves

    for _ in range(random.randint(1, 60)):
        stream.step()
        if random.random() < 0.7:
            read()
            publish(hold=random.random() < 0.1)
        if random.random() < 0.1:
            delay = random.choice((0.0, 1.0, 2.0, 5.0, 20.0))
        if restarts and random.random() < 0.1:
            place = copy.place
            copy, taken = PublicCopy(published, place), 0
        elif restarts and random.random() < 0.05:
            epoch, taken = epoch + 1, 0
    # 4: when everything is due, the public has what the hall has
    if stream.record.held:
        stream.tell("publication", held=False)
    stream.at += 100.0
    read()
    publish()
    final, whole = entries(judged(stream.record)), entries(stream.record)
    assert final == entries(shown) or (
        final == entries(shown)[: len(final)] and entries(shown) == whole[: len(entries(shown))]
    )
    assert shown.revision <= stream.record.revision
    if shown.plies and shown.moves == stream.record.moves and shown.over is not None:
        assert shown.revision == stream.record.revision
    # 5: nothing is left, and coming again changes nothing
    read()
    assert copy.publish(stream.at, Terms(0.0)) == []


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(names()), st.sampled_from(("occupancy", "colour", "kind")), st.integers(0, 10_000))
def test_the_public_copy_of_an_unruly_game_is_the_hall_s_record_in_the_end(
    regulation: str, senses: Any, seed: int
) -> None:
    header = Header("t", regulation, senses=senses, game="g", clock="300+5" if seed % 2 else None)
    rules = shipped(regulation)
    session = Session(header, rules)
    hall, shown, copy = Record(), Record(), PublicCopy()
    seq, at = 0, 0.0
    delay = (0.0, 2.0, 10.0)[seed % 3]
    for item in Unruly(session, header, rules, seed).inputs(40):
        for event in session.feed(item):
            seq, at = seq + 1, event.at
            body = json.loads(json.dumps(event_object(event)))
            envelope = Envelope("damas.event/1", timestamp(UTC, at), "t", "g", 1, seq, body)
            hall = fold_event(hall, {"ts": envelope.ts, **body})
            copy.take(envelope, at)
            copy.caught_up()
            for told in copy.publish(at, Terms(delay)):
                shown = fold_event(shown, told)
    body = {"event": "publication", "at": at, "held": False}
    copy.take(Envelope("damas.event/1", timestamp(UTC, at), "t", "g", 1, seq + 1, body), at)
    for told in copy.publish(at + 100.0, Terms(0.0)):
        shown = fold_event(shown, told)
    final = judged(hall)
    length = max(len(final.plies), len(shown.plies))  # what an end let stand stays when that is taken back
    assert [(ply.move, ply.fen, ply.irregular) for ply in shown.plies] == [
        (ply.move, ply.fen, ply.irregular) for ply in hall.plies[:length]
    ]
    if final is hall:
        assert (shown.start, shown.fen) == (hall.start, hall.fen)
        assert (shown.over or {}).get("result") == (hall.over or {}).get("result")
        assert [ply.confirmed for ply in shown.plies] == [ply.confirmed for ply in hall.plies]
