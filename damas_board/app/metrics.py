"""A gateway's figures for Prometheus: read when they are asked for, never kept; served beside the event loop.

prometheus_client serves from a thread of its own, so a slow reader holds nothing up; what it reads are plain numbers.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from damas_board.app.gateway import GatewayFigures
from damas_board.config.settings import MetricsSettings
from damas_board.sinks.errors import SinkError

PREFIX = "damas_board"
ASK_SECONDS = 5.0
"""How long a reader waits for the event loop."""

BOARD: dict[str, tuple[bool, str]] = {
    "up": (False, "Whether the board is connected (1) or not (0)"),
    "sensors": (False, "Whether the table has a sensor board"),
    "failed": (False, "Whether the board stands still after a fault of this program"),
    "inbox": (False, "Inputs that wait to be taken"),
    "inputs": (True, "Inputs taken"),
    "lost": (True, "How often the link was lost"),
    "restarts": (True, "How often this program's code for the board broke and was started again"),
    "plies": (False, "Plies of the game on the board"),
    "alerts": (False, "Open alerts"),
    "suspects": (False, "Squares whose sensors are not relied on at present"),
}
"""Of each board: whether it only grows, and what it is."""
GATEWAY: dict[str, tuple[bool, str]] = {
    "connected": (False, "Whether the broker is connected"),
    "connections": (True, "Connections to the broker"),
    "published": (True, "Messages that the broker acknowledged"),
    "inbox": (False, "Inputs of all boards that wait to be taken"),
    "outbox": (False, "Events and answers that the broker has not acknowledged yet"),
    "unwritten": (False, "Units of work that wait for the journal's file"),
    "journal_alarm": (False, "Whether the journal cannot be written"),
    "boards_lost": (False, "Boards that were lost at once and are not back"),
    "unknown_boards": (False, "Boards on the ports that the configuration does not name"),
}
"""Of the gateway itself, likewise."""


class MetricsError(SinkError):
    """The figures cannot be served where the configuration says."""


class FiguresCollector(Collector):
    """Turns figures into Prometheus' metrics, each time they are asked for."""

    def __init__(self, figures: Callable[[], GatewayFigures], gateway: str, meeting: str) -> None:
        self._figures = figures
        self._labels = {"gateway": gateway, "meeting": meeting}

    def collect(self) -> Iterable[Metric]:
        figures = self._figures()
        own = tuple(self._labels)
        for name, (grows, text) in GATEWAY.items():
            metric = _family(f"{PREFIX}_gateway_{name}", text, grows, own)
            metric.add_metric(list(self._labels.values()), float(getattr(figures, name)))
            yield metric
        for name, (grows, text) in BOARD.items():
            metric = _family(f"{PREFIX}_board_{name}", text, grows, (*own, "board"))
            for board, of in figures.boards.items():
                metric.add_metric([*self._labels.values(), board], float(getattr(of, name)))
            yield metric


def _family(name: str, text: str, grows: bool, labels: Iterable[str]) -> Any:
    return (CounterMetricFamily if grows else GaugeMetricFamily)(name, text, labels=list(labels))


@asynccontextmanager
async def metrics_served(
    figures: Callable[[], GatewayFigures], gateway: str, meeting: str, place: MetricsSettings
) -> AsyncIterator[int]:
    """Serves `/metrics` for the time of the block; the port where it listens. MetricsError where it cannot.

    `figures` is called in the event loop in which this is entered.
    """
    loop = asyncio.get_running_loop()

    async def ask() -> GatewayFigures:
        return figures()

    def asked() -> GatewayFigures:
        """From the server's thread: the figures as the loop has them."""
        return asyncio.run_coroutine_threadsafe(ask(), loop).result(ASK_SECONDS)

    registry = CollectorRegistry()
    try:
        server, thread = start_http_server(place.port, place.host, registry)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise MetricsError("metrics_place", host=place.host, port=place.port, reason=reason) from error
    registry.register(FiguresCollector(asked, gateway, meeting))
    try:
        yield server.server_port
    finally:
        await asyncio.to_thread(server.shutdown)  # a reader may be waiting for this loop
        server.server_close()
        await asyncio.to_thread(thread.join)
