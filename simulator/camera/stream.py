"""Pictures as a camera on the network sends them: JPEGs one after the other over HTTP, from this machine to itself.

`http://127.0.0.1:PORT/` is what OpenCV's VideoCapture (with FFmpeg), browsers and players read. The camera may freeze
(the same picture, bit by bit, again and again), go black, stop sending without hanging up, be unplugged (no
connection), and come back. And the same pictures as a video file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Lock, Thread  # noqa: TID251
from types import TracebackType
from typing import Literal

import cv2
import numpy as np

from damas_board.decoding.vision.picture import Picture

BOUNDARY = b"picture"
State = Literal["live", "frozen", "black", "stopped", "unplugged"]


class Stream:
    """Serves what `picture` returns, `rate` times a second, at `url`, from `with` until its end."""

    def __init__(self, picture: Callable[[], Picture], *, rate: float = 10.0, quality: int = 92) -> None:
        self._picture = picture
        self._pause = 1 / rate
        self._quality = quality
        self._state: State = "live"
        self._last: bytes | None = None
        self._lock = Lock()
        self._over = Event()
        self._gone = Event()
        """Set while it is unplugged, and when all is over: connections end."""
        self._served = 0
        self._server: ThreadingHTTPServer | None = None
        self._port = 0

    @property
    def url(self) -> str:
        """Where it can be watched."""
        return f"http://127.0.0.1:{self._port}/camera.mjpg"

    @property
    def served(self) -> int:
        """How many pictures were sent, to all who watch."""
        return self._served

    def __enter__(self) -> Stream:
        self._listen()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._hang_up()

    def live(self) -> None:
        """Pictures as they are."""
        self._state = "live"

    def freeze(self) -> None:
        """From now on the last picture, again and again."""
        self._state = "frozen"

    def black(self) -> None:
        """From now on pictures of nothing: the lens is covered."""
        self._state = "black"

    def stop(self) -> None:
        """From now on nothing is sent, though the connection stays."""
        self._state = "stopped"

    def unplug(self) -> None:
        """Connections end, and none is accepted until `plug`."""
        self._state = "unplugged"
        self._hang_up()

    def plug(self) -> None:
        """It is back, at the same address."""
        self._state = "live"
        if self._server is None:
            self._listen()

    cut = unplug
    restore = plug

    def _listen(self) -> None:
        stream = self
        self._gone.clear()

        class Handler(BaseHTTPRequestHandler):
            """One who watches."""

            def do_GET(self) -> None:
                """Sends pictures until one side has enough."""
                self.send_response(200)
                self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY.decode()}")
                self.end_headers()
                try:
                    stream._send(self.wfile.write)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:
                """Says nothing."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False

        self._server = Server(("127.0.0.1", self._port), Handler)
        self._port = self._server.server_address[1]
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def _hang_up(self) -> None:
        self._gone.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _send(self, write: Callable[[bytes], int]) -> None:
        while not self._gone.is_set():
            if self._state != "stopped":
                packed = self._packed()
                head = b"--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % (BOUNDARY, len(packed))
                write(head + packed + b"\r\n")
                self._served += 1
            self._gone.wait(self._pause)

    def _packed(self) -> bytes:
        with self._lock:
            if self._state == "frozen" and self._last is not None:
                return self._last
            picture = self._picture()
            if self._state == "black":
                picture = np.zeros_like(picture)
            self._last = packed(picture, self._quality)
            return self._last


def packed(picture: Picture, quality: int = 92) -> bytes:
    """The picture as a JPEG file's bytes."""
    done, code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("the picture cannot be packed")
    return code.tobytes()


def write_video(path: Path, pictures: Iterable[Picture], rate: float = 12.0) -> int:
    """Writes a video (MJPEG in AVI); how many pictures it has. OSError if it cannot be written."""
    writer: cv2.VideoWriter | None = None
    count = 0
    try:
        for picture in pictures:
            if writer is None:
                size = (picture.shape[1], picture.shape[0])
                writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, size)
                if not writer.isOpened():
                    raise OSError(f"{path}: no video can be written there")
            writer.write(picture)
            count += 1
    finally:
        if writer is not None:
            writer.release()
    return count
