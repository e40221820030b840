"""Is everything ready for the round: each board looked at, and what the machine, the broker and the disk must give.

Every check is made, whatever another one found: a volunteer mends a list faster than a riddle. The boards are opened
side by side and looked at for a while. Where the gateway runs already, and the configuration has the password of
somebody who may read the hall, the boards are looked at through the broker instead: their ports are in use. Where it
has none, that the gateway has them is no fault either: nobody is told to stop it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path

import aiomqtt

from damas_board.app.board import BoardSetup
from damas_board.app.camera_readiness import CameraReadiness
from damas_board.app.display import MakeSource
from damas_board.app.machine import ENOUGH_FREE, clock_is_kept, free_bytes
from damas_board.app.readiness import Check, Finding, Readiness
from damas_board.app.running_hall import RunningHall
from damas_board.broker.client import client
from damas_board.broker.embedded import EmbeddedBroker
from damas_board.broker.errors import BrokerStartError
from damas_board.config import BoardSettings, Config
from damas_board.config.settings import TableCamera
from damas_board.hub.archive import Archive, ArchiveError
from damas_board.messages.access import Role
from damas_board.sinks.errors import JournalError, PdnFolderError
from damas_board.sinks.journal import JournalReader
from damas_board.sinks.journal_file import written_now
from damas_board.sinks.pdn import probe_folder
from damas_board.sources.adapter_file import fault
from damas_board.sources.errors import BoardError
from damas_board.tracking.sight import SightError

LOOK_SECONDS = 3.0
"""How long a board is looked at where nobody watches for more."""
READERS: tuple[Role, ...] = ("organiser", "arbiter", "hub")
"""Who may read what the boards of a hall show."""
HELD = ("port_in_use", "board_missing", "camera_failed", "camera_blocked", "no_stream")
"""What is wrong with a device, as others see it, that a gateway has."""
CAMERA_SECONDS = 10.0
"""How long a camera is looked through at least, until it is ready: it has to find the board first."""
EARLIER_READINGS = 20_000
"""Readings of earlier games that are gone through, the newest."""


@dataclass(slots=True)
class Part:
    """What was found of one of those that watch a board."""

    findings: list[Finding] = field(default_factory=list)

    @property
    def ready(self) -> bool:
        return bool(self.findings) and all(finding.verdict == "ok" for finding in self.findings)


@dataclass(slots=True)
class BoardReport:
    """A board and what was found of it."""

    board: str
    table: str
    findings: list[Finding] = field(default_factory=list)
    asked: str | None = None
    """The square from which a piece should be lifted, to show how the board lies."""
    unseen: tuple[str, ...] = ()
    """Squares that were not yet seen both with a piece and without."""

    @property
    def ready(self) -> bool:
        return bool(self.findings) and all(finding.verdict == "ok" for finding in self.findings)


@dataclass(slots=True)
class Report:
    """What a preflight found; `machine` is what is not any board's."""

    boards: list[BoardReport]
    machine: list[Finding] = field(default_factory=list)

    @property
    def ready(self) -> bool:
        return all(board.ready for board in self.boards) and all(found.verdict == "ok" for found in self.machine)


