"""docs/codes.md has every code that the program sends."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PATTERNS = (
    r'CommandRefused\("([a-z_]+)"',
    r'Objection\("([a-z_]+)"',
    r'Objection\("([a-z_]+)" if [^)]* else "[a-z_]+"',
    r'refusal\([^"\n]*"([a-z_]+)"',
    r'Link\([^"\n]*"lost", "([a-z_]+)"',
    r'(?m)^    "(?:NO_BOARD|DARK|GLARE|MOVED|OCCLUDED|UNSTABLE)": "([a-z_]+)"',
    r'Literal\["(board_restarted)", "events_lost"\]',
    r'(?:INPUT_FAILED|RECORD_DIFFERS|NOT_FOLLOWED|HEADER_UNUSABLE|TASK_BROKE) = "([a-z_]+)"',
    r'BoardReason = Literal\["([a-z_]+)"',
    r'BoardReason = Literal\["[a-z_]+", "([a-z_]+)"',
    r'(?:\.retract|_go_back)\([^"\n]*"([a-z_]+)"',
)
NEEDED = (r'_(?:whole_number|text|seconds)\(item\.arguments, "([a-z_]+)"\)', r'_seconds\(.*for key in \("([a-z_]+)"')
"""The keys of commands for which the code is `needs_{key}`."""


def test_every_code_is_in_the_list() -> None:
    listed = set(re.findall(r"`([a-z_]+)`", (ROOT / "docs" / "codes.md").read_text("utf-8")))
    sent: set[str] = set()
    for path in (ROOT / "damas_board").rglob("*.py"):
        for pattern in PATTERNS:
            sent |= set(re.findall(pattern, path.read_text("utf-8")))
        for pattern in NEEDED:
            sent |= {f"needs_{key}" for key in re.findall(pattern, path.read_text("utf-8"))}
    assert {"taken_back", "orient", "not_followed", "needs_ply", "needs_alert", "needs_white"} <= sent
    assert {"ghost", "unstable", "glare", "illegible"} <= sent
    assert sent - listed == set()
