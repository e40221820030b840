"""An avrdude that writes down what it is asked, and fails as it is told to."""

from __future__ import annotations

import asyncio
import json
import stat
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from damas_board.cli.flash import UID_AT
from damas_board.decoding.intel_hex import read_intel_hex

SCRIPT = """#!{python}
import json, pathlib, sys, time
here = pathlib.Path(__file__).parent
arguments = sys.argv[1:]
file = pathlib.Path(arguments[-1].split(":")[2])
number = len(list(here.glob("*.json")))
(here / f"{{number}}.hex").write_text(file.read_text())
called = [*arguments[:-1], arguments[-1].replace(str(file), "FILE"), str(file)]
(here / f"{{number}}.part").write_text(json.dumps(called))
(here / f"{{number}}.part").rename(here / f"{{number}}.json")
says = {says!r}.get(arguments[arguments.index("-b") + 1])
if says:
    sys.stderr.write(says)
    sys.exit(1)
until = time.monotonic() + 30
while not (here / f"{{number}}.written").exists() and time.monotonic() < until:
    time.sleep(0.01)
"""


@dataclass
class Programmer:
    """The avrdude in `folder`, and what it was asked for."""

    folder: Path

    @classmethod
    def made(cls, folder: Path, says: dict[str, str]) -> Programmer:
        """`says`: by the speed what it says before it fails."""
        folder.mkdir()
        script = folder / "avrdude"
        script.write_text(SCRIPT.format(python=sys.executable, says=says))
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        return cls(folder)

    @property
    def calls(self) -> list[list[str]]:
        """The arguments of each, and the file in them, for which FILE stands there."""
        return [json.loads(path.read_text()) for path in sorted(self.folder.glob("*.json"))]

    @property
    def speeds(self) -> list[str]:
        return [call[call.index("-b") + 1] for call in self.calls]

    @property
    def image(self) -> Path:
        """What was written last."""
        return sorted(self.folder.glob("*.hex"))[-1]

    @property
    def uid(self) -> int:
        """In the image that was written last."""
        image = read_intel_hex(self.image.read_text())
        return int.from_bytes(bytes(image[UID_AT + n] for n in range(4)), "little")

    async def serve(self, become: Callable[[], Awaitable[None]]) -> None:
        """Let each call end once the board has become what is written."""
        served = 0
        while True:
            await asyncio.sleep(0.01)
            if len(self.calls) > served:
                await become()
                (self.folder / f"{served}.written").touch()
                served += 1
