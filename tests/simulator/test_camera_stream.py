"""The rendered camera on the network and in a file, read by OpenCV as any other."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from damas_board.rules.position import initial
from damas_board.rules.variants import BRAZILIAN
from simulator.camera import LOOKS, CameraTable, Scene, View
from simulator.camera.stream import Stream, write_video

cv2.setNumThreads(1)
WAITS = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 5000]


@pytest.fixture
def table() -> CameraTable:
    return CameraTable(Scene.of_position(initial(BRAZILIAN), LOOKS["wood"]), View(width=320, height=180, noise=2.0))


@pytest.fixture
def stream(table: CameraTable) -> Iterator[Stream]:
    with Stream(table.picture, rate=40) as stream:
        yield stream


def watch(stream: Stream) -> cv2.VideoCapture:
    return cv2.VideoCapture(stream.url, cv2.CAP_FFMPEG, WAITS)


def until(capture: cv2.VideoCapture, wanted: object) -> bool:
    """Whether a picture comes that is as `wanted` (a function of it and the one before)."""
    last = None
    for _ in range(400):
        done, picture = capture.read()
        assert done
        if last is not None and wanted(picture, last):  # type: ignore[operator]
            return True
        last = picture
    return False


def test_opencv_reads_the_stream_and_sees_what_is_lifted(stream: Stream, table: CameraTable) -> None:
    capture = watch(stream)
    first = capture.read()[1]
    assert first.shape == (180, 320, 3)
    table.lift((5, 0))
    assert until(capture, lambda picture, _: np.abs(picture.astype(int) - first).max() > 70)
    capture.release()


def test_a_frozen_camera_sends_the_very_same_picture_and_a_covered_one_black_ones(stream: Stream) -> None:
    capture = watch(stream)
    assert until(capture, lambda picture, last: not np.array_equal(picture, last))
    stream.freeze()
    assert until(capture, np.array_equal)
    stream.black()
    assert until(capture, lambda picture, _: picture.max() == 0)
    stream.live()
    assert until(capture, lambda picture, last: picture.max() > 100 and not np.array_equal(picture, last))
    capture.release()


def test_an_unplugged_camera_hangs_up_and_is_back_at_the_same_address(stream: Stream) -> None:
    url, capture = stream.url, watch(stream)
    assert capture.read()[0]
    stream.unplug()
    assert not all(capture.read()[0] for _ in range(400))
    assert not watch(stream).isOpened()
    stream.plug()
    assert stream.url == url
    again = watch(stream)
    assert again.read()[0]
    again.release()
    capture.release()


def test_a_camera_that_stops_keeps_the_connection_and_sends_nothing(stream: Stream) -> None:
    capture = cv2.VideoCapture(
        stream.url, cv2.CAP_FFMPEG, [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 5000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 700]
    )
    assert capture.read()[0]
    stream.stop()
    assert not all(capture.read()[0] for _ in range(400))
    capture.release()


def test_a_video_file(table: CameraTable, tmp_path: Path) -> None:
    path = tmp_path / "game.avi"
    assert write_video(path, (table.picture() for _ in range(5))) == 5
    capture = cv2.VideoCapture(str(path))
    pictures = [capture.read()[1] for _ in range(5)]
    assert {picture.shape for picture in pictures} == {(180, 320, 3)}
    assert not capture.read()[0]
    with pytest.raises(OSError, match="no video can be written"):
        write_video(tmp_path / "missing" / "game.avi", [pictures[0]])
