"""The camera source with a camera in the place of cv2's: its age, its hanging, its freezing, its going and coming."""

from __future__ import annotations

import asyncio
import itertools
import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from queue import Queue
from typing import Any

import cv2
import numpy as np
import pytest
from sources.bench import PATIENCE_SECONDS, Listener
from sources.filmed import FilmedBench, camera_tree, name, profile

from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.profile import Profile
from damas_board.decoding.vision.watching import Observation, Seen, Status
from damas_board.session.inputs import Link, See
from damas_board.sources.camera import REASONS, CameraBoard
from damas_board.sources.camera_places import CameraPlace, Whereabouts, cameras
from damas_board.sources.camera_settings import CameraSettings, Keeping
from damas_board.sources.errors import BoardError
from damas_board.sources.reconnection import Backoff
from simulator.camera.stream import Stream, write_video

SIZE = (48, 64)
BITS = 16


def numbered(number: int, size: tuple[int, int] = SIZE) -> Picture:
    """A picture that says which one it is, whatever the compression."""
    picture = np.full((*size, 3), 20, dtype=np.uint8)
    picture[:8] = number % 7 * 4
    for bit in range(BITS):
        side = size[1] // BITS
        picture[16:, bit * side : (bit + 1) * side] = 230 if number >> bit & 1 else 20
    return picture


