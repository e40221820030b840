from __future__ import annotations

import logging
import re
from pathlib import Path
from string import Formatter

import pytest

from damas_board.app.board import Told
from damas_board.broker import errors as broker
from damas_board.cli import COMMANDS, words
from damas_board.cli.errors import line_for
from damas_board.cli.log import Worded
from damas_board.config import ConfigError
from damas_board.hub import archive_errors, file_words, live_words
from damas_board.hub import errors as hub
from damas_board.hub.console import feed_words as console_feed_words
from damas_board.hub.console import round_words as console_round_words
from damas_board.hub.console import words as console_words
from damas_board.messages import account_words, recording
from damas_board.session.events import AlertClosed, AlertRaised
from damas_board.session.header import Header
from damas_board.sinks import errors as sinks
from damas_board.sinks.errors import JournalError
from damas_board.sources import errors as sources
from damas_board.sources.errors import BoardError
from simulator import pty
from simulator.faults import descriptions

TABLES = (live_words, file_words, console_words, console_round_words, console_feed_words)


def fields(text):
    return {(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(text) if name is not None}


def test_both_languages_say_every_key_with_the_same_values():
    for key, (english, portuguese) in words._WORDS.items():
        assert english, key
        assert portuguese, key
        assert {f[0] for f in fields(english)} == {f[0] for f in fields(portuguese)}, key


def test_what_is_said_otherwise_in_brazil_has_the_same_values_and_the_words_of_000_and_002():
    for key, brazil in words._BRAZIL.items():
        english, portuguese = words._WORDS[key]
        assert brazil != portuguese, key
        assert {f[0] for f in fields(brazil)} == {f[0] for f in fields(english)}, key
    for key, (_, portugal) in account_words.WORDS.items():
        assert not re.search(r"\b(partidas?|pedras?|registro|registrado)\b", portugal), key
        brazil = words._BRAZIL.get(key, portugal)
        assert not re.search(r"\b(jogos?|pe(ão|ões)|registo|registado)\b", brazil), key


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_the_pages_say_every_key_in_both_languages_with_the_same_values(table):
    for key, (english, portuguese) in table.WORDS.items():
        assert english, key
        assert portuguese, key
        assert {f[0] for f in fields(english)} == {f[0] for f in fields(portuguese)}, key
    for key, brazil in table.BRAZIL.items():
        english, portuguese = table.WORDS[key]
        assert brazil != portuguese, key
        assert {f[0] for f in fields(brazil)} == {f[0] for f in fields(english)}, key


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_the_pages_speak_the_portuguese_of_each_side_of_the_sea(table):
    portugals = r"\b(jogos?|pe(ão|ões)|regist(o|ad[oa])s?|ficheiros?|telemóve(l|is)|rondas?)\b"
    brazils = r"\b(partidas?|pedras?|registr(o|ad[oa])s?|celular(es)?|rodadas?|tela|usuári[oa]s?)\b"
    for key, (_, portugal) in table.WORDS.items():
        assert not re.search(brazils, portugal, re.IGNORECASE), key
        assert not re.search(portugals, table.BRAZIL.get(key, portugal), re.IGNORECASE), key


def test_the_live_pages_ask_for_no_word_that_is_not_there_and_have_none_that_nobody_asks_for():
    folder = Path(live_words.__file__).parent / "assets"
    names = ("live*.js", "live*.html", "embed.*", "overlay.*", "qr.*")
    source = "".join(path.read_text("utf-8") for name in names for path in sorted(folder.glob(name)))
    asked = set(re.findall(r"""(?:say\(|data-say(?:-label)?=|known\()\s*["']([a-z_.]+)["']""", source))
    assert asked
    assert asked <= set(live_words.WORDS)
    made = ("variant.", "ending.", "winner.", "side.", "state.", "theme.", "standing.", "mark.", "none.", "view.")
    for key in live_words.WORDS:
        assert f'"{key}"' in source or key.startswith(made), f"{key} is never said"


def test_a_recording_and_the_record_have_a_word_each():
    for key, (english, portuguese) in words._WORDS.items():
        if "recording" in english.replace('"recording"', ""):
            assert "gravação" in portuguese, key
            assert "registo" not in portuguese, key


def test_a_boot_loader_has_a_word_of_the_language():
    said = {key: portuguese for key, (english, portuguese) in words._WORDS.items() if "boot loader" in english}
    assert said
    assert all("carregador de arranque" in portuguese for portuguese in said.values())


def test_every_command_has_its_line_of_help():
    for command in COMMANDS:
        assert words.word(f"help.{command}")
        assert not re.search(r"%(?![(%])", words.word(f"help.{command}")), "argparse reads a % as a place to fill in"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "pt_PT.UTF-8"}, "pt"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "pt_BR.UTF-8", "DAMAS_LANG": "en"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "pt_PT"}, "pt"),
        ({"LANG": "en_GB.UTF-8", "DAMAS_LANG": "pt"}, "pt"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "pt_BR:en"}, "pt"),
        ({"LANG": "pt_PT.UTF-8", "LANGUAGE": "en"}, "en"),
        ({"LANG": "pt_PT.UTF-8", "LANGUAGE": "de:pt"}, "pt"),
        ({"LANG": "pt_PT.UTF-8", "LANGUAGE": ""}, "pt"),
        ({"LANG": "pt_PT.UTF-8", "LANGUAGE": "de"}, "pt"),
        ({"LANGUAGE": "pt"}, "pt"),
        ({"LC_ALL": "C", "LANGUAGE": "pt"}, "en"),
        ({"LANG": "pt_PT.UTF-8", "DAMAS_LANG": "fr"}, "en"),
    ],
)
def test_the_language_is_the_one_asked_for_else_the_systems_else_english(environment, language):
    assert words.language(environment) == language


