"""What a person sees of the boards of a gateway, by key in both languages."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {
    "help.boards": (
        "which boards are at the ports, and on which tables they stand",
        "que tabuleiros estão nas portas, e em que mesas",
    ),
    "help.boards.search": (
        "ports to look at, as /dev/ttyACM*; may be given again (default: the configuration's, else all USB ports)",
        "portas a ver, como /dev/ttyACM*; pode repetir-se (por omissão: as da configuração, senão todas as USB)",
    ),
    "help.boards.identify": (
        "ask on each table for a piece to be lifted, and tell which board stands there",
        "pedir em cada mesa que se levante uma peça, e dizer que tabuleiro está lá",
    ),
    "help.boards.write": (
        "with --identify: write the identities into the configuration",
        "com --identify: escrever as identidades na configuração",
    ),
    "help.boards.json": ("one JSON array", "um array JSON"),
    "boards.needs_config": (
        "--identify and --write need a configuration: it says which tables there are",
        "--identify e --write precisam de uma configuração: é ela que diz que mesas há",
    ),
    "boards.port": ("port", "porta"),
    "boards.uid": ("identity", "identidade"),
    "boards.firmware": ("firmware", "firmware"),
    "boards.squares": ("squares", "casas"),
    "boards.board": ("board", "tabuleiro"),
    "boards.table": ("table", "mesa"),
    "boards.state": ("state", "estado"),
    "boards.of": ("{places} of {size} x {size}", "{places} de {size} x {size}"),
    "boards.state.free": ("free", "livre"),
    "boards.state.in_use": ("in use by another program", "em uso por outro programa"),
    "boards.state.no_board": ("no board answers", "nenhum tabuleiro responde"),
    "boards.state.refused": ("cannot be used", "não se pode usar"),
    "boards.state.unknown": ("unknown board", "tabuleiro desconhecido"),
    "boards.state.unfit": ("other squares than its table needs", "outras casas do que a mesa precisa"),
    "boards.state.missing": ("not found", "não encontrado"),
    "boards.state.entered": ("no sensors; moves are entered", "sem sensores; os lances são introduzidos"),
    "boards.state.watched": ("watched by a camera", "vigiado por uma câmara"),
    "boards.state.adapted": (
        "speaks {speaks}; not asked (preflight looks at it)",
        "fala {speaks}; não foi interrogado (preflight olha para ele)",
    ),
    "boards.state.foreign": (
        "another kind of board, by its USB name; not asked",
        "outro tipo de tabuleiro, pelo nome USB; não foi interrogado",
    ),
    "boards.camera": ("camera", "câmara"),
    "boards.name": ("name", "nome"),
    "boards.camera.free": (
        "the profile of a camera is made with: damas-board calibrate camera {device}",
        "o perfil de uma câmara faz-se com: damas-board calibrate camera {device}",
    ),
    "boards.camera.none": (
        "no camera is plugged into this machine; one in the network is found by its address only",
        "não há nenhuma câmara ligada a esta máquina; uma da rede só se encontra pelo endereço",
    ),
    "boards.camera.not_listed": (
        "cameras are not listed on this system; they have numbers, the first is 0",
        "neste sistema as câmaras não são listadas; têm números, a primeira é 0",
    ),
    "boards.none": ("no port where a board could be", "nenhuma porta onde pudesse estar um tabuleiro"),
    "boards.add": (
        "the board {uid} at {port} has no table; these lines give it one:",
        "o tabuleiro {uid} em {port} não tem mesa; estas linhas dão-lhe uma:",
    ),
    "boards.add_foreign": (
        "at {port} there is a board of another kind without a table; these lines give it one:",
        "em {port} há um tabuleiro de outro tipo sem mesa; estas linhas dão-lhe uma:",
    ),
    "boards.no_game": (
        "no regulation known here fits this board; write its regulation there",
        "nenhum regulamento conhecido aqui serve a este tabuleiro; escreva lá o regulamento dele",
    ),
    "boards.nobody": (
        "no free board answers at any port; does the gateway run? It has to be stopped for this",
        "nenhum tabuleiro livre responde; o gateway está a funcionar? Para isto tem de estar parado",
    ),
    "boards.watched": (
        "{count} board(s) are watched; Ctrl-C ends early",
        "{count} tabuleiro(s) a ser observados; Ctrl-C termina mais cedo",
    ),
    "boards.lift": ("lift a piece on table {table} ...", "levante uma peça na mesa {table} ..."),
    "boards.that_was": (
        "that was {uid}, which stands at {board} already; lift a piece on table {table} ...",
        "foi {uid}, que já está em {board}; levante uma peça na mesa {table} ...",
    ),
    "boards.is": ("table {table}: {uid} at {port}", "mesa {table}: {uid} em {port}"),
    "boards.written": (
        "{file}: {count} identities are new",
        "{file}: {count} identidades são novas",
    ),
}

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
