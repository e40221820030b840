"""What is said of rounds and their tables: how far they are, what is wrong; by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

from damas_board.messages import lots, round_file
from damas_board.messages.rounds import TEXTS

WORDS: dict[str, tuple[str, str]] = {
    "round.state.planned": ("not started", "por começar"),
    "round.state.started": ("under way", "a decorrer"),
    "round.state.over": ("over", "terminada"),
    "round.column.table": ("table", "mesa"),
    "round.column.board": ("board", "tabuleiro"),
    "round.column.white": ("White", "Brancas"),
    "round.column.black": ("Black", "Pretas"),
    "round.column.plies": ("ply", "lance"),
    "round.column.state": ("state", "estado"),
    "round.column.result": ("result", "resultado"),
    "round.table.planned": ("no game yet", "ainda sem jogo"),
    "round.table.waiting": ("waits for its start", "espera pelo começo"),
    "round.table.playing": ("playing", "a jogar"),
    "round.table.over": ("over", "acabada"),
    "round.table.bye": ("bye", "isento"),
    "round.bye": ("(bye)", "(isento)"),
    "round.away": ("board not connected", "tabuleiro desligado"),
    "round.shows.setting_up": ("not set up", "por arrumar"),
    "round.shows.mismatch": ("does not agree with the record", "não corresponde ao registo"),
    "round.shows.resyncing": ("to be made to agree", "a pôr de acordo"),
    "round.shows.failed": ("stands still after a fault", "parado por uma falha"),
    "round.shows.lost": ("board lost", "tabuleiro perdido"),
    "round.alerts": ("open alerts: {alerts}", "alertas abertos: {alerts}"),
    "round.held": ("kept from the public", "não mostrada ao público"),
    "round.desk.no_round": (
        "no round {round} is published; there are: {known}",
        "não há ronda {round} publicada; há: {known}",
    ),
    "round.desk.bad_round": (
        "round {round} as it is published cannot be used: {error}",
        "a ronda {round}, como está publicada, não serve: {error}",
    ),
    "round.desk.not_taken": (
        "the broker does not take round {round} of {user}: is that an organiser?",
        "o broker não aceita a ronda {round} de {user}: é um organizador?",
    ),
    "round.desk.lost": (
        "games are under way that no pairing has any more: table {tables}; enter their results first",
        "há jogos a decorrer que nenhum emparceiramento já tem: mesa {tables}; introduza primeiro os resultados",
    ),
    "round.desk.no_table": (
        "round {round} has no table {table}; it has: {known}",
        "a ronda {round} não tem a mesa {table}; tem: {known}",
    ),
    "round.desk.on_board": (
        "the game of table {table} is on a board: its result is the arbiter's",
        "o jogo da mesa {table} está num tabuleiro: o resultado é do árbitro",
    ),
    "round.desk.not_over": (
        "round {round}: games are not over, table {tables}",
        "ronda {round}: há jogos por acabar, mesa {tables}",
    ),
    "round.desk.away": ("the broker does not answer ({reason})", "o broker não responde ({reason})"),
    "round.answer.no_answer": (
        "nobody answers: does a gateway with that board run?",
        "ninguém responde: está a correr um gateway com esse tabuleiro?",
    ),
    "round.answer.no_board": (
        "no board: enter the result",
        "sem tabuleiro: introduza o resultado",
    ),
    "round.answer.bye": ("bye", "isento"),
    "round.answer.over": ("there is a result", "já tem resultado"),
    "round.answer.there": ("was begun before", "já tinha sido começada"),
    "round.answer.game_not_over": (
        "another game on that board has no result yet",
        "outro jogo nesse tabuleiro ainda não tem resultado",
    ),
    "round.answer.bad_argument": ("the board cannot play it", "o tabuleiro não a pode jogar"),
    "round.answer.not_allowed": ("this login may not", "este utilizador não pode"),
    "round.answer.board_does_not_fit": (
        "the board has other squares than the game needs",
        "o tabuleiro tem casas diferentes das que o jogo pede",
    ),
    "round.answer.board_failed": (
        "the board stands still after a fault of this program",
        "o tabuleiro está parado por uma falha deste programa",
    ),
    "round.answer.other_game": ("the board has another game now", "o tabuleiro tem agora outro jogo"),
    "round.answer.game_is_over": ("the game is over", "o jogo acabou"),
    "round.answer.not_begun": ("the game has not begun", "o jogo não começou"),
    "round.answer.illegal_move": ("no legal move", "não é um lance legal"),
    "round.answer.expired": (
        "it came too late: do the clocks of the machines agree?",
        "chegou tarde: os relógios das máquinas estão certos?",
    ),
    "round.pairing": ("pairing {number}: ", "emparceiramento {number}: "),
}

_WRONG: Mapping[str, str] = {
    "no_object": "uma ronda é um objeto com round e pairings",
    "needs": "falta {key}",
    "text": "{key} tem de ser um texto",
    "yes_or_no": "{key} tem de ser true ou false",
    "seconds": "{key} tem de ser um número de segundos, 0 ou mais",
    "one_of": '{key} é "{found}"; pode ser: {allowed}',
    "no_id": '{key} "{found}" não serve: 1 a 40 letras a-z, algarismos e "-"',
    "list": "{key} tem de ser uma lista de emparceiramentos",
    "object": "{key} tem de ser um objeto",
    "too_many": "há {found} emparceiramentos; o máximo é {most}",
    "no_name": "falta o nome de {key}",
    "twice": '{key} "{found}" está em dois emparceiramentos',
    "same_player": "Brancas e Pretas são o mesmo jogador, {found}",
    "clock": "clock: {error}",
    "fen": "fen: {error}",
    "opening": "opening: {error}",
    "no_table": '{key} indica a mesa "{found}", que nenhum emparceiramento tem',
    "begins": '{key} é "{found}"; uma hora escreve-se 15:00, 2026-01-31 15:00 (do local) ou 2026-01-31T15:00:00Z',
    "tables": "{key} tem de ser uma lista de mesas",
    "seed": "{key} tem de ser um número inteiro, 0 ou mais",
}
_FILE: Mapping[str, str] = {
    "key": "não existe a chave {key}; existem: {known}",
    "key_near": 'não existe a chave {key}; será "{near}"?',
    "near": "não conheço a coluna {column}; será {near}?",
    "column": "não conheço a coluna {column}; conheço: mesa, brancas, pretas, tabuleiro, resultado, regulamento, ritmo,"
    " abertura, posição, encontro; e, com brancas ou pretas ao lado: título, clube, federação, rating, número,"
    " nome público, menor",
    "heading": "a primeira linha tem de dar nome às colunas, por exemplo mesa;brancas;pretas;tabuleiro",
    "repeated": "a coluna {column} está lá duas vezes",
    "list": "os emparceiramentos escrevem-se como [[pairing]]",
    "toml": "{error}",
    "json": "não é JSON: {error}",
    "csv": "não é CSV: {error}",
    "quote": 'umas aspas " não têm par: tudo o que vem atrás delas seria um só nome',
    "cells": "mais células do que as {most} colunas da primeira linha",
    "empty": "não tem nenhum emparceiramento; a primeira linha dá nome às colunas: mesa, brancas, pretas, tabuleiro",
    "yes": "{column} é {found}; espera-se sim, 1, não ou vazio",
    "spoilt": "perderam-se ali letras (\ufffd): o ficheiro foi antes lido com outra codificação",
}
_LOTS: Mapping[str, str] = {
    "json": "não é JSON: {error}",
    "table": "uma tabela de aberturas é um objeto JSON de nomes e FEN, ou uma linha por abertura",
    "opening": '"{name}": {error}',
    "free": "{regulation} tem aberturas livres ({article}): não se sorteiam",
    "regulation": "as aberturas sorteiam-se segundo um regulamento: indique o da ronda",
}
WORDS |= {f"round.lots.{key}": (lots.TEXTS[key], portuguese) for key, portuguese in _LOTS.items()}
WORDS |= {f"round.file.{key}": (round_file.TEXTS[key], portuguese) for key, portuguese in _FILE.items()}
WORDS |= {f"round.wrong.{key}": (TEXTS[key], portuguese) for key, portuguese in _WRONG.items()}

BRAZIL: Mapping[str, str] = {
    "round.table.planned": "ainda sem partida",
    "round.desk.lost": "há partidas em andamento em nenhum emparceiramento: mesa {tables}; informe antes os resultados",
    "round.desk.on_board": "a partida da mesa {table} está num tabuleiro: o resultado é do árbitro",
    "round.answer.game_not_over": "outra partida nesse tabuleiro ainda não tem resultado",
    "round.answer.board_does_not_fit": "o tabuleiro tem casas diferentes das que a partida pede",
    "round.answer.other_game": "o tabuleiro tem agora outra partida",
    "round.answer.game_is_over": "a partida acabou",
    "round.answer.not_begun": "a partida não começou",
    "round.wrong.no_object": "uma rodada é um objeto com round e pairings",
    "round.shows.mismatch": "não corresponde ao registro",
    "round.table.bye": "folga",
    "round.bye": "(folga)",
    "round.answer.bye": "folga",
    "round.desk.no_table": "a rodada {round} não tem a mesa {table}; tem: {known}",
    "round.desk.not_over": "rodada {round}: há partidas por acabar, mesa {tables}",
    "round.desk.no_round": "não há rodada {round} publicada; há: {known}",
    "round.desk.bad_round": "a rodada {round}, como está publicada, não serve: {error}",
    "round.desk.not_taken": "o broker não aceita a rodada {round} de {user}: é um organizador?",
    "round.file.spoilt": "ali se perderam letras (\ufffd): o arquivo foi lido antes com outra codificação",
    "round.lots.regulation": "as aberturas são sorteadas segundo um regulamento: indique o da rodada",
}
"""Where Brazil says it otherwise."""
