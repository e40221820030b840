"""What a person sees of commands given from a terminal, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {
    "help.tell": (
        "give an arbiter's or organiser's command to a board or a game",
        "dar um comando de árbitro ou de organizador a um tabuleiro ou a uma partida",
    ),
    "help.tell.target": (
        "a board of the configuration, or the id of a game",
        "um tabuleiro da configuração, ou o identificador de uma partida",
    ),
    "help.tell.argument": (
        "what the command needs: alert=a3, ply=12, fen=W:W..., board=spare",
        "o que o comando precisa: alert=a3, ply=12, fen=W:W..., board=spare",
    ),
    "help.tell.note": ("the decision in words", "a decisão em palavras"),
    "help.tell.user": (
        "the login to speak as (default: the first of the configuration who may)",
        "o utilizador a usar (por omissão: o primeiro da configuração que pode)",
    ),
    "tell.nobody": (
        "{file}: no [[user]] who may give {do} has a password_file or password_env",
        "{file}: nenhum [[user]] que possa dar {do} tem password_file ou password_env",
    ),
    "tell.argument": ("{text!r} is no KEY=VALUE", "{text!r} não é CHAVE=VALOR"),
    "tell.number": ("{key} is a number, not {value!r}", "{key} é um número, não {value!r}"),
}