class Preflight:
    """`await Preflight(...).run()` looks at everything; `report` is what is known by then, at any time."""

    def __init__(self, config: Config, boards: Sequence[tuple[BoardSettings, BoardSetup]]) -> None:
        self._config = config
        self._boards = boards
        self._runs = False
        """Whether a gateway writes this configuration's journal."""
        self.report = Report([BoardReport(s.header.board, s.header.table or s.header.board) for s, _ in boards])

    async def run(self, seconds: float | None = LOOK_SECONDS) -> Report:
        """The report after `seconds` of looking at the boards; None looks until all are ready."""
        async with contextlib.AsyncExitStack() as stack:
            self._runs = await asyncio.to_thread(written_now, self._config.journal)
            hall = await self._running(stack)
            looks = [
                self._board(settings, setup, report, seconds, hall)
                for (settings, setup), report in zip(self._boards, self.report.boards, strict=True)
            ]
            await asyncio.gather(self._machine(hall is not None), *looks)
        return self.report

    async def _running(self, stack: contextlib.AsyncExitStack) -> RunningHall | None:
        """The hall as its gateway shows it; None where no gateway runs, or nobody may be asked."""
        config = self._config
        readers = [user.name for user in config.users if user.role in READERS and user.name in config.addresses]
        if not readers or not config.address.port:  # an embedded broker at port 0 is found by nobody
            return None
        hall = RunningHall(config.addresses[readers[0]], config.meeting, config.gateway)
        try:
            await stack.enter_async_context(hall)
        except aiomqtt.MqttError:  # what is wrong with the broker is a check of its own
            return None
        return hall if hall.online else None

    # a board

    async def _board(
        self,
        settings: BoardSettings,
        setup: BoardSetup,
        report: BoardReport,
        seconds: float | None,
        hall: RunningHall | None,
    ) -> None:
        sensors, camera = Part(), Part()

        def update() -> None:
            report.findings = [*sensors.findings, *camera.findings]

        looks = []
        if setup.source is not None:
            looks.append(self._sensors(settings, setup, report, sensors, update, seconds, hall))
        if setup.camera is not None and settings.camera is not None:
            looks.append(self._camera(settings, setup.camera, settings.camera, camera, update, seconds, hall))
        if not looks:
            report.findings = [Finding("board", "ok", "no_sensors")]
        await asyncio.gather(*looks)

    async def _camera(
        self,
        settings: BoardSettings,
        make: MakeSource,
        camera: TableCamera,
        part: Part,
        update: Callable[[], None],
        seconds: float | None,
        hall: RunningHall | None,
    ) -> None:
        """Whether the camera opens, gives pictures, and sees the board in them."""
        name = settings.header.board
        alone = not settings.sensors
        readiness = CameraReadiness(settings.header, settings.regulation, camera.profile.separation, alone=alone)
        now = asyncio.get_running_loop().time
        began = now()
        try:
            async with contextlib.AsyncExitStack() as stack:
                if hall is not None:
                    inputs = hall.inputs(name) if alone else hall.cameras(name)
                else:
                    inputs = aiter(await stack.enter_async_context(make(now)))
                part.findings = readiness.findings()
                update()
                async with asyncio.timeout_at(None if seconds is None else began + max(seconds, CAMERA_SECONDS)):
                    async for item in inputs:
                        readiness.take(item)
                        part.findings = readiness.findings()
                        update()
                        if readiness.ready:
                            return
        except TimeoutError:
            pass
        except BoardError as error:
            part.findings = [self._unusable("camera", error)]
            update()

    async def _sensors(
        self,
        settings: BoardSettings,
        setup: BoardSetup,
        report: BoardReport,
        part: Part,
        update: Callable[[], None],
        seconds: float | None,
        hall: RunningHall | None,
    ) -> None:
        earlier = await asyncio.to_thread(lambda: list(_earlier(self._config.journal, settings.header.board)))
        readiness = _readiness(settings, earlier)
        answered: Finding | None = None
        began = asyncio.get_running_loop().time()
        try:
            async with contextlib.AsyncExitStack() as stack:
                assert setup.source is not None
                if hall is not None:
                    inputs = hall.inputs(settings.header.board)
                else:
                    source = await stack.enter_async_context(setup.source(asyncio.get_running_loop().time))
                    inputs = aiter(source)
                answered = Finding("board", "ok", "answers", dict(setup.info()))
                async with asyncio.timeout_at(None if seconds is None else began + seconds):
                    async for item in inputs:
                        readiness.take(item)
                        self._update(report, part, answered, readiness, settings)
                        update()
                        if seconds is None and part.ready:
                            return
        except TimeoutError:
            pass
        except (BoardError, SightError) as error:
            answered = self._unusable("board", error)
        except Exception as error:
            own = None if settings.adapter is None else settings.adapter.file
            if own is None:
                raise
            place, what = fault(error, own)
            answered = Finding("board", "wrong", "adapter_fault", {"place": place, "what": what})
        self._update(report, part, answered, readiness, settings)
        update()

    def _unusable(self, check: Check, error: BoardError | SightError) -> Finding:
        if self._runs and isinstance(error, BoardError) and error.key in HELD:
            return Finding(check, "unproven", "gateway_has")
        return Finding(check, "wrong", "board_error", {"error": error})

    def _update(
        self,
        report: BoardReport,
        part: Part,
        answered: Finding | None,
        readiness: Readiness,
        settings: BoardSettings,
    ) -> None:
        geometry = settings.regulation.variant.geometry
        if answered is not None and answered.verdict != "ok":
            findings = [answered]
        else:
            shown = readiness.findings()
            lost = any(finding.check == "board" for finding in shown)
            findings = shown if lost or answered is None else [answered, *shown]
        part.findings = findings
        report.asked = None if readiness.asked is None else geometry.name(readiness.asked)
        report.unseen = geometry.names(readiness.unseen)

    # the machine

    async def _machine(self, asked: bool) -> None:
        checks = [self._journal, self._games, self._disk, self._clock]
        if self._config.hub is not None:
            checks.insert(0, partial(self._database, self._config.hub.archive))
        found = await asyncio.gather(self._broker(asked), *(asyncio.to_thread(check) for check in checks))
        self.report.machine.extend(found)

    async def _broker(self, asked: bool) -> Finding:
        """`asked`: the boards are looked at through it."""
        config = self._config
        if asked:
            place = {"broker": f"{config.address.host}:{config.address.port}", "gateway": config.gateway}
            return Finding("broker", "ok", "gateway_runs", place)
        if config.embedded is not None:
            settings = config.embedded
            place = {"broker": f"{settings.host}:{settings.port}"}
            try:
                async with EmbeddedBroker((), host=settings.host, port=settings.port, tls=settings.tls):
                    return Finding("broker", "ok", "broker_free", place)
            except BrokerStartError as error:
                if self._runs and error.key == "port_taken":
                    return Finding("broker", "ok", "gateway_listens", {**place, "gateway": config.gateway})
                return Finding("broker", "wrong", "broker_error", {"error": error})
        address = config.address
        place = {"broker": f"{address.host}:{address.port}"}
        try:
            async with client(address, identifier=f"damas-{config.meeting}-{address.user}-preflight"):
                return Finding("broker", "ok", "broker", place)
        except aiomqtt.MqttError as error:
            return Finding("broker", "wrong", "broker_away", {**place, "login": address.user, "reason": str(error)})

    def _database(self, url: str) -> Finding:
        try:
            Archive.open(url).close()
        except ArchiveError as error:
            return Finding("database", "wrong", "archive_error", {"error": error})
        return Finding("database", "ok", "archive")

    def _journal(self) -> Finding:
        path = self._config.journal
        try:
            games = len(JournalReader.read(path).games())
        except FileNotFoundError:
            return Finding("journal", "ok", "journal_new", {"journal": path})
        except (JournalError, OSError) as error:
            return Finding("journal", "wrong", "journal_error", {"error": error})
        return Finding("journal", "ok", "journal", {"journal": path, "games": games})

    def _games(self) -> Finding:
        try:
            probe_folder(self._config.pdn)
        except PdnFolderError as error:
            return Finding("games", "wrong", "games_error", {"error": error})
        return Finding("games", "ok", "games", {"folder": self._config.pdn})

    def _disk(self) -> Finding:
        places = {self._config.journal, self._config.pdn}
        free = min(free_bytes(path) for path in places)
        facts = {"free": free // 1024**2, "enough": ENOUGH_FREE // 1024**2}
        return Finding("disk", "ok", "disk", facts) if free >= ENOUGH_FREE else Finding("disk", "wrong", "full", facts)

    def _clock(self) -> Finding:
        match clock_is_kept():
            case True:
                return Finding("clock", "ok", "clock")
            case False:
                return Finding("clock", "unproven", "clock_free")
            case None:
                return Finding("clock", "unproven", "clock_unknown")


def _readiness(settings: BoardSettings, earlier: Sequence[str]) -> Readiness:
    try:
        return Readiness(settings.header, settings.regulation, earlier)
    except SightError:  # the games of a board of another size, by this name
        return Readiness(settings.header, settings.regulation)


def _earlier(journal: Path, board: str) -> Iterator[str]:
    """What a board of this name showed before; nothing where there is no journal that can be read."""
    try:
        yield from islice(JournalReader.read(journal).readings(board), EARLIER_READINGS)
    except (JournalError, OSError):
        return
