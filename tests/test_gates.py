"""The gates that CI holds: each lets this tree pass and stops a deliberate violation."""

from __future__ import annotations

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
