"""The gates that CI holds: each lets this tree pass and stops a deliberate violation."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("damas_board", "simulator", "calibration")
PROGRAMS = Path(sys.executable).parent


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the project to break."""
    for name in PACKAGES:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint_imports(tree: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAMS / "lint-imports", "--no-cache"],
        cwd=tree,
        capture_output=True,
        text=True,
        timeout=100,
        env={"PYTHONPATH": str(tree), "PATH": str(PROGRAMS)},
    )


CORE = ("rules", "notation", "decoding", "tracking", "session", "messages")
IO_MODULES = ("builtins", "sys", "tempfile", "shutil", "urllib")
IO_NAMES = ("__import__", "breakpoint", "compile", "eval", "exec", "input", "open", "print")
CLOCK_CALLS = ("now", "utcnow", "today", "fromtimestamp", "open", "read_text", "write_text")


IO_IN_MEMORY = ("BytesIO", "StringIO")
"""What the core may use of `io`: streams that reach nothing outside."""


def impurities(source: str) -> list[str]:
    """What in the text of a module reaches outside or asks for the time, beyond what the imports tell."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                found += [name.name for name in names if name.name.partition(".")[0] in IO_MODULES]
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in IO_MODULES:
                found.append(module)
            case ast.ImportFrom("io", names) | ast.ImportFrom("_io", names):
                found += [name.name for name in names if name.name not in IO_IN_MEMORY]
            case ast.Attribute(ast.Name("io"), attribute) if attribute not in IO_IN_MEMORY:
                found.append(attribute)
            case ast.alias("io" | "_io", str(other)):
                found.append(other)
            case ast.Name(id, ast.Load()) if id in IO_NAMES:
                found.append(id)
            case ast.Call(ast.Attribute(_, attribute)) if attribute in CLOCK_CALLS:
                found.append(attribute)
            case _:
                pass
    return found


def test_the_core_opens_nothing_and_asks_no_clock() -> None:
    modules = [path for package in CORE for path in (ROOT / "damas_board" / package).rglob("*.py")]
    assert len(modules) > len(CORE)
    assert {str(path): found for path in modules if (found := impurities(path.read_text("utf-8")))} == {}


@pytest.mark.parametrize(
    "code",
    [
        "from datetime import UTC, datetime\ndatetime.now(UTC)\n",
        "from datetime import datetime as d\nat = d.utcnow()\n",
        "import datetime\ndatetime.date.today()\n",
        'open("/etc/hostname")\n',
        "read = open\n",
        'import io\nio.open("x")\n',
        'import io\nread = io.open\nread("x")\n',
        'import io as i\ni.FileIO("x")\n',
        "from io import FileIO\n",
        "import builtins\n",
        'import sys\nsys.stdout.write("x")\n',
        "def f():\n    return input()\n",
        "print(1)\n",
        'eval("1")\n',
        '__import__("time").time()\n',
    ],
)
def test_what_reaches_outside_in_the_core_is_found(code: str) -> None:
    assert impurities(code)


def test_a_stream_in_memory_reaches_nothing() -> None:
    assert impurities('import io\nfrom io import StringIO\nio.BytesIO(b"")\nStringIO("")\n') == []


def prepend(path: Path, text: str) -> None:
    future = "from __future__ import annotations\n"
    content = path.read_text("utf-8")
    path.write_text(content.replace(future, future + text, 1), "utf-8")


def test_the_imports_of_this_tree_pass(tree: Path) -> None:
    run = lint_imports(tree)
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize(
    ("module", "line", "broken"),
    [
        ("tracking/sight.py", "import time", "The core does no I/O and has no clock BROKEN"),
        ("session/session.py", "import logging", "The core does no I/O and has no clock BROKEN"),
        ("rules/game.py", "import random", "The core does no I/O and has no clock BROKEN"),
        ("decoding/wire.py", "import sys", "The core does no I/O and has no clock BROKEN"),
        ("messages/topics.py", "import asyncio", "The core does no I/O and has no clock BROKEN"),
        ("tracking/sight.py", "import damas_board.session.session", "imports go downwards only BROKEN"),
        ("sinks/pdn.py", "import damas_board.broker.client", "imports go downwards only BROKEN"),
        ("rules/game.py", "import simulator.hand", "never the reverse"),
    ],
)
def test_a_forbidden_import_is_stopped(tree: Path, module: str, line: str, broken: str) -> None:
    prepend(tree / "damas_board" / module, line + "\n")
    run = lint_imports(tree)
    assert run.returncode == 1
    assert broken in " ".join(run.stdout.split())


def test_a_module_that_no_layer_lists_is_stopped(tree: Path) -> None:
    (tree / "damas_board" / "helpers.py").write_text('"""Nothing."""\n', "utf-8")
    run = lint_imports(tree)
    assert run.returncode != 0


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("import time\n\ntime.sleep(1)\n", "TID251"),
        ("from threading import Thread\n\nThread()\n", "TID251"),
        ("try:\n    pass\nexcept Exception:\n    pass\n", "BLE001"),
        ("COUNT = 0\n\n\ndef count():\n    global COUNT\n    COUNT += 1\n", "PLW0603"),
        ("print(1)\n", "T201"),
    ],
)
def test_ruff_stops_what_the_house_rules_forbid(code: str, rule: str) -> None:
    run = subprocess.run(
        [PROGRAMS / "ruff", "check", "--stdin-filename", "damas_board/session/broken.py", "--no-cache", "-"],
        cwd=ROOT,
        input=code,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 1
    assert rule in run.stdout


def test_committed_files_name_no_registry_and_no_path_of_a_machine() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    registries = "|".join(("pypi" + r"\.org", "files.python" + "hosted", "registry.npm" + "js", "deb.deb" + "ian"))
    for pattern in (registries, r"(^|[^a-zA-Z])/(work|root|home)/[a-z]"):
        run = subprocess.run(
            ["git", "grep", "-nIE", pattern, "--", "."], cwd=ROOT, capture_output=True, text=True, timeout=60
        )
        assert run.stdout == ""