def number_of(picture: Picture) -> int:
    side = picture.shape[1] // BITS
    row = picture[picture.shape[0] // 2 + 8, side // 2 :: side, 1]
    return sum(1 << bit for bit in range(BITS) if row[bit] > 125)


class Driver:
    """A camera as cv2 gives it: a picture every `every` seconds, as many as nobody fetched wait; and its troubles."""

    def __init__(self, *, every: float = 0.01, refuses: tuple[int, ...] = ()) -> None:
        self.every = every
        self.places: set[str] = {"/dev/video0"}
        """Where it is; nowhere while it is unplugged."""
        self.opened: list[str] = []
        self.open_now = 0
        self.frozen = self.hangs = self.hanging = self.is_dark = self.is_empty = False
        self.taken = 0
        self.set_to: dict[int, float] = {}
        self.asked: list[tuple[int, float]] = []
        self.refuses = refuses
        self.lightness: Callable[[Mapping[int, float]], int] = lambda settings: 0
        self.released = threading.Event()
        self._began = time.monotonic()

    @property
    def made(self) -> int:
        """How many pictures it has taken, fetched or not."""
        return int((time.monotonic() - self._began) / self.every)

    def await_picture(self) -> None:
        """Wait for the picture behind the last that was fetched; it is there already if nobody fetched it in time."""
        due = self._began + (self.taken + 1) * self.every
        time.sleep(max(0.0, due - time.monotonic()))  # noqa: TID251  the camera's own pace

    def __call__(self, place: str, settings: CameraSettings) -> _Capture:
        capture = _Capture(self, place)
        if place in self.places:
            self._began = time.monotonic() - self.taken * self.every
            self.opened.append(place)
            self.open_now += 1
        return capture


class _Capture:
    def __init__(self, driver: Driver, place: str) -> None:
        self._driver = driver
        self._place = place
        self._open = place in driver.places
        self._picture = numbered(0)

    def isOpened(self) -> bool:
        return self._open

    def grab(self) -> bool:
        driver = self._driver
        if driver.hangs:
            driver.hanging = True
            driver.released.wait(PATIENCE_SECONDS)
            return False
        driver.await_picture()
        if self._place not in driver.places:
            return False
        if not driver.frozen:
            driver.taken += 1
        return True

    def retrieve(self) -> tuple[bool, Picture]:
        if self._driver.is_empty:
            return True, np.empty((0, 0, 3), dtype=np.uint8)
        if self._driver.is_dark:
            return True, np.zeros((*SIZE, 3), dtype=np.uint8)
        return True, numbered(self._driver.taken) + np.uint8(self._driver.lightness(self._driver.set_to))

    def get(self, prop: int) -> float:
        return self._driver.set_to.get(prop, 120.0)

    def set(self, prop: int, value: float) -> bool:
        self._driver.asked.append((prop, value))
        if prop in self._driver.refuses:
            return False
        self._driver.set_to[prop] = value
        return True

    def release(self) -> None:
        if self._open:
            self._driver.open_now -= 1
        self._open = False


class Numbers:
    """In the place of a watcher: rows are the number of the picture, after a while that the looking takes."""

    def __init__(self, profile: Profile, *, takes: float = 0.0, status: Queue[Status] | None = None) -> None:
        self.profile = profile
        self._takes = takes
        self._last: Picture | None = None
        self._last_at = 0.0

    def look(self, picture: Picture, at: float) -> list[Observation]:
        time.sleep(self._takes)  # noqa: TID251  a slow machine
        if self._last is not None and np.array_equal(picture, self._last):
            return [Status(at, "FROZEN")] if at - self._last_at > 0.2 else []
        self._last, self._last_at = picture, at
        return [Seen(at, str(number_of(picture)))]


class Scripted:
    """In the place of a watcher: what the test says it sees with the next picture."""

    def __init__(self) -> None:
        self.says: Queue[list[Any]] = Queue()
        self.profile = profile()

    def __call__(self, profile: Profile) -> Scripted:
        return self

    def look(self, picture: Picture, at: float) -> list[Observation]:
        if self.says.empty():
            return []
        return [say(at) for say in self.says.get()]


def camera(driver: Driver, settings: CameraSettings | None = None, **options: Any) -> CameraBoard:
    options = {
        "watcher": Numbers,
        "backoff": Backoff(0.01, 2.0, 0.05, local=0.05, look=0.02),
        "looks": 1000.0,
    } | options
    where = options.pop("whereabouts", None) or Whereabouts("/dev/video0", Path("/nowhere"), Path("/nowhere"))
    given = settings or CameraSettings("/dev/video0")
    return CameraBoard(
        given, profile(), time.monotonic, name=name, by="camera", capture=driver, whereabouts=where, **options
    )


async def until(condition: Callable[[], object]) -> None:
    """Wait for what the driver's threads bring about, which tell nobody."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def seen(number: str = "w") -> Callable[[float], Seen]:
    return lambda at: Seen(at, number)


def status(what: Any) -> Callable[[float], Status]:
    return lambda at: Status(at, what)


# how old a picture may be


async def test_a_slow_consumer_never_sees_an_old_picture_of_a_stream_that_sends_more_than_it_can_look_at() -> None:
    sent = [0]

    def picture() -> Picture:
        sent[0] += 1
        return numbered(sent[0], (180, 320))

    behind = []

    class Slow(Numbers):
        def look(self, picture: Picture, at: float) -> list[Observation]:
            before = sent[0]
            behind.append(before - number_of(picture))
            time.sleep(0.15)  # noqa: TID251  a slow machine
            return [Seen(at, str(number_of(picture)))]

    with Stream(picture, rate=60.0) as stream:
        source = CameraBoard(
            CameraSettings(stream.url), profile(), time.monotonic, name=name, watcher=Slow, looks=1000.0
        )
        async with source:
            assert source.place is not None
            await until(lambda: len(behind) >= 12)
    assert sent[0] > 60, "it was no slow consumer"
    assert max(behind) < 20


async def test_a_driver_s_pictures_that_nobody_waits_for_are_fetched_and_dropped() -> None:
    driver, behind = Driver(every=0.005), []

    class Slow(Numbers):
        def look(self, picture: Picture, at: float) -> list[Observation]:
            behind.append(driver.made - number_of(picture))
            time.sleep(0.1)  # noqa: TID251  a slow machine
            return [Seen(at, str(number_of(picture)))]

    async with camera(driver, watcher=Slow) as source:
        listener = Listener(source)
        await until(lambda: len(listener.sights) >= 8)
    numbers = [int(item.rows) for item in listener.sights]
    assert all(other - one > 5 for one, other in itertools.pairwise(numbers)), "it was no slow consumer"
    assert max(behind) < 60
    assert all(item.was is not None and item.was < item.at for item in listener.sights)


# what may go wrong with it


async def test_a_frozen_camera_is_lost_and_opened_again_and_counts_once_its_picture_changes() -> None:
    driver = Driver()
    async with camera(driver, frozen=0.1) as source:
        listener = Listener(source)
        await until(lambda: listener.sights)
        driver.frozen = True
        await until(lambda: listener.links == ["lost"] and len(driver.opened) >= 3)
        at_freezing = int(listener.sights[-1].rows)
        driver.frozen = False
        await until(lambda: listener.links == ["lost", "back"] and int(listener.sights[-1].rows) > at_freezing)
    (lost,) = [item for item in listener.inputs if isinstance(item, Link) and item.state == "lost"]
    assert (lost.reason, lost.by) == ("frozen", "camera")
    assert driver.open_now == 0


async def test_a_covered_lens_is_dark_and_not_frozen() -> None:
    driver = Driver()
    async with camera(driver, lasting=0.05) as source:
        listener = Listener(source)
        await until(lambda: listener.sights)
        driver.is_dark = True
        await until(lambda: listener.links)
        (lost,) = [item for item in listener.inputs if isinstance(item, Link)]
        assert lost.reason == "dark"
        assert driver.opened == ["/dev/video0"]


async def test_a_camera_whose_driver_hangs_is_left_to_itself_and_opened_again() -> None:
    driver = Driver()
    async with camera(driver, blocked=0.2) as source:
        listener = Listener(source)
        await until(lambda: listener.sights)
        driver.hangs = True
        await until(lambda: listener.links == ["lost"])
        driver.hangs = False
        await until(lambda: listener.links == ["lost", "back"])
        driver.released.set()
    (lost, _) = [item for item in listener.inputs if isinstance(item, Link)]
    assert lost.reason == "camera_blocked"


async def test_not_more_threads_than_a_few_are_left_behind_in_a_driver_that_hangs_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("damas_board.sources.camera_device.LEAVING_SECONDS", 0.01)
    driver = Driver()
    before = threading.active_count()
    async with camera(driver, blocked=0.02, backoff=Backoff(0.01, 1.0, 0.01, local=0.01, look=0.01)) as source:
        listener = Listener(source)
        await until(lambda: listener.sights)
        driver.hangs = True
        await until(lambda: len(driver.opened) >= 3)
        time.sleep(0.5)  # noqa: ASYNC251, TID251  what must not happen has had its time
        assert len(driver.opened) <= 4
        assert threading.active_count() - before <= 5
        driver.released.set()


async def test_it_is_left_at_once_while_a_driver_hangs() -> None:
    driver = Driver()
    async with camera(driver, blocked=1000.0) as source:
        await until(lambda: source.pictures)
        driver.hangs = True
        taken = driver.taken
        await until(lambda: driver.hanging)
        assert driver.taken <= taken + 1
    assert source._thread is not None
    assert not source._thread.is_alive()
    driver.released.set()


async def test_a_camera_that_is_unplugged_and_plugged_in_again_is_back() -> None:
    driver = Driver()
    async with camera(driver) as source:
        listener = Listener(source)
        await until(lambda: listener.sights)
        driver.places.clear()
        await until(lambda: listener.links == ["lost"])
        driver.places.add("/dev/video0")
        await until(lambda: listener.links == ["lost", "back"])
        assert isinstance(listener.inputs[-1], See)


async def test_a_camera_whose_pictures_are_empty_is_lost() -> None:
    driver = Driver()
    async with camera(driver) as source:
        listener = Listener(source)
        await until(lambda: listener.sights)
        driver.is_empty = True
        await until(lambda: listener.links == ["lost"])
        driver.is_empty = False
        await until(lambda: listener.links == ["lost", "back"])
    assert next(item.reason for item in listener.inputs if isinstance(item, Link)) == "camera_lost"


async def test_without_a_camera_it_does_not_open_and_says_why() -> None:
    driver = Driver()
    driver.places.clear()
    with pytest.raises(BoardError) as failed:
        async with camera(driver):
            pass
    assert failed.value.key == "no_camera"
    assert str(failed.value).startswith("/dev/video0: there is no such camera")


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        (CameraSettings("http://127.0.0.1:9/camera"), "no_stream"),
        (CameraSettings("/nowhere/game.avi"), "no_video"),
        (CameraSettings("/dev/v4l/by-id/usb-no-such-camera"), "no_camera"),
        (CameraSettings("987"), "no_camera"),
    ],
)
async def test_what_cannot_be_read_says_what_it_is(settings: CameraSettings, key: str) -> None:
    with pytest.raises(BoardError) as failed:
        async with CameraBoard(settings, profile(), time.monotonic, name=name):
            pass
    assert failed.value.key == key


async def test_a_truncated_file_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    write_video(path, [numbered(number, (180, 320)) for number in range(20)])
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(BoardError) as failed:
        async with CameraBoard(CameraSettings(str(path)), profile(), time.monotonic, name=name):
            pass
    assert failed.value.key == "no_video"


def test_a_password_in_an_address_is_not_told() -> None:
    settings = CameraSettings("rtsp://ana:secret@10.0.0.7/board")
    assert settings.shown == "rtsp://10.0.0.7/board"
    assert "secret" not in str(BoardError("no_stream", camera=settings.shown))


# what the watcher says


async def test_what_hinders_the_reading_for_a_moment_is_no_lost_link_but_nothing_is_believed_meanwhile() -> None:
    watcher = Scripted()
    for say in ([seen("w./.b")], [status("OCCLUDED")], [status("OK"), seen("./wb")]):
        watcher.says.put(say)
    async with camera(Driver(), watcher=watcher, lasting=60.0) as source:
        listener = Listener(source)
        await until(lambda: len(listener.sights) == 3)
    assert [item.rows for item in listener.sights] == ["w./.b", "??/??", "./wb"]
    assert listener.links == []


@pytest.mark.parametrize("what", ["NO_BOARD", "DARK", "GLARE", "MOVED", "OCCLUDED", "UNSTABLE"])
async def test_what_lasts_is_a_lost_link_with_its_reason_and_the_board_is_told_when_it_is_back(what: str) -> None:
    watcher = Scripted()
    watcher.says.put([seen("w.")])
    watcher.says.put([status(what)])
    async with camera(Driver(), watcher=watcher, lasting=0.0) as source:
        listener = Listener(source)
        await until(lambda: listener.links)
        watcher.says.put([status("OK"), seen("w.")])
        await until(lambda: len(listener.links) == 2)
        await until(lambda: isinstance(listener.inputs[-1], See))
    lost, back, last = listener.inputs[-3:]
    assert isinstance(lost, Link)
    assert (lost.state, lost.reason) == ("lost", "illegible" if what == "UNSTABLE" else what.lower())
    assert lost.reason in REASONS.values()
    assert isinstance(back, Link)
    assert isinstance(last, See)
    assert last.rows == "w."


async def test_while_the_link_is_lost_nothing_is_told_whatever_hinders_next() -> None:
    driver, watcher = Driver(), Scripted()
    watcher.says.put([seen("w.")])
    async with camera(driver, watcher=watcher, lasting=60.0) as source:
        listener = Listener(source)
        await until(lambda: listener.sights)
        driver.places.clear()
        await until(lambda: listener.links)
        watcher.says.put([status("OCCLUDED")])
        watcher.says.put([status("OK"), seen(".w")])
        driver.places.add("/dev/video0")
        await until(lambda: len(listener.inputs) >= 4)
    told = [getattr(item, "rows", None) or getattr(item, "state", None) for item in listener.inputs]
    assert told == ["w.", "lost", "back", ".w"]


async def test_a_board_that_cannot_be_read_from_the_start_is_told_as_lost() -> None:
    watcher = Scripted()
    watcher.says.put([status("NO_BOARD")])
    async with camera(Driver(), watcher=watcher, lasting=0.0) as source:
        listener = Listener(source)
        await until(lambda: listener.links)
    assert [(item.state, item.reason) for item in listener.inputs if isinstance(item, Link)] == [("lost", "no_board")]


async def test_doubts_are_told_by_the_names_of_squares() -> None:
    watcher = Scripted()
    doubt = {(7, 0): {".": 0.2, "w": 0.8, "b": 0.0}}
    watcher.says.put([lambda at: Seen(at, "?", doubt)])
    async with camera(Driver(), watcher=watcher) as source:
        listener = Listener(source)
        await until(lambda: listener.sights)
    assert listener.sights[0].doubt == {"a1": {".": 0.2, "w": 0.8, "b": 0.0}}


# a file


async def test_a_video_file_is_looked_at_whole_and_ends_the_stream(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "game.avi"
    write_video(path, (numbered(number, (180, 320)) for number in range(60)), rate=30.0)
    source = CameraBoard(
        CameraSettings(str(path)),
        profile(),
        lambda: 50.0,
        name=name,
        pace=False,
        watcher=lambda p: Numbers(p, takes=0.01),
    )
    async with source:
        listener = Listener(source)
        await listener.ended()
    assert [int(item.rows) for item in listener.sights] == list(range(60))
    assert [record.getMessage() for record in caplog.records] == [
        f"camera {path}: its video is over; nothing more is seen"
    ]
    times = [round(item.at - 50.0, 2) for item in listener.sights]
    assert times[:3] == [0.0, 0.03, 0.07]
    assert times[-1] == pytest.approx(59 / 30, abs=0.02)


async def test_a_video_file_at_its_own_pace_takes_as_long_as_it_was_filmed(tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    write_video(path, (numbered(number, (180, 320)) for number in range(12)), rate=12.0)
    source = CameraBoard(CameraSettings(str(path)), profile(), time.monotonic, name=name, watcher=Numbers)
    began = time.monotonic()
    async with source:
        listener = Listener(source)
        await listener.ended()
    assert len(listener.sights) == 12
    assert time.monotonic() - began >= 11 / 12
    assert all(item.at <= time.monotonic() for item in listener.sights)


# where it is


def test_the_cameras_of_this_machine_are_listed_with_their_links_and_without_their_second_nodes(tmp_path: Path) -> None:
    devices, system = camera_tree(
        tmp_path,
        video10=("Lamp", None, None),
        video2=("HD Webcam", "usb-A-index0", "pci-1"),
        video3=("metadata",) + (None,) * 2,
    )
    found = cameras(devices, system)
    assert [(camera.path, camera.name) for camera in found] == [
        (f"{devices}/video2", "HD Webcam"),
        (f"{devices}/video10", "Lamp"),
    ]
    assert found[0].by_id == f"{devices}/v4l/by-id/usb-A-index0"
    assert found[0].steady == found[0].by_id
    assert found[1].steady == found[1].path
    assert cameras(tmp_path / "nowhere", tmp_path / "nowhere") == ()
    assert isinstance(found[0], CameraPlace)


async def test_a_camera_is_found_again_under_another_number_by_its_identity(tmp_path: Path) -> None:
    devices, system = camera_tree(tmp_path, video0=("Webcam", "usb-A-index0", "pci-1"))
    where = Whereabouts("0", devices, system)
    driver = Driver()
    driver.places = {f"{devices}/video0"}
    async with camera(driver, CameraSettings("0"), whereabouts=where) as source:
        listener = Listener(source)
        await until(lambda: listener.sights)
        driver.places = set()
        await until(lambda: listener.links == ["lost"])
        camera_tree(tmp_path, video3=("Webcam", "usb-A-index0", "pci-7"))
        driver.places = {f"{devices}/video3"}
        await until(lambda: listener.links == ["lost", "back"])
        assert source.place == f"{devices}/video3"


def test_two_cameras_that_swapped_their_numbers_are_each_found_at_their_own_table(tmp_path: Path) -> None:
    devices, system = camera_tree(tmp_path, video0=("Webcam", "usb-A", "pci-1"), video2=("Webcam", "usb-B", "pci-2"))
    one, other = Whereabouts("0", devices, system), Whereabouts("2", devices, system)
    one.remember(f"{devices}/video0")
    other.remember(f"{devices}/video2")
    camera_tree(tmp_path, video0=("Webcam", "usb-B", "pci-1"))
    assert one.candidates() == []
    assert other.candidates() == [f"{devices}/video0"]
    camera_tree(tmp_path, video0=("Webcam", "usb-B", "pci-1"), video2=("Webcam", "usb-A", "pci-2"))
    assert one.candidates() == [f"{devices}/video2"]


def test_a_camera_without_an_identity_is_looked_for_at_its_socket_then_by_its_number(tmp_path: Path) -> None:
    devices, system = camera_tree(tmp_path, video0=("Webcam", None, "pci-1"))
    where = Whereabouts("0", devices, system)
    where.remember(f"{devices}/video0")
    camera_tree(tmp_path, video1=("Webcam", None, "pci-1"))
    assert where.candidates() == [f"{devices}/v4l/by-path/pci-1", f"{devices}/video0"]


# what is asked of its driver


async def test_what_a_camera_has_found_by_itself_is_locked_after_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas_board.sources.camera_controls.FINDING_SECONDS", 0.1)
    driver = Driver()
    settings = CameraSettings("/dev/video0", 1280, 720, 15.0, white_balance="auto", focus=30.0)
    async with camera(driver, settings) as source:
        assert source.place is not None
        await until(lambda: driver.set_to.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1.0)
        await until(lambda: (cv2.CAP_PROP_EXPOSURE, 120.0) in driver.asked)
    asked = driver.asked
    assert asked.index((cv2.CAP_PROP_AUTO_EXPOSURE, 3.0)) < asked.index((cv2.CAP_PROP_AUTO_EXPOSURE, 1.0))
    assert driver.set_to[cv2.CAP_PROP_AUTO_WB] == 1.0
    assert (driver.set_to[cv2.CAP_PROP_AUTOFOCUS], driver.set_to[cv2.CAP_PROP_FOCUS]) == (0.0, 30.0)
    assert driver.set_to[cv2.CAP_PROP_FRAME_WIDTH] == 1280.0
    assert driver.set_to[cv2.CAP_PROP_FRAME_HEIGHT] == 720.0
    assert driver.set_to[cv2.CAP_PROP_FPS] == 15.0
    assert driver.set_to[cv2.CAP_PROP_BUFFERSIZE] == 1.0


async def test_what_the_driver_refuses_is_said_and_keeps_nobody_from_playing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("damas_board.sources.camera_controls.FINDING_SECONDS", 0.05)
    caplog.set_level("INFO")
    driver = Driver(refuses=(cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FPS))
    async with camera(driver, CameraSettings("/dev/video0", fps=15.0)) as source:
        listener = Listener(source)
        said = "camera /dev/video0: its driver does not do: "
        await until(lambda: [m for m in caplog.messages if m.startswith(said)] == [f"{said}fps", f"{said}exposure"])
        assert listener.sights


async def test_a_camera_whose_exposure_jumps_when_it_is_locked_gets_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas_board.sources.camera_controls.FINDING_SECONDS", 0.05)
    monkeypatch.setattr("damas_board.sources.camera_controls.JUMPING_SECONDS", 0.05)
    driver = Driver()
    driver.lightness = lambda to: 0 if to.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1.0 else 24
    async with camera(driver) as source:
        assert source.place is not None
        automatic = [(cv2.CAP_PROP_AUTO_EXPOSURE, by) for by in (3.0, 1.0, 3.0)]
        await until(lambda: [ask for ask in driver.asked if ask[0] == cv2.CAP_PROP_AUTO_EXPOSURE] == automatic)


async def test_where_it_has_become_dark_the_camera_may_find_its_exposure_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damas_board.sources.camera_controls.FINDING_SECONDS", 0.05)
    monkeypatch.setattr("damas_board.sources.camera.LIGHT_SECONDS", 0.05)
    driver, watcher = Driver(), Scripted()
    async with camera(driver, watcher=watcher) as source:
        assert source.place is not None
        await until(lambda: driver.set_to.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1.0)
        watcher.says.put([status("DARK")])
        await until(lambda: driver.asked.count((cv2.CAP_PROP_AUTO_EXPOSURE, 3.0)) >= 2)


# what is kept


async def test_nothing_is_kept_unless_the_configuration_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with camera(Driver()) as source:
        listener = Listener(source)
        await until(lambda: len(listener.sights) > 3)
        source.keep()
        await until(lambda: len(listener.sights) > 6)
    assert os.listdir(tmp_path) == []


async def test_pictures_of_changes_and_around_an_alert_are_kept_and_the_oldest_go_where_there_is_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damas_board.sources.camera_keeping.EVERY_SECONDS", 0.02)
    folder = tmp_path / "kept" / "table-1"
    async with camera(Driver(), CameraSettings("/dev/video0", keep=Keeping(folder, 1))) as source:
        listener = Listener(source)
        await until(lambda: len(listener.sights) > 5)
        assert {file.name.rsplit("-", 1)[1] for file in folder.iterdir()} == {"change.jpg"}
        source.keep()
        await until(lambda: len(list(folder.glob("*alert.jpg"))) > 3)
    assert folder.stat().st_mode & 0o077 == 0
    files = sorted(folder.iterdir())
    assert cv2.imread(str(files[0])) is not None
    padded = files[0].with_name("20000101T000000.000000Z-1.000-change.jpg")
    padded.write_bytes(bytes(1 << 20))
    (folder / "holiday.jpg").write_bytes(b"not ours")
    async with camera(Driver(), CameraSettings("/dev/video0", keep=Keeping(folder, 1))) as source:
        listener = Listener(source)
        await until(lambda: not padded.exists())
    assert (folder / "holiday.jpg").exists()
    assert files[-1].exists()


# a real stream, a real watcher


@pytest.mark.slow
async def test_a_stream_that_stops_and_one_that_freezes_are_lost_and_come_back_with_the_board() -> None:
    bench = FilmedBench()
    async with bench, bench.source(blocked=1.0, frozen=0.5) as source:
        listener = Listener(source)
        await listener.until_seen(bench.rows())
        await until(lambda: source.pictures > 12)  # it is known to have noise
        bench.stream.stop()
        await until(lambda: len(listener.links) == 1)
        bench.lift(22)
        bench.stream.live()
        await listener.until_seen(bench.rows())
        bench.stream.freeze()
        await until(lambda: len(listener.links) == 3)
        bench.put(18)
        bench.stream.live()
        await listener.until_seen(bench.rows())
    reasons = [item.reason for item in listener.inputs if isinstance(item, Link) and item.state == "lost"]
    assert reasons == ["camera_blocked", "frozen"]
    assert listener.links == ["lost", "back"] * 2
