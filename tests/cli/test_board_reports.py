"""docs/board-reports.md names every kind, state and key that a report may have."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from calibration.analogue import ProblemKind
from calibration.findings import FindingKind
from calibration.tries import State

PAGE = (Path(__file__).parents[2] / "docs" / "board-reports.md").read_text("utf-8")


@pytest.mark.parametrize("name", [*get_args(FindingKind), *get_args(State), *get_args(ProblemKind)])
def test_every_kind_of_finding_and_problem_and_every_state_is_on_the_page(name: str) -> None:
    assert f"`{name}`" in PAGE


@pytest.mark.parametrize("command", ["check_board", "calibrate"])
def test_every_key_of_a_report_is_on_the_page(command: str) -> None:
    source = (Path(__file__).parents[2] / "damas_board" / "cli" / f"{command}.py").read_text("utf-8")
    keys = set(re.findall(r'^ +"(\w+)": ', source, re.MULTILINE))
    assert len(keys) > 15
    assert {key for key in keys if f"`{key}`" not in PAGE} <= {"button"}
