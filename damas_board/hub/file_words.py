"""What the list of files says, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: dict[str, tuple[str, str]] = {
    "files.title": ("Files", "Ficheiros"),
    "files.live": ("To the live page", "À página em direto"),
    "files.lead": (
        "Everything here is made anew with each move that becomes public.",
        "Tudo o que aqui está é refeito com cada lance que fica público.",
    ),
    "files.none": ("No round is public yet.", "Ainda não há ronda pública."),
    "files.round": ("Round", "Ronda"),
    "files.feed": ("For Lidraughts", "Para o Lidraughts"),
    "files.whole": ("With all that happened", "Com tudo o que se passou"),
    "files.standings": ("Standings after it", "Classificação depois dela"),
    "files.games": ("Games", "Jogos"),
    "files.meeting": ("The whole meeting", "Todo o torneio"),
    "files.all_standings": ("Standings", "Classificação"),
    "files.rounds": ("Rounds, as messages", "Rondas, como mensagens"),
    "files.states": ("Games, as messages", "Jogos, como mensagens"),
    "files.livechess": ("In the shape of LiveChess", "Na forma do LiveChess"),
}

BRAZIL: Mapping[str, str] = {
    "files.title": "Arquivos",
    "files.live": "À página ao vivo",
    "files.none": "Ainda não há rodada pública.",
    "files.round": "Rodada",
    "files.games": "Partidas",
    "files.rounds": "Rodadas, como mensagens",
    "files.states": "Partidas, como mensagens",
}
"""Where the Portuguese of Brazil differs."""
