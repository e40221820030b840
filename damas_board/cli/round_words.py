"""What a person sees of rounds and their results, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

from damas_board.messages.round_words import BRAZIL as SHARED_BRAZIL
from damas_board.messages.round_words import WORDS as SHARED

WORDS: dict[str, tuple[str, str]] = {
    "help.round": (
        "the organiser's rounds: publish, put on the boards, start, follow, enter results",
        "as rondas do organizador: publicar, pôr nos tabuleiros, começar, seguir, introduzir resultados",
    ),
    "help.round.wish": ("WHAT", "O_QUÊ"),
    "help.round.publish": (
        "publish the pairings of a file (TOML, JSON or CSV); again: with what has changed",
        "publicar os emparceiramentos de um ficheiro (TOML, JSON ou CSV); outra vez: com o que mudou",
    ),
    "help.round.prepare": (
        "put each game on its board, to be set up; nothing begins",
        "pôr cada partida no seu tabuleiro, para o arrumar; nada começa",
    ),
    "help.round.start": (
        "start the whole round; what is under way already goes on",
        "começar a ronda inteira; o que já decorre continua",
    ),
    "help.round.status": ("how far each table is", "o ponto em que está cada mesa"),
    "help.round.delay": (
        "how much later the public sees the round, seconds",
        "com quantos segundos de atraso o público vê a ronda",
    ),
    "help.round.hold": ("keep the round, or a table, from the public", "não mostrar a ronda, ou uma mesa, ao público"),
    "help.round.release": ("let the public see it again", "voltar a mostrá-la ao público"),
    "help.round.result": ("enter the result of a table", "introduzir o resultado de uma mesa"),
    "help.round.move": (
        "enter moves of a table, such as one without sensors",
        "introduzir lances de uma mesa, por exemplo de uma sem sensores",
    ),
    "help.round.end": ("say that the round is over", "dar a ronda por terminada"),
    "help.round.remove": (
        "take the round away from the broker; its games stay",
        "retirar a ronda do broker; as partidas ficam",
    ),
    "help.round.round": ("the round's id", "o identificador da ronda"),
    "help.round.user": (
        "the login to speak as (default: the first organiser of the configuration, for results and moves arbiter)",
        "o utilizador a usar (por omissão: o primeiro organizador da configuração; árbitro, para resultados e lances)",
    ),
    "help.round.file": ("the pairings: .toml, .json or .csv", "os emparceiramentos: .toml, .json ou .csv"),
    "help.round.key": (
        "the key {key} of the round, in place of the file's",
        "a chave {key} da ronda, em vez da que está no ficheiro",
    ),
    "help.round.json": ("one JSON object", "um objeto JSON"),
    "help.round.seconds": ("seconds, 0 or more", "segundos, 0 ou mais"),
    "help.round.one_table": ("that table alone", "só essa mesa"),
    "help.round.table": ("the table", "a mesa"),
    "help.round.of": ("one of {of}", "um de {of}"),
    "help.round.moves": (
        "moves in the notation of the variant, in their order",
        "lances na notação da variante, por ordem",
    ),
    "help.round.anyway": ("although games are not over", "mesmo com partidas por acabar"),
    "round.seconds": (
        "{text} is no number of seconds from 0 to a week",
        "{text} não é um número de segundos de 0 a uma semana",
    ),
    "round.no_user": (
        "the configuration has no user {user}; it has: {known}",
        "a configuração não tem o utilizador {user}; tem: {known}",
    ),
    "round.no_password": (
        "the password of {user} is not known here in clear; give it a password_file or password_env",
        "a palavra-passe de {user} não é aqui conhecida em claro; indique password_file ou password_env",
    ),
    "round.no_organiser": (
        '{file}: no [[user]] with role = "organiser" and a password_file or password_env',
        '{file}: nenhum [[user]] com role = "organiser" e password_file ou password_env',
    ),
    "round.published": (
        "round {round} is published: {tables} tables; {public}",
        "ronda {round} publicada: {tables} mesas; {public}",
    ),
    "round.public.delay": ("the public sees it {seconds} s later", "o público vê-a {seconds} s depois"),
    "round.public.hub": (
        "it says no delay, so the public sees it {seconds} s later, as [hub] says",
        "não indica atraso, por isso o público vê-a {seconds} s depois, como diz [hub]",
    ),
    "round.public.unknown": (
        "it says no delay, so that of the hub holds ([hub] delay)",
        "não indica atraso, por isso vale o do hub ([hub] delay)",
    ),
    "round.public.hold": ("it is kept from the public", "não é mostrada ao público"),
    "round.shown": (
        "round {round}: what the public sees is set",
        "ronda {round}: o que o público vê está definido",
    ),
    "round.no_table": (
        "round {round} has no table {table}; it has: {known}",
        "a ronda {round} não tem a mesa {table}; tem: {known}",
    ),
    "round.not_over": (
        "round {round}: games are not over, table {tables}",
        "ronda {round}: há partidas por acabar, mesa {tables}",
    ),
    "round.ended": ("round {round} is over", "a ronda {round} terminou"),
    "round.removed": ("round {round} is taken away", "a ronda {round} foi retirada"),
    "round.title": (
        "Round {round}{name}: {state}, {done} of {games} games over",
        "Ronda {round}{name}: {state}, {done} de {games} partidas acabadas",
    ),
    "round.match": ("match {match}: {score} ({open} open)", "encontro {match}: {score} ({open} por acabar)"),
    "round.file.kind": (
        "{file}: a round is a .toml, .json or .csv file",
        "{file}: uma ronda é um ficheiro .toml, .json ou .csv",
    ),
    "round.file.large": ("{file}: too large for a round", "{file}: grande demais para uma ronda"),
    "round.file.old": (
        "{file}: not UTF-8; read as Windows-1252: look at the names",
        "{file}: não é UTF-8; lido como Windows-1252: veja os nomes",
    ),
    "round.file.text": ("not a text file (UTF-8)", "não é um ficheiro de texto (UTF-8)"),
}

WORDS |= SHARED

BRAZIL: Mapping[str, str] = {
    **SHARED_BRAZIL,
    "round.published": "rodada {round} publicada: {tables} mesas; {public}",
    "round.shown": "rodada {round}: o que o público vê está definido",
    "round.ended": "a rodada {round} terminou",
    "round.removed": "a rodada {round} foi retirada",
    "round.not_over": "rodada {round}: há partidas por acabar, mesa {tables}",
    "round.no_table": "a rodada {round} não tem a mesa {table}; tem: {known}",
    "round.title": "Rodada {round}{name}: {state}, {done} de {games} partidas acabadas",
}
"""Where Brazil says it otherwise."""
