"""What a person sees of what is checked before a round; by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {
    "help.preflight": (
        "is everything ready for the round: boards, sensors, set-up, broker, disk, clock",
        "está tudo pronto para a ronda: tabuleiros, sensores, posição, broker, disco, relógio",
    ),
    "help.preflight.seconds": (
        "how long each board is looked at (default: %(default)g)",
        "durante quanto tempo se olha para cada tabuleiro (por omissão: %(default)g)",
    ),
    "help.preflight.watch": (
        "look until every board has proved itself, and say what to do next; Ctrl-C ends it",
        "olhar até que todos os tabuleiros estejam confirmados, dizendo o que fazer a seguir; Ctrl-C termina",
    ),
    "help.preflight.accept": (
        "what could not be proved is listed, and counts as well",
        "o que não se pôde confirmar é indicado, e conta como bom",
    ),
    "help.preflight.json": ("print one JSON object instead of the table", "mostrar um objeto JSON em vez da tabela"),
    "preflight.watch": (
        "Looking at the boards; set up the start position on each. Ctrl-C shows the table.",
        "A olhar para os tabuleiros; ponha a posição inicial em cada um. Ctrl-C mostra a tabela.",
    ),
    "preflight.at": ("table {table}: {text}", "mesa {table}: {text}"),
    "preflight.lift": ("lift the piece on {square} and put it back", "levante a peça de {square} e volte a pô-la"),
    "preflight.slide": (
        "slide a piece over, or lift the pieces from: {squares}",
        "passe uma peça por cima, ou levante as peças de: {squares}",
    ),
    "preflight.ready": ("ready", "pronto"),
    "preflight.waits": ("nothing to do, wait a moment", "nada a fazer, espere um momento"),
    "preflight.table": ("table", "mesa"),
    "preflight.name": ("board", "tabuleiro"),
    "preflight.check.board": ("answers", "responde"),
    "preflight.check.sensors": ("sensors", "sensores"),
    "preflight.check.setup": ("set-up", "posição"),
    "preflight.check.orientation": ("lies right", "orientação"),
    "preflight.check.broker": ("broker", "broker"),
    "preflight.check.database": ("archive", "arquivo"),
    "preflight.check.journal": ("journal", "diário"),
    "preflight.check.games": ("games", "partidas"),
    "preflight.check.disk": ("disk", "disco"),
    "preflight.check.clock": ("clock", "relógio"),
    "preflight.verdict.ok": ("ok", "ok"),
    "preflight.verdict.unproven": ("?", "?"),
    "preflight.verdict.wrong": ("NO", "NÃO"),
    "preflight.answers": ("answers", "responde"),
    "preflight.lost": ("the board says nothing; look at its cable", "o tabuleiro não diz nada; veja o cabo"),
    "preflight.board_error": ("{error}", "{error}"),
    "preflight.adapter_fault": (
        "{place}: the adapter does not work ({what})",
        "{place}: o adaptador não funciona ({what})",
    ),
    "preflight.sensors": (
        "every sensor was seen with a piece and without",
        "todos os sensores foram vistos com peça e sem peça",
    ),
    "preflight.unseen": (
        "{seen} of {of} sensors were seen with a piece and without; not yet: {squares} (--watch shows how)",
        "{seen} de {of} sensores foram vistos com peça e sem peça; faltam: {squares} (--watch mostra como)",
    ),
    "preflight.flickering": (
        "the sensors of {squares} flicker; mask them, or use another board",
        "os sensores de {squares} tremem; ponha-os de lado (mask), ou use outro tabuleiro",
    ),
    "preflight.unreadable": ("the sensors of {squares} cannot be read", "os sensores de {squares} não se podem ler"),
    "preflight.setup": ("the start position stands there", "a posição inicial está posta"),
    "preflight.not_set_up": (
        "the start position does not stand there; put: {put}; clear: {clear}",
        "a posição inicial não está posta; pôr: {put}; tirar: {clear}",
    ),
    "preflight.orientation": ("it lies as the configuration says", "está orientado como diz a configuração"),
    "preflight.turned": (
        "the board lies the other way round; turn it, or write turn = {turn} in its table of the configuration",
        "o tabuleiro está ao contrário; rode-o, ou escreva turn = {turn} na sua tabela da configuração",
    ),
    "preflight.not_shown": (
        "it was not shown how the board lies: with the start position set up, lift the piece on {square} (--watch)",
        "não se mostrou a orientação do tabuleiro: com a posição inicial posta, levante a peça de {square} (--watch)",
    ),
    "preflight.start_shows": (
        "it was not shown how the board lies: set up the start position",
        "não se mostrou a orientação do tabuleiro: monte a posição inicial",
    ),
    "preflight.broker": ("{broker} answers and knows this gateway", "{broker} responde e conhece este gateway"),
    "preflight.gateway_runs": (
        "the gateway {gateway} runs already at {broker}; the boards are looked at through it",
        "o gateway {gateway} já está a funcionar em {broker}; os tabuleiros são vistos através dele",
    ),
    "preflight.gateway_listens": (
        "the gateway {gateway} runs already at {broker}; leave it running",
        "o gateway {gateway} já está a funcionar em {broker}; deixe-o a funcionar",
    ),
    "preflight.gateway_has": (
        'while the gateway runs only the gateway can look; with a [[user]] of role = "arbiter" and its password_file in'
        " the configuration it is asked",
        'enquanto o gateway funciona só ele vê; com um [[user]] de role = "arbiter" e o seu password_file na'
        " configuração pergunta-se a ele",
    ),
    "preflight.no_sensors": (
        "no sensors here, moves are entered",
        "mesa sem sensores, os lances introduzem-se",
    ),
    "preflight.broker_free": (
        "the embedded broker can listen at {broker}",
        "o broker embutido pode escutar em {broker}",
    ),
    "preflight.broker_error": ("{error}", "{error}"),
    "preflight.broker_away": (
        "{broker} does not let {login} in ({reason}); is it running, is the password right?",
        "{broker} não deixa entrar {login} ({reason}); está a funcionar, a palavra-passe está certa?",
    ),
    "preflight.archive": ("answers, and can be written", "responde, e pode-se escrever nele"),
    "preflight.archive_error": ("{error}", "{error}"),
    "preflight.journal": ("{journal}, {games} games", "{journal}, {games} partidas"),
    "preflight.journal_new": ("{journal}, will be made", "{journal}, será criado"),
    "preflight.journal_error": ("{error}", "{error}"),
    "preflight.games": ("PDN files go to {folder}", "os ficheiros PDN ficam em {folder}"),
    "preflight.games_error": ("{error}", "{error}"),
    "preflight.disk": ("{free} MB free", "{free} MB livres"),
    "preflight.full": (
        "only {free} MB free, {enough} MB are needed; make room",
        "só {free} MB livres, são precisos {enough} MB; liberte espaço",
    ),
    "preflight.clock": ("kept right by a time service", "certo, por um serviço de tempo"),
    "preflight.clock_free": (
        "no time service keeps it right; switch one on (on Debian: systemd-timesyncd), or look at it by hand",
        "nenhum serviço de tempo o mantém certo; ligue um (no Debian: systemd-timesyncd), ou acerte-o à mão",
    ),
    "preflight.clock_unknown": (
        "this system does not tell whether a time service keeps it right",
        "este sistema não diz se um serviço de tempo o mantém certo",
    ),
    "preflight.all_well": ("All is well.", "Está tudo bem."),
    "preflight.not_well": (
        "Not all is well yet; the lines above say what to do.",
        "Ainda nem tudo está bem; as linhas acima dizem o que fazer.",
    ),
}
