"""The live page under many viewers: how long a move is on its way from MQTT to each page, and what the hub needs.

    python tests/benchmarks/viewers.py --viewers 20 100 200 --games 32 --seconds 60

Four kinds of process stand apart: Mosquitto (with the files that the project writes for it), the hub (as `damas-board
hub` starts it, its stores on the disk), this one, which is the gateway of all games, and one that is all the pages,
each with an HTTP connection of its own (page_viewers.py). Every game gets a legal ply every so many seconds, spread
evenly. A latency begins before the hall's event is given to MQTT and ends when a page has read the event of that ply;
beside it stands when the same ply is public on MQTT, which is the hub's own part: what comes within 30 ms it makes
public together, and on the disk first. On a machine that does other work only the CPU's seconds mean much. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import gateway as bench
from event_subscriber import Listener
from gateway import Used
from paho.mqtt.client import Client, MQTTMessage

from damas_board.broker import mosquitto
from damas_board.broker.logins import login
from damas_board.messages.access import User
from damas_board.messages.envelope import Envelope, encode, object_of, rfc3339
from damas_board.notation.fen import write_fen
from damas_board.notation.moves import write_move
from damas_board.regulations import shipped
from damas_board.rules.generation import legal_moves
from damas_board.rules.position import initial

MEETING, REGULATION = "hall", "br-cbjd"
WARM_SECONDS = 5.0
"""Of play before anything is measured."""
USERS = (
    User("gateway", "gateway", MEETING, games=("*",)),
    User("hub", "hub", MEETING, publishes=True),
    User("screen", "viewer", MEETING),
)


class Games:
    """Random legal games without an end: where one has ended the next begins at its board."""

    def __init__(self, client: Client, number: int) -> None:
        self.sent: dict[tuple[str, int], float] = {}
        """When each ply was given to MQTT."""
        self._client = client
        self._told: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        client.on_message = self._asked
        self._random = Random(number)
        self._games = [0] * number
        self._position = [initial(shipped(REGULATION).variant)] * number
        self._moves: list[list[str]] = [[] for _ in range(number)]
        self._seq = [0] * number
        for index in range(number):
            self._begin(index)

    def play(self, index: int) -> None:
        """The next ply of one of them."""
        before = self._position[index]
        legal = legal_moves(before)
        if not legal or len(self._moves[index]) > 120:
            self._begin(index)
            return
        move = self._random.choice(legal)
        after = self._position[index] = before.after(move)
        names = before.variant.geometry.names
        text = write_move(before, move, legal)
        self._moves[index].append(text)
        ply = len(self._moves[index])
        self.sent[self._name(index), ply] = time.monotonic()
        now = time.time()
        body = {
            "event": "move",
            "at": now,
            "ply": ply,
            "side": before.turn.label,
            "move": text,
            "from": names(move.path)[0],
        }
        body |= {"to": names(move.path)[-1], "path": list(names(move.path)), "captured": list(names(move.captured))}
        body |= {"promoted": move.promotes, "fen": write_fen(after), "provisional": True, "irregular": False}
        self._tell(index, {**body, "basis": "seen", "down": now, "seconds": 2.5, "revision": 0})

    def _begin(self, index: int) -> None:
        self._games[index] += 1
        self._seq[index] = 0
        self._moves[index] = []
        start = self._position[index] = initial(shipped(REGULATION).variant)
        players = {"white": {"name": f"Ana {index}"}, "black": {"name": f"Rui {index}"}}
        told = {"game": self._name(index), "regulation": REGULATION, "fen": write_fen(start), "players": players}
        self._tell(index, {"event": "game_started", "at": time.time(), **told, "table": str(index + 1)})

    def _name(self, index: int) -> str:
        return f"g-{index}-{self._games[index]}"

    def _tell(self, index: int, body: dict[str, Any]) -> None:
        self._seq[index] += 1
        game, ts = self._name(index), rfc3339(datetime.fromtimestamp(body["at"], UTC))
        place = f"damas/v1/{MEETING}/game/{game}"
        event = Envelope("damas.event/1", ts, f"t-{index}", game, 1, self._seq[index], body)
        state = {"at": body["at"], "regulation": REGULATION, "start": write_fen(initial(shipped(REGULATION).variant))}
        state |= {"fen": body["fen"], "moves": self._moves[index], "revision": 0, "alerts": []}
        self._told[game].append(object_of(event))
        self._client.publish(f"{place}/event", encode(event), qos=1)
        shown = Envelope("damas.state/1", ts, f"t-{index}", game, 1, self._seq[index], state)
        self._client.publish(f"{place}/state", encode(shown), qos=1, retain=True)

    def _asked(self, client: Client, data: Any, message: MQTTMessage) -> None:
        """The hub began to listen a moment after the games did."""
        asked = json.loads(message.payload)
        events = self._told[asked["game"]][asked["seq"] if asked["epoch"] == 1 else 0 :]
        answer = {"schema": "damas.answer/1", "ts": rfc3339(datetime.now(UTC)), "game": asked["game"]}
        answer |= {"id": asked["id"], "want": "since", "outcome": "done", "events": events, "piece": 1, "pieces": 1}
        client.publish(f"damas/v1/{MEETING}/ack/hub", json.dumps(answer), qos=1)


def run(viewers: int, games: int, interval: float, seconds: float, folder: Path) -> dict[str, Any]:
    """One run; the figures. SystemExit where a page has not got every ply."""
    port, web = bench._free_port(), bench._free_port()
    config = _configure(folder, port, web)
    with ExitStack() as stack:
        stack.enter_context(bench._process([bench._mosquitto(), "-c", str(folder / "broker" / "mosquitto.conf")]))
        bench._until_open(port)
        hub = stack.enter_context(bench._process([sys.executable, "-m", "damas_board", "hub", str(config)]))
        bench._until_open(web)
        teller = Listener(port, "gateway", f"damas/v1/{MEETING}/req/+")
        public = Listener(port, "screen", f"damas/v1/{MEETING}/public/game/+/state")
        for listener in (teller, public):
            if not listener.listening.wait(20):
                raise SystemExit("the broker does not let the benchmark in")
        playing = Games(teller.client, games)
        pages = stack.enter_context(bench._script("page_viewers", web, viewers, folder / "pages.json"))
        bench._expect(pages, '"ready"', "ready")
        _play(playing, games, interval, WARM_SECONDS)
        alone, before = Used.by(pages.pid), Used.by(hub.pid)
        _play(playing, games, interval, seconds)
        after, crowd = Used.by(hub.pid), Used.by(pages.pid)
        time.sleep(3.0)  # noqa: TID251
        bench._end(pages)
        for listener in (teller, public):
            listener.client.disconnect()
            listener.client.loop_stop()
    told = json.loads((folder / "pages.json").read_text(encoding="utf-8"))
    measured = {key: at for key, at in playing.sent.items() if before.wall <= at < after.wall}
    latencies = _latencies(measured, told["plies"], viewers)
    wall = after.wall - before.wall
    first: dict[tuple[str, int], float] = {}
    for at, payload in public.came:
        body = json.loads(payload)
        for ply in range(len(body["moves"]), 0, -1):
            if first.setdefault((body["game"], ply), at) != at:
                break
    return {
        "viewers": viewers,
        "games": games,
        "moves/s": round(len(measured) / wall, 1),
        "events/s": round(sum(before.wall <= at < after.wall for at, *_ in told["plies"]) / wall),
        "connect": told["connected"],
        "page": bench._spread([1000 * one for one in latencies]),
        "mqtt": bench._spread([1000 * (first[key] - at) for key, at in measured.items() if key in first]),
        "hub cpu": round((after.cpu - before.cpu) / wall, 3),
        "hub rss": (round(before.rss, 1), round(after.rss, 1)),
        "pages cpu": round((crowd.cpu - alone.cpu) / wall, 3),
        "others": round(
            (after.machine - before.machine - (after.cpu - before.cpu) - (crowd.cpu - alone.cpu)) / wall, 2
        ),
    }


def _play(playing: Games, games: int, interval: float, seconds: float) -> None:
    """Every game in turn, evenly spread over `interval`."""
    began, step = time.monotonic(), interval / games
    for number in range(round(seconds / step)):
        wait = began + number * step - time.monotonic()
        if wait > 0:
            time.sleep(wait)  # noqa: TID251
        playing.play(number % games)


def _latencies(sent: dict[tuple[str, int], float], came: list[Any], viewers: int) -> list[float]:
    """Seconds, one for each ply and page; plies that were made public together come in one event, the newest's."""
    heard: defaultdict[str, defaultdict[int, list[tuple[int, float]]]] = defaultdict(lambda: defaultdict(list))
    for at, page, game, ply in came:
        heard[game][page].append((ply, at))
    found = []
    for (game, ply), begun in sent.items():
        for page in range(viewers):
            at = next((at for newest, at in heard[game][page] if newest >= ply), None)
            if at is None:
                raise SystemExit(f"ply {ply} of {game} did not come to page {page}")
            found.append(at - begun)
    return found


