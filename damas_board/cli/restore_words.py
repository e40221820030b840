"""What a person sees of journals that are mended or restored, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {
    "help.restore": (
        "build a new journal from recordings or from what a broker knows, so that another machine goes on; or export"
        " all games as recordings",
        "construir um diário novo a partir de uma gravação por partida, ou do que um broker sabe, para outra máquina"
        " continuar; ou exportar cada partida como gravação",
    ),
    "help.restore.recordings": (
        "recordings of the games, JSON Lines, as --export writes them",
        "uma gravação por partida, JSON Lines, como --export as escreve",
    ),
    "help.restore.from_broker": (
        "ask the broker and the gateways behind it for the games of the configuration's boards",
        "perguntar ao broker e aos gateways ligados a ele pelas partidas dos tabuleiros da configuração",
    ),
    "help.restore.export": (
        "write each game of the configuration's journal as a recording into this folder; the gateway may be running",
        "escrever nesta pasta uma gravação de cada partida do diário da configuração; o gateway pode estar a funcionar",
    ),
    "help.restore.broker": (
        "HOST[:PORT] of the other machine's broker, where it is not that of the configuration",
        "HOST[:PORT] do broker da outra máquina, quando não é o da configuração",
    ),
    "help.restore.user": (
        "log in there as this arbiter, organiser or hub (default: as the configuration's gateway)",
        "entrar lá como este árbitro, organizador ou hub (por omissão: como o gateway da configuração)",
    ),
    "help.restore.password_file": (
        "the file with the password of that login",
        "o ficheiro com a palavra-passe desse utilizador",
    ),
    "help.restore.ca": (
        "the certificate that the other broker is known by (TLS)",
        "o certificado por que se conhece o outro broker (TLS)",
    ),
    "restore.one": (
        "give a recording of each game, or --from-broker, or --export FOLDER",
        "dê uma gravação de cada partida, ou --from-broker, ou --export PASTA",
    ),
    "restore.embedded": (
        "the configuration's broker is in its gateway's own process; name the other machine's with --broker, --user and"
        " --password-file",
        "o broker da configuração está no processo do seu gateway; indique o da outra máquina com --broker, --user e"
        " --password-file",
    ),
    "restore.port": ("--broker: {text!r} is no HOST:PORT", "--broker: {text!r} não é HOST:PORT"),
    "restore.login": (
        "--user and --password-file belong together",
        "--user e --password-file só servem juntos",
    ),
    "restore.whole": (
        "game {game} on {board}: whole, {plies} plies, {result}",
        "partida {game} em {board}: completa, {plies} lances, {result}",
    ),
    "restore.shown": (
        "game {game} on {board}: no gateway has its recording; {plies} plies are entered from what was published,"
        " {result}",
        "partida {game} em {board}: nenhum gateway tem a gravação; {plies} lances introduzidos a partir do que foi"
        " publicado, {result}",
    ),
    "restore.in_play": ("in play", "em curso"),
    "restore.no_board": (
        "board {board} is not in the configuration: nobody will play on there",
        "o tabuleiro {board} não está na configuração: ali ninguém continua",
    ),
    "restore.done": ("restored {games} games into {journal}", "{games} partidas restauradas em {journal}"),
}

ERRORS: Mapping[str, str] = {
    "restore_over": "diário {path}: já tem partidas e nada se escreve por cima; indique outro diário na configuração,"
    " ou ponha este de lado",
    "restore_nothing": "diário {path}: não há nenhuma partida para restaurar",
    "restore_twice": "a partida {game} aparece duas vezes; dê uma gravação por partida",
    "restore_recording": "{name}: não se pode restaurar ({reason})",
    "restore_no_id": '{name}: o cabeçalho não tem "game", o nome com que a partida continua',
    "restore_broker": "broker {broker}: não se lhe pode perguntar como {login} ({reason})",
}
"""The Portuguese of errors that have keys, as in cli/words.py."""

LOG_LINES: Mapping[str, str] = {
    "journal %s: the disk is almost full (%d MiB are free); free some": "diário %s: o disco está quase cheio "
    "(restam %d MiB); liberte espaço",
    "journal %s: the disk has room again (%d MiB are free)": "diário %s: o disco tem outra vez espaço (%d MiB)",
    "journal %s: its end is missing (%d inputs); a new epoch begins": "diário %s: falta-lhe o fim (%d entradas); "
    "começa uma nova época",
    "journal %s: was damaged (%s) and is rebuilt; it is kept as %s; %d inputs are lost; told anew: %s": "diário %s: "
    "estava danificado (%s) e foi reconstruído; fica guardado como %s; perderam-se %d entradas; contadas de novo: %s",
    "board %s: the newest input that can be read is of %s": "tabuleiro %s: a última entrada que se lê é de %s",
}
"""Entries of the log, as in cli/words.py."""
