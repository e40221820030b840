"""A process that notes when each event of a hall arrives, and how long the broker's bare round trip takes meanwhile.

    python tests/benchmarks/event_subscriber.py PORT READER MEETING PROBE PROBES OUT

Prints `ready` once it listens. READER reads the events of MEETING; PROBE, an organiser of the meeting PROBES, publishes
a message as long as a move ten times a second and gets it back. (Passwords are `secret of NAME`.) At the end of stdin
both lists go to OUT, as JSON; times are monotonic.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

PROBE_SECONDS = 0.1
PROBE_SIZE = 450
"""About as long as a move's payload."""


class Listener:
    """A connection that notes what arrives under a filter; `listening` is set once it is subscribed."""

    def __init__(self, port: int, user: str, text: str) -> None:
        self.came: list[tuple[float, bytes]] = []
        self.listening = threading.Event()
        self.client = Client(CallbackAPIVersion.VERSION2, client_id=f"benchmark-{user}")
        self.client.username_pw_set(user, f"secret of {user}")
        self.client.on_message = self._message
        self.client.on_subscribe = self._subscribed
        self.client.connect("127.0.0.1", port)
        self.client.subscribe(text, 1)
        self.client.loop_start()

    def _subscribed(self, *answer: Any) -> None:
        self.listening.set()

    def _message(self, client: Client, data: Any, message: MQTTMessage) -> None:
        self.came.append((time.monotonic(), bytes(message.payload)))


def listen(port: int, reader: str, meeting: str, probe: str, probes: str, out: Path) -> None:
    events = Listener(port, reader, f"damas/v1/{meeting}/game/+/event")
    topic = f"damas/v1/{probes}/round/probe"
    trips = Listener(port, probe, topic)
    for listener in (events, trips):
        if not listener.listening.wait(20):
            raise SystemExit("the broker does not let the subscriber in")
    print("ready", flush=True)
    ended = threading.Event()
    threading.Thread(target=_wait_for_the_end, args=(ended,), daemon=True).start()  # noqa: TID251
    while not ended.wait(PROBE_SECONDS):
        sent = json.dumps({"sent": time.monotonic()})
        trips.client.publish(topic, sent.ljust(PROBE_SIZE), qos=1)
    for listener in (events, trips):
        listener.client.disconnect()
        listener.client.loop_stop()
    found = {
        "events": [(at, json.loads(payload)) for at, payload in events.came],
        "trips": [1000 * (at - json.loads(payload)["sent"]) for at, payload in trips.came],
    }
    out.write_text(json.dumps(found), encoding="utf-8")


def _wait_for_the_end(ended: threading.Event) -> None:
    sys.stdin.read()
    ended.set()


if __name__ == "__main__":
    _, port, reader, meeting, probe, probes, out = sys.argv
    listen(int(port), reader, meeting, probe, probes, Path(out))