def _configure(folder: Path, port: int, web: int) -> Path:
    """The broker's files and the hub's configuration; its path."""
    logins = [login(user, f"secret of {user.name}") for user in USERS]
    user = bench.getpass.getuser()
    mosquitto.write_files(folder / "broker", logins, mosquitto.Listener(port=port), run_as=user)
    secret = folder / "secret"
    secret.touch(0o600)
    secret.write_text("secret of hub", encoding="utf-8")
    lines = [f'meeting = "{MEETING}"', "[broker]", 'kind = "server"', 'host = "127.0.0.1"', f"port = {port}"]
    lines += ["[[user]]", 'name = "hub"', 'role = "hub"', 'password_file = "secret"', "publishes = true"]
    lines += ["[hub]", 'user = "hub"', "delay = 0", f"port = {web}"]
    path = folder / "hub.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _print(found: dict[str, Any]) -> None:
    page, mqtt = found["page"], found["mqtt"]
    print(
        f"{found['viewers']} viewers, {found['games']} games: {found['moves/s']} moves/s, {found['events/s']} events/s "
        f"to pages (all connected in {found['connect']} s)"
    )
    for name, spread in (("to the pages", page), ("public on MQTT", mqtt)):
        print(f"  {name}: p50 {spread['p50']}, p90 {spread['p90']}, p99 {spread['p99']}, most {spread['max']} ms")
    print(
        f"  hub: {100 * found['hub cpu']:.0f} % of a core, resident {found['hub rss'][0]} to {found['hub rss'][1]} MB; "
        f"the pages' process {100 * found['pages cpu']:.0f} %, everything else {100 * found['others']:.0f} %",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--viewers", type=int, nargs="+", default=[20, 100, 200])
    parser.add_argument("--games", type=int, default=32)
    parser.add_argument("--interval", type=float, default=2.5, help="seconds between two plies of a game")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON, one line a run")
    options = parser.parse_args()
    for viewers in options.viewers:
        with TemporaryDirectory(prefix="damas-viewers-") as folder:
            found = run(viewers, options.games, options.interval, options.seconds, Path(folder))
        print(json.dumps(found), flush=True) if options.json else _print(found)


if __name__ == "__main__":
    os.environ.setdefault("DAMAS_LANG", "en")
    main()
