"""The units that are written are taken by systemd's own reader, whatever the paths in them are called."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from damas_board.app import units
from damas_board.app.units import Command, UnitError, bridge_unit, gateway_unit, hub_unit, quoted

ODD = ["a b", "100%", "%h", 'say "x"', "back\\slash", "$HOME", "it's", "tab-ção", "a;b", "{x}", "#x", "-x", "~"]
MOST = {"gateway": 1.6, "hub": 1.3, "bridge": 1.3}
"""How exposed each is at most, by systemd's own measure (0 to 10)."""


@pytest.fixture(scope="module")
def analyze(require_program: Callable[[str], str]) -> Callable[..., str]:
    program = require_program("systemd-analyze")

    def run(*arguments: object) -> str:
        done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False)
        return done.stdout + done.stderr

    return run


def command(program: Path | str, *arguments: str, **more: object) -> Command:
    return Command([str(program), *arguments], "damas-board", **{"credentials": {}, **more})  # type: ignore[arg-type]


def executable(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "python"
    shutil.copy("/bin/true", path)
    return path


NO_PROGRAM = ['say "x"', "back\\slash", "it's"]


@pytest.mark.parametrize("name", [name for name in ODD if name not in NO_PROGRAM])
def test_a_program_in_an_oddly_named_folder_is_found_by_systemd(
    name: str, tmp_path: Path, analyze: Callable[..., str]
) -> None:
    folder = tmp_path / name
    unit = tmp_path / units.GATEWAY
    there, missing = executable(folder), folder / "not there"
    config = folder / "club.toml"
    unit.write_text(gateway_unit(command(there, "run", str(config), writes=[folder]), "club"), "utf-8")
    assert analyze("verify", "--man=no", unit) == ""
    unit.write_text(gateway_unit(command(missing, "run"), "club"), "utf-8")
    said = analyze("verify", "--man=no", unit)
    assert f"Command {missing} is not executable" in said, "what is escaped is read back as it was"


@pytest.mark.parametrize("name", NO_PROGRAM)
def test_a_program_that_systemd_would_not_start_is_refused(name: str) -> None:
    with pytest.raises(UnitError, match="quotes or backslashes"):
        gateway_unit(command(f"/opt/{name}/python"), "club")


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("plain.toml", "plain.toml"),
        ("a b", '"a b"'),
        ("100%", "100%%"),
        ("$HOME", '"$HOME"'),
        ('say "x"', '"say \\"x\\""'),
        ("back\\slash", '"back\\\\slash"'),
        ("it's", '"it\'s"'),
    ],
)
def test_an_argument_is_one_word_of_the_line(name: str, written: str) -> None:
    assert f"\nExecStart=:/bin/true run {written}\n" in gateway_unit(command("/bin/true", "run", name), "club")


@pytest.mark.parametrize("text", ["", "a\nb", "a\x00b", "a\u2028b"])
def test_a_name_that_would_end_its_line_is_refused(text: str) -> None:
    with pytest.raises(UnitError):
        quoted(text)
    with pytest.raises(UnitError):
        gateway_unit(command("/bin/true", credentials={"x": Path(f"/etc/{text or chr(10)}")}), "club")


@pytest.mark.parametrize("name", ["a b", "a:b", "ção", "%h", "a/../b c"])
def test_a_secret_that_systemd_could_not_hand_over_is_refused(name: str) -> None:
    with pytest.raises(UnitError, match="rename it"):
        units.credential(Path("/etc/damas-board") / name)


@pytest.mark.parametrize("kind", MOST)
def test_each_unit_is_right_and_little_exposed(kind: str, tmp_path: Path, analyze: Callable[..., str]) -> None:
    program = executable(tmp_path)
    own = command(program, "run", "x.toml", credentials={"gw.password": Path("/etc/damas-board/50% of it")})
    texts = {
        "gateway": gateway_unit(own, "club", ["/dev/ttyS0"]),
        "hub": hub_unit(own, "club"),
        "bridge": bridge_unit(str(program), Path("/etc/mosquitto/damas-board/bridge.conf"), "club"),
    }
    unit = tmp_path / f"damas-{kind}.service"
    unit.write_text(texts[kind], "utf-8")
    assert analyze("verify", "--man=no", unit) == ""
    found = re.search(r"exposure level for \S+: (\d+\.\d)", analyze("security", "--offline=true", "--no-pager", unit))
    assert found is not None
    assert float(found[1]) <= MOST[kind]


def test_systemd_says_what_is_wrong_with_a_unit(tmp_path: Path, analyze: Callable[..., str]) -> None:
    unit = tmp_path / "wrong.service"
    text = gateway_unit(command(executable(tmp_path)), "club").replace("ProtectSystem=strict", "ProtectSystem=strickt")
    unit.write_text(text, "utf-8")
    assert "strickt" in analyze("verify", "--man=no", unit)


def test_every_line_of_a_udev_rule_has_matches_and_assignments_only() -> None:
    term = r'[A-Z]+(\{[\w/]+\})?(==|!=|=|\+=)"[^"]*"'
    rules = [line for line in units.serial_rules().splitlines() if line and not line.startswith("#")]
    assert len(rules) > 4
    for line in rules:
        assert re.fullmatch(rf"{term}(, {term})*", line), line
    labels = set(re.findall(r'LABEL="(\w+)"', "\n".join(rules)))
    assert set(re.findall(r'GOTO="(\w+)"', "\n".join(rules))) == labels


def test_the_systems_user_is_taken_by_systemd(tmp_path: Path, require_program: Callable[[str], str]) -> None:
    program = require_program("systemd-sysusers")
    file = tmp_path / "damas-board.conf"
    file.write_text(units.system_user("damas-board"), "utf-8")
    done = subprocess.run(
        [program, "--dry-run", str(file)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, "damas-board" in done.stdout + done.stderr) == (0, True), done.stderr
