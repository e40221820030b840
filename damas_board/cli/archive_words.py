"""What a person sees of the archive, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

from damas_board.hub.archive_errors import TEXTS

_ERRORS: Mapping[str, str] = {
    "archive_url": "arquivo {url}: não é o URL de uma base de dados (por exemplo sqlite:///archive.sqlite, ou"
    " postgresql+psycopg://user@host/name)",
    "archive_kind": "arquivo {url}: o arquivo guarda-se em SQLite ou PostgreSQL (sqlite:///, postgresql+psycopg://)",
    "archive_driver": "arquivo {url}: o PostgreSQL precisa do pacote psycopg; instale-o com: pip install"
    " 'damas-board[postgres]'",
    "archive_away": "arquivo {url}: não pode ser aberto ({reason}); está lá, o endereço, o nome e a palavra-passe estão"
    " certos?",
    "archive_missing": "arquivo {url}: esse ficheiro não existe",
    "archive_newer": "arquivo {url}: foi feito por uma versão mais nova deste programa (as tabelas são {found!r}, esta"
    " versão conhece até {ours!r}); use essa versão",
    "archive_foreign": "arquivo {url}: é a base de dados de outro programa; escolha outra",
    "archive_lost": "arquivo {url}: não pode ser usado ({reason})",
    "archive_no_meeting": "arquivo {url}: não há o torneio {meeting!r}; há: {known}",
    "archive_which_meeting": "arquivo {url}: tem vários torneios, diga qual com --meeting: {known}",
    "archive_no_round": "arquivo {url}: não há a ronda {round!r} em {meeting}; há: {known}",
    "archive_no_game": "arquivo {url}: não há a partida {game!r} em {meeting}{near}",
    "archive_no_text": "arquivo {url}: a partida {game} não pode ser escrita em PDN ({reason})",
    "archive_position": "{fen!r} não é uma posição; dê um FEN de PDN como W:W21,22:B1,K2",
}

WORDS: Mapping[str, tuple[str, str]] = {
    **{f"error.{key}": (TEXTS[key], portuguese) for key, portuguese in _ERRORS.items()},
    "help.archive": (
        "ask the archive: standings, games, a round as PDN",
        "perguntar ao arquivo: classificação, partidas, uma ronda em PDN",
    ),
    "help.archive.wish": ("WHAT", "O_QUÊ"),
    "help.archive.standings": ("the standings table, as CSV", "a tabela de classificação, em CSV"),
    "help.archive.search": ("look for games", "procurar partidas"),
    "help.archive.export": ("a round as PDN", "uma ronda em PDN"),
    "help.archive.game": ("one game, as PDN", "uma partida, em PDN"),
    "help.archive.source": (
        "a configuration with [hub] (.toml), a database URL, or an SQLite file",
        "uma configuração com [hub] (.toml), o URL de uma base de dados, ou um ficheiro SQLite",
    ),
    "help.archive.meeting": (
        "the meeting (default: the configuration's, else the only one)",
        "o torneio (por omissão: o da configuração, senão o único)",
    ),
    "help.archive.upto": ("after this round (default: the last one)", "depois desta ronda (por omissão: a última)"),
    "help.archive.public_names": (
        "only with the names that everybody may read; nothing is delayed or held: it may be younger than what the"
        " public has",
        "só com os nomes que toda a gente pode ler; nada é atrasado nem retido: pode ser mais recente do que aquilo que"
        " o público tem",
    ),
    "archive.whole_game": (
        "--json is all that is known of the game, with all names; leave out --public-names",
        "--json é tudo o que se sabe da partida, com todos os nomes; tire --public-names",
    ),
    "help.archive.json": ("JSON, one object a line", "JSON, um objeto por linha"),
    "help.archive.game_json": (
        "all that is known of it, as one JSON object",
        "tudo o que se sabe dela, num objeto JSON",
    ),
    "help.archive.round": ("a round", "uma ronda"),
    "help.archive.player": (
        "part of a player's name; accents and case do not matter",
        "parte do nome de um jogador; acentos e maiúsculas não contam",
    ),
    "help.archive.since": (
        "games that began on this day (2026-01-31) or later",
        "partidas a partir deste dia (2026-01-31)",
    ),
    "help.archive.until": ("games that began on this day or earlier", "partidas até este dia"),
    "help.archive.moves": (
        "how the game begins, as the variant writes it: 'c3-d4 f6-e5'",
        "como a partida começa, na notação da variante: 'c3-d4 f6-e5'",
    ),
    "help.archive.fen": (
        "a position that stood on the board, PDN FEN",
        "uma posição que esteve no tabuleiro, FEN de PDN",
    ),
    "help.archive.result": (
        "who won; none: no result, open: not over yet",
        "quem ganhou; none: sem resultado, open: ainda não acabou",
    ),
    "help.archive.alert": ("the kind of an alert, such as missed_capture", "o tipo de um alerta, como missed_capture"),
    "help.archive.limit": (
        "so many games at most (default: {default})",
        "no máximo tantas partidas (por omissão: {default})",
    ),
    "help.archive.game_id": ("a game's id", "o id de uma partida"),
    "help.archive.out": (
        "write one file for the round and one for each board into this folder; without it the round is printed",
        "escrever nesta pasta um ficheiro da ronda e um de cada tabuleiro; sem isto mostra-se a ronda",
    ),
    "help.archive.lidraughts": (
        "one text that Lidraughts can follow, all games in their places",
        "um só texto que o Lidraughts pode seguir, todas as partidas no seu lugar",
    ),
    "archive.no_hub": (
        "{file}: there is no [hub], and so no archive",
        "{file}: não há [hub], e por isso não há arquivo",
    ),
    "archive.left_out": (
        "{game}: left out ({reason})",
        "{game}: fica de fora ({reason})",
    ),
    "archive.frozen": (
        "{game}: Lidraughts would not take it ({reason}); it stands there with what it can read",
        "{game}: o Lidraughts não a aceitaria ({reason}); fica lá com o que ele consegue ler",
    ),
    "archive.no_room": (
        "{game}: not in the text, which has room for {most} games at Lidraughts",
        "{game}: não está no texto, que no Lidraughts só tem lugar para {most} partidas",
    ),
    "archive.more": (
        "these are the first {limit}; there may be more, see --limit",
        "estas são as primeiras {limit}; pode haver mais, veja --limit",
    ),
    "archive.none": ("no game fits", "nenhuma partida corresponde"),
}