def test_everything_that_may_be_wrong_at_the_start_is_said_in_both_languages():
    said = {key.removeprefix("error.") for key in words._WORDS if key.startswith("error.")}
    catalogues = (sources.TEXTS, sinks.TEXTS, broker.TEXTS, archive_errors.TEXTS, hub.TEXTS)
    assert said == {key for texts in catalogues for key in texts}
    assert len(said) == sum(map(len, catalogues))


def test_what_is_wrong_with_a_recording_most_often_is_said_in_both_languages():
    said = {key.removeprefix("recording.") for key in words._WORDS if key.startswith("recording.")}
    assert said == set(recording.TEXTS)


def test_the_lines_of_the_log_that_are_translated_are_written_somewhere_and_take_the_same_values():
    sources = "".join(path.read_text("utf-8") for path in Path(words.__file__).parents[1].glob("*/*.py"))
    for english, portuguese in words.LOG_LINES.items():
        assert sources.count(f'"{english}"') >= 2, english  # in the catalogue, and where it is logged
        assert re.findall(r"%\w", english) == re.findall(r"%\w", portuguese)


def test_a_lost_board_is_told_in_the_language_of_the_person(monkeypatch):
    monkeypatch.setenv("DAMAS_LANG", "pt")
    said = Worded().format(logging.LogRecord("x", 30, "x.py", 1, "board %s: link lost: %s", ("t", "port_lost"), None))
    assert said == "tabuleiro t: ligação perdida: a ligação caiu"
    error = BoardError("port_missing", port="COM9")
    lines = "board %s: %s; it is waited for"
    said = Worded().format(logging.LogRecord("x", 30, "x.py", 1, lines, ("t", error), None))
    assert said.startswith("tabuleiro t: COM9: a porta não existe")


MISSED = AlertRaised(1.0, "g-a3", "missed_capture", "irregular", "white", ("c3", "d4"), 3, "000 art. 5.2", (), (), {})
CROWNED = AlertRaised(1.0, "g-a4", "crowned_wrongly", "warning", None, (), 3, None, (), (), {})
CLOSED = AlertClosed(1.0, "g-a3", "stands")


@pytest.mark.parametrize(
    ("language", "event", "regulation", "line"),
    [
        (
            *("en", MISSED, "br-cbjd"),
            "t: alert a3: irregularity: a capture was obligatory and was not made, White, c3 d4, 000 art. 5.2",
        ),
        (
            *("pt", MISSED, "br-cbjd"),
            "t: alerta a3: irregularidade: a captura era obrigatória e não foi feita, Brancas, c3 d4, 000 art. 5.2",
        ),
        ("pt", CROWNED, "br-cbjd", "t: alerta a4: aviso: foi coroada uma pedra que não é dama"),
        ("pt", CROWNED, "pt-classicas", "t: alerta a4: aviso: foi coroado um peão que não é dama"),
        ("pt", CLOSED, "br-cbjd", "t: alerta a3: fica como está"),
    ],
)
def test_an_alert_is_told_in_one_line_in_the_words_of_the_person_and_of_the_regulation(
    monkeypatch, language, event, regulation, line
):
    monkeypatch.setenv("DAMAS_LANG", language)
    told = Told(event, Header("t", regulation))
    said = Worded().format(logging.LogRecord("x", 30, "x.py", 1, "%s: alert %s", ("t", told), None))
    assert said == line


def test_an_alert_in_a_log_that_has_no_words_is_told_by_its_codes():
    header = Header("t", "br-cbjd")
    assert str(Told(MISSED, header)) == "a3: irregular: missed_capture, white, c3 d4, 000 art. 5.2"
    assert str(Told(CLOSED, header)) == "a3: stands"


def test_an_entry_of_the_log_that_has_no_words_is_said_as_it_is(monkeypatch):
    monkeypatch.setenv("DAMAS_LANG", "pt")
    for text, values, said in (("100%", (), "100%"), ("%(a)s", ({"a": 1},), "1"), ("%d of %s", (1, "x"), "1 of x")):
        assert Worded().format(logging.LogRecord("x", 30, "x.py", 1, text, values, None)) == said


def test_an_error_about_what_a_configuration_names_is_said_in_the_language_of_the_person(monkeypatch):
    monkeypatch.setenv("DAMAS_LANG", "pt")
    cause = JournalError(Path("j.db"), "journal_in_use")
    error = ConfigError("club.toml", 7, f"[journal] path: {cause}")
    error.__cause__ = cause
    assert line_for(error).startswith("club.toml:7: [journal] path: diário j.db: está a ser usado")


def test_a_port_of_a_simulated_board_is_refused_in_both_languages_in_english_as_the_simulator_does():
    assert {f"simulate.{key}": text for key, text in pty.TEXTS.items()} == {
        key: english for key, (english, _) in words._WORDS.items() if key.startswith("simulate.link_")
    }


def test_every_fault_is_described_in_both_languages_in_english_as_the_simulator_does():
    assert {f"fault.{name}": sentence for name, sentence in descriptions()} == {
        key: english for key, (english, _) in words._WORDS.items() if key.startswith("fault.")
    }
