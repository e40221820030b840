"""What a person sees of the boards of a gateway, by key in both languages."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {
    "reason.port_missing": ("there is no such port", "não existe essa porta"),
    "reason.port_in_use": ("another program uses the port", "outro programa usa a porta"),
    "reason.port_denied": ("no permission to open the port", "falta permissão para abrir a porta"),
    "reason.port_failed": ("no serial port that can be used", "não é uma porta série que se possa usar"),
    "reason.board_missing": ("the board is at none of the ports", "o tabuleiro não está em nenhuma das portas"),
    "reason.flooding": ("the board says more than can be read", "o tabuleiro diz mais do que se consegue ler"),
    "reason.moved": ("the game goes on at another board", "a partida continua noutro tabuleiro"),
}
BRAZIL: Mapping[str, str] = {}
"""Where Brazil says it otherwise."""

LOG_LINES: Mapping[str, str] = {
    "board %s: %s; it is waited for": "tabuleiro %s: %s; espera-se por ele",
    "board %s: link lost: %s": "tabuleiro %s: ligação perdida: %s",
    "board %s: link back": "tabuleiro %s: ligação restabelecida",
    "board %s: game %s goes on here, it was on %s": "tabuleiro %s: a partida %s continua aqui, estava em %s",
    "board %s: its task broke and goes on from the journal": "tabuleiro %s: a tarefa falhou e continua a partir do "
    "diário",
    "%d boards lost at once (%s): is a hub, its supply or its cable unplugged?": "%d tabuleiros perdidos de uma vez "
    "(%s): está desligado um hub, a alimentação ou o cabo dele?",
    "the boards lost at once are back: %s": "voltaram os tabuleiros perdidos de uma vez: %s",
    "a board that no table has: %s at %s; damas-board boards tells the lines that add it": "um tabuleiro que não é de "
    "nenhuma mesa: %s em %s; damas-board boards mostra as linhas que o acrescentam",
}
"""The Portuguese of entries of the log, by their English."""
