"""docs/scaling.md quotes what the benchmark prints, and names tests and settings that there are."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from damas_board.config import read_config
from damas_board.regulations import shipped

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "scaling.md").read_text("utf-8")


def rows(text: str) -> list[str]:
    """The first cells of the tables of figures."""
    return [line.split("|")[1].strip() for line in text.splitlines() if re.match(r"\| .*\| [\d,.]+ ", line)]


def test_the_tables_have_the_rows_that_the_benchmark_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "benchmarks"))
    import sizes

    try:
        weights = sizes.measure(1, shipped("br-cbjd"), "club")
        printed = rows("\n".join([*sizes.table(weights), *sizes.arithmetic(weights)]))
    finally:
        sys.modules.pop("sizes")
    assert len(printed) == 17
    assert rows(TEXT) == printed
    assert all(getattr(weights, name).messages for name in sizes.NAMES)


def test_the_arithmetic_of_the_page_is_right() -> None:
    sizes = {line.split("|")[1].strip(): line.split("|")[2:5] for line in TEXT.splitlines() if line.startswith("| ")}
    messages = {name: int(cells[0].replace(",", "")) for name, cells in sizes.items() if "{" in name}
    hall = sum(count for name, count in messages.items() if not name.startswith("public"))
    public = sum(count for name, count in messages.items() if name.startswith("public"))
    for row, boards, count in (
        ("the halls' brokers take, all boards", 10_000, hall),
        ("of it a hall of 64 boards", 64, hall),
        ("the public broker takes", 10_000, public),
        ("viewers get over MQTT", 1_000_000, public),
    ):
        assert int(sizes[row][0].replace(",", "")) == pytest.approx(boards * count / 7200, rel=0.01, abs=0.5), row


def test_the_tests_and_benchmarks_of_the_page_exist() -> None:
    for path, name in re.findall(r"(tests/[\w/.]+\.py)(?:::(\w+))?", TEXT):
        assert (ROOT / path).is_file(), path
        assert not name or f"def {name}(" in (ROOT / path).read_text("utf-8"), name


def test_the_bridge_of_the_page_can_be_configured(tmp_path: Path) -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    broker = '[broker]\nkind = "server"\nhost = "127.0.0.1"\npassword_file = "public.password"\n'
    board = '[[board]]\nid = "table-1"\nport = "/dev/ttyACM0"\nregulation = "br-cbjd"\n'
    (tmp_path / "public.password").touch(0o600)
    (tmp_path / "public.password").write_text("not so easy to guess", "utf-8")
    (tmp_path / "hall.toml").write_text(f'meeting = "autumn-open"\n{broker}{block}{board}', "utf-8")
    read = read_config(tmp_path / "hall.toml", {})
    assert read.bridge is not None
    assert (read.bridge.public.host, read.bridge.public.user) == ("mqtt.example.org", "hall-1")
