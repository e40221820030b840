"""Two public draughts libraries, each in an environment of its own, for they share an import name."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

PATIENCE = 300.0
"""Seconds that one answer may take."""


@dataclass(frozen=True)
class Library:
    name: str
    """As the package registries call it."""
    worker: str
    variants: dict[str, str]
    """Our name of a variant and the library's."""


PYDRAUGHTS = Library(
    "pydraughts",
    "moves_of_pydraughts.py",
    {
        "international": "standard",
        "brazilian": "brazilian",
        "russian": "russian",
        "english": "english",
        "italian": "italian",
        "turkish": "turkish",
        "frisian": "frisian",
    },
)
PY_DRAUGHTS = Library(
    "py-draughts",
    "moves_of_py_draughts.py",
    {
        "international": "standard",
        "brazilian": "brazilian",
        "russian": "russian",
        "english": "american",
        "frisian": "frisian",
    },
)
LIBRARIES = (PYDRAUGHTS, PY_DRAUGHTS)


class Worker:
    """A process of a library that answers one line of JSON with another."""

    def __init__(self, library: Library, process: subprocess.Popen[str], questions: IO[str], answers: IO[str]) -> None:
        self.library = library
        self._process = process
        self._questions = questions
        self._answers = answers

    def ask(self, question: str, variant: str, *values: Any) -> Any:
        """RuntimeError if there is no answer in time, or the library fails on the question."""
        line = json.dumps([question, self.library.variants[variant], *values])
        self._questions.write(line + "\n")
        self._questions.flush()
        ready, _, _ = select.select([self._answers], [], [], PATIENCE)
        answer = self._answers.readline() if ready else ""
        if not answer:
            raise RuntimeError(f"{self.library.name} gave no answer to {line[:200]}")
        return json.loads(answer)


def installed(library: Library, folder: Path) -> Path:
    """The Python of an environment below `folder` with the library in it, made where it is missing."""
    home = folder / library.name
    python = home / "bin" / "python"
    done = home / "installed"
    if not done.exists():
        print(f"installing {library.name} in {home}", file=sys.stderr)
        venv.create(home, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", library.name], check=True, timeout=PATIENCE)
        done.touch()
    return python


def version(library: Library, folder: Path) -> str:
    command = [
        installed(library, folder),
        "-c",
        f"from importlib.metadata import version as v; print(v({library.name!r}))",
    ]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout.strip()


@contextmanager
def running(library: Library, folder: Path) -> Iterator[Worker]:
    command = [installed(library, folder), "-W", "ignore", Path(__file__).with_name(library.worker)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Worker(library, process, process.stdin, process.stdout)
    finally:
        process.kill()
        process.wait()
