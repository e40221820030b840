"""The gateway's figures, as Prometheus reads them."""

from __future__ import annotations

import asyncio
import socket
import urllib.request
from dataclasses import fields

import pytest
from prometheus_client.parser import text_string_to_metric_families

from damas_board.app.board import Figures
from damas_board.app.gateway import GatewayFigures
from damas_board.app.metrics import BOARD, GATEWAY, MetricsError, metrics_served
from damas_board.app.service import serving
from damas_board.config import ConfigError, read_config
from damas_board.config.settings import MetricsSettings

ONE = Figures(True, True, False, 3, 200, 1, 0, 17, 2, 1)
TWO = Figures(False, True, True, 0, 5, 4, 2, 0, 0, 0)
FIGURES = GatewayFigures({"table-1": ONE, "table-2": TWO}, True, 2, 900, 3, 7, 0, False, 0, 1)


@pytest.fixture
def free_port():
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


def read(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        text = answer.read().decode()
    samples = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            samples[sample.name, sample.labels.get("board")] = (sample.value, sample.labels["gateway"])
    return samples


def test_every_figure_there_is_has_its_name_and_words():
    assert list(BOARD) == [item.name for item in fields(Figures)]
    assert ["boards", *GATEWAY] == [item.name for item in fields(GatewayFigures)]


async def test_each_board_and_the_gateway_are_served_by_name():
    async with metrics_served(lambda: FIGURES, "gw-1", "autumn", MetricsSettings("127.0.0.1", 0)) as port:
        samples = await asyncio.to_thread(read, port)
    assert samples["damas_board_board_up", "table-1"] == (1.0, "gw-1")
    assert samples["damas_board_board_up", "table-2"] == (0.0, "gw-1")
    assert samples["damas_board_board_failed", "table-2"] == (1.0, "gw-1")
    assert samples["damas_board_board_inputs_total", "table-1"] == (200.0, "gw-1")
    assert samples["damas_board_board_suspects", "table-1"] == (1.0, "gw-1")
    assert samples["damas_board_gateway_published_total", None] == (900.0, "gw-1")
    assert len(samples) == 2 * len(BOARD) + len(GATEWAY)


async def test_figures_are_those_of_the_moment_and_asked_for_in_the_loop():
    loops = set()
    figures = iter([FIGURES, GatewayFigures({}, False, 2, 901, 0, 0, 0, False, 0, 0)])

    def asked():
        loops.add(asyncio.get_running_loop())
        return next(figures)

    async with metrics_served(asked, "gw-1", "autumn", MetricsSettings("127.0.0.1", 0)) as port:
        first = await asyncio.to_thread(read, port)
        second = await asyncio.to_thread(read, port)
    assert first["damas_board_gateway_published_total", None][0] == 900.0
    assert second["damas_board_gateway_published_total", None][0] == 901.0
    assert ("damas_board_board_up", "table-1") not in second
    assert loops == {asyncio.get_running_loop()}


async def test_a_port_that_is_taken_is_named():
    async with metrics_served(lambda: FIGURES, "gw-1", "autumn", MetricsSettings("127.0.0.1", 0)) as port:
        with pytest.raises(MetricsError, match=f"127.0.0.1:{port}"):
            async with metrics_served(lambda: FIGURES, "gw-1", "autumn", MetricsSettings("127.0.0.1", port)):
                pass


CONFIG = """
meeting = "autumn"
gateway = "gw-1"
[broker]
kind = "embedded"
port = 0
[metrics]
port = {port}
[[board]]
id = "table-1"
port = "nowhere"
regulation = "br-cbjd"
"""


async def test_a_service_serves_its_figures_and_says_which_key_names_a_port_that_it_cannot_have(tmp_path, free_port):
    path = tmp_path / "hall.toml"
    path.write_text(CONFIG.format(port=free_port), "utf-8")
    async with serving(read_config(path)):
        samples = await asyncio.to_thread(read, free_port)
        assert samples["damas_board_board_up", "table-1"] == (0.0, "gw-1")
        assert samples["damas_board_gateway_connected", None] == (1.0, "gw-1")
        (tmp_path / "other").mkdir()
        second = tmp_path / "other" / "hall.toml"
        second.write_text(CONFIG.format(port=free_port), "utf-8")
        with pytest.raises(ConfigError, match=r"hall.toml.*:8: .*port"):
            async with serving(read_config(second)):
                pass


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('listen = "0.0.0.0"', r":8: \[metrics\] listen .*beyond this machine.*plain_text"),
        ('listen = "127.0.0.1"\nplain_text = true', "beyond this machine only"),
    ],
)
def test_figures_that_other_machines_could_read_are_refused_unless_told_so(tmp_path, lines, told):
    path = tmp_path / "hall.toml"
    path.write_text(CONFIG.replace("port = {port}", lines), "utf-8")
    with pytest.raises(ConfigError, match=told):
        read_config(path)


def test_told_so_they_are_served_to_other_machines(tmp_path):
    path = tmp_path / "hall.toml"
    path.write_text(CONFIG.replace("port = {port}", 'listen = "0.0.0.0"\nplain_text = true'), "utf-8")
    assert read_config(path).metrics == MetricsSettings("0.0.0.0", 9464)
