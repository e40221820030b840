"""What the console says of feeds, by key, in English and Portuguese: the codes of hub/feed_watch.py and hub/push.py."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: dict[str, tuple[str, str]] = {
    "feeds.title": ("Feeds", "Transmissões"),
    "feeds.feed_unknown_there": (
        "Round {round}: Lidraughts does not know the rules of {regulation} and gets the names, no moves (tables:"
        " {tables}).",
        "Ronda {round}: o Lidraughts não conhece as regras de {regulation} e recebe os nomes, sem lances (mesas:"
        " {tables}).",
    ),
    "feeds.feed_no_regulation": (
        "Round {round}: there are no moves in the feed, for it is not known by which regulation they play"
        " (tables: {tables})."
        " Name it in the round.",
        "Ronda {round}: a transmissão não tem lances, porque não se sabe por que regulamento se joga (mesas: {tables})."
        " Indique-o na ronda.",
    ),
    "feeds.feed_frozen": (
        "Round {round}, table {table}: the game stays in the feed as it was. {detail}",
        "Ronda {round}, mesa {table}: o jogo fica na transmissão como estava. {detail}",
    ),
    "feeds.feed_cut": (
        "Round {round}, table {table}: in the feed the game ends after {plies} plies, where a position was set up or an"
        " irregular move stands.",
        "Ronda {round}, mesa {table}: na transmissão o jogo acaba ao fim de {plies} lances, onde se pôs uma posição ou"
        " ficou um lance irregular.",
    ),
    "feeds.feed_begins_behind": (
        "Round {round}, table {table}: in the feed the game begins after {plies} plies, where a position was set"
        " up or an"
        " irregular move stands. At Lidraughts its chapter has to be deleted; it is made anew.",
        "Ronda {round}, mesa {table}: na transmissão o jogo começa ao fim de {plies} lances, onde se pôs uma posição ou"
        " ficou um lance irregular. No Lidraughts é preciso apagar o capítulo; ele é refeito.",
    ),
    "feeds.feed_too_many": (
        "Round {round}: the feed has room for {most} games. Left out (tables): {tables}.",
        "Ronda {round}: a transmissão tem lugar para {most} jogos. De fora (mesas): {tables}.",
    ),
    "feeds.feed_quiet": (
        "Round {round}: no new move in the feed since {since}. After an hour Lidraughts stops; start it there"
        " again when"
        " play goes on.",
        "Ronda {round}: nenhum lance novo na transmissão desde {since}. Ao fim de uma hora o Lidraughts para; volte a"
        " iniciá-lo lá quando se voltar a jogar.",
    ),
    "feeds.push_behind": (
        "{count} files have not arrived at {url} since {since}: {detail}",
        "{count} ficheiros não chegaram a {url} desde {since}: {detail}",
    ),
}

BRAZIL: Mapping[str, str] = {
    "feeds.feed_unknown_there": (
        "Rodada {round}: o Lidraughts não conhece as regras de {regulation} e recebe os nomes, sem lances"
        " (mesas: {tables})."
    ),
    "feeds.feed_no_regulation": (
        "Rodada {round}: a transmissão não tem lances, porque não se sabe por qual regulamento se joga (mesas:"
        " {tables})."
        " Indique-o na rodada."
    ),
    "feeds.feed_frozen": "Rodada {round}, mesa {table}: a partida fica na transmissão como estava. {detail}",
    "feeds.feed_cut": (
        "Rodada {round}, mesa {table}: na transmissão a partida acaba depois de {plies} lances, onde se pôs uma"
        " posição ou"
        " ficou um lance irregular."
    ),
    "feeds.feed_begins_behind": (
        "Rodada {round}, mesa {table}: na transmissão a partida começa depois de {plies} lances, onde se pôs uma"
        " posição ou"
        " ficou um lance irregular. No Lidraughts é preciso apagar o capítulo; ele é refeito."
    ),
    "feeds.feed_too_many": ("Rodada {round}: a transmissão tem lugar para {most} partidas. De fora (mesas): {tables}."),
    "feeds.feed_quiet": (
        "Rodada {round}: nenhum lance novo na transmissão desde {since}. Depois de uma hora o Lidraughts para; volte a"
        " iniciá-lo lá quando se voltar a jogar."
    ),
    "feeds.push_behind": "{count} arquivos não chegaram a {url} desde {since}: {detail}",
}
"""Where the Portuguese of Brazil differs."""
