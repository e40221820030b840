"""What a person sees of the frames on a board's line, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {
    "help.sniff": (
        "show what a board says on its port, one line a frame",
        "mostrar o que um tabuleiro diz na sua porta, uma linha por mensagem",
    ),
    "help.sniff.port": (
        "a port, or a file of captured bytes (as they are, or hexadecimal); - reads standard input",
        "uma porta, ou um ficheiro de bytes captados (tal como são, ou em hexadecimal); - lê a entrada padrão",
    ),
    "help.sniff.listen": (
        "send nothing (default: HELLO and SNAPSHOT are asked once)",
        "não enviar nada (por omissão: pedem-se uma vez HELLO e SNAPSHOT)",
    ),
    "help.sniff.map": (
        "name the squares as this regulation does (a shipped one, or a TOML file)",
        "dar às casas o nome que têm neste regulamento (um incluído, ou um ficheiro TOML)",
    ),
    "help.sniff.corner": ("the corner of the connector, for --map", "o canto do conector, para --map"),
    "help.sniff.hex": ("also the bytes of each frame", "também os bytes de cada mensagem"),
    "help.sniff.host": (
        "the captured bytes are the host's, not the board's",
        "os bytes captados são do computador, não do tabuleiro",
    ),
    "help.sniff.raw": (
        "of any device: its bytes as they come, in hexadecimal and as text, at BAUD; nothing is sent",
        "de qualquer aparelho: os bytes tal como chegam, em hexadecimal e como texto, a BAUD; não se envia nada",
    ),
    "sniff.raw_on": (
        "{port}: listening at {baud} baud; Ctrl-C ends",
        "{port}: à escuta a {baud} baud; Ctrl-C termina",
    ),
    "sniff.on": (
        "{port}: listening; Ctrl-C ends. Time, type, number of the newest event, the board's seconds, fields:",
        "{port}: à escuta; Ctrl-C termina. Hora, tipo, número do evento mais recente, segundos do tabuleiro, campos:",
    ),
    "sniff.quiet": (
        "{port}: nothing heard for {seconds:g} s; is it the right port, and a board with this protocol?",
        "{port}: nada se ouve há {seconds:g} s; é esta a porta, e o tabuleiro fala este protocolo?",
    ),
    "sniff.unfit_map": (
        "the board has {places} places of {size} x {size} (geometry {geometry}), and {regulation} with the connector at"
        " {corner} needs others; places are told by number",
        "o tabuleiro tem {places} lugares de {size} x {size} (geometria {geometry}), e {regulation} com o conector em"
        " {corner} precisa de outros; os lugares são ditos pelo número",
    ),
    "sniff.no_bytes": (
        "{file}: line {line} is not hexadecimal; give bytes as they were captured, or as hexadecimal digits",
        "{file}: a linha {line} não é hexadecimal; dê os bytes como foram captados, ou em dígitos hexadecimais",
    ),
    "sniff.host_port": (
        "--host is for captured bytes; at a port only the board is heard",
        "--host serve para bytes captados; numa porta só se ouve o tabuleiro",
    ),
    "sniff.rest": ("no end: {hex}", "sem fim: {hex}"),
    "sniff.bad.stuffing": ("bad stuffing", "stuffing errado"),
    "sniff.bad.crc": ("wrong CRC", "CRC errado"),
    "sniff.bad.length": ("wrong length", "comprimento errado"),
    "sniff.bad.overlong": ("too long", "demasiado longo"),
    "sniff.tag": ("tag {tag}", "etiqueta {tag}"),
    "sniff.hello": (
        "tag {tag}; board {uid}, firmware {firmware}, start {boot}; {places} places of {size} x {size} (geometry"
        " {geometry}), {buttons} buttons, {levels} levels; {scans} scans/s, debounce {down}/{up} ms, hardware"
        " {hardware}; can: {caps}",
        "etiqueta {tag}; tabuleiro {uid}, firmware {firmware}, arranque {boot}; {places} lugares de {size} x {size}"
        " (geometria {geometry}), {buttons} botões, {levels} níveis; {scans} leituras/s, debounce {down}/{up} ms,"
        " hardware {hardware}; capacidades: {caps}",
    ),
    "sniff.cap.1": ("lights", "luzes"),
    "sniff.cap.2": ("readings", "valores dos sensores"),
    "sniff.cap.4": ("calibration", "calibração"),
    "sniff.cap.8": ("configuration", "configuração"),
    "sniff.cap.16": ("(table of calibration missing: factory's)", "(falta a tabela de calibração: a de fábrica)"),
    "sniff.foreign": (
        "protocol {theirs}, firmware {firmware}; this program reads protocol {ours}",
        "protocolo {theirs}, firmware {firmware}; este programa lê o protocolo {ours}",
    ),
    "sniff.place": ("place {place}", "lugar {place}"),
    "sniff.places": ("places {places}", "lugares {places}"),
    "sniff.level.0": ("empty", "vazio"),
    "sniff.level.occupied": ("occupied", "ocupado"),
    "sniff.level.1": ("white man", "peça branca"),
    "sniff.level.2": ("black man", "peça preta"),
    "sniff.level.3": ("white king", "dama branca"),
    "sniff.level.4": ("black king", "dama preta"),
    "sniff.nothing": ("nothing stands there", "não está lá nada"),
    "sniff.no_hello": ("cannot be read before a HELLO: {hex}", "não se pode ler antes de um HELLO: {hex}"),
    "sniff.unfit": ("does not fit the HELLO: {hex}", "não corresponde ao HELLO: {hex}"),
    "sniff.button.clock_a": ("clock A", "relógio A"),
    "sniff.button.clock_b": ("clock B", "relógio B"),
    "sniff.button.adjust": ("adjust", "ajeito"),
    "sniff.pressed": ("pressed", "premido"),
    "sniff.released": ("released", "solto"),
    "sniff.heartbeat": (
        "{scans} scans/s, {bad} bad frames, {overrun} events lost",
        "{scans} leituras/s, {bad} mensagens estragadas, {overrun} eventos perdidos",
    ),
    "sniff.unstable": ("unstable: {keys}", "instável: {keys}"),
    "sniff.nak": ("{command} (tag {tag}) refused: {reason}", "{command} (etiqueta {tag}) recusado: {reason}"),
    "sniff.ack": ("{command} (tag {tag}) done", "{command} (etiqueta {tag}) feito"),
    "sniff.nak.1": ("unknown command", "comando desconhecido"),
    "sniff.nak.2": ("wrong length", "comprimento errado"),
    "sniff.nak.3": ("these events are gone", "esses eventos já não existem"),
    "sniff.nak.4": ("a value that this board does not take", "um valor que este tabuleiro não aceita"),
    "sniff.white_up": ("white moves the reading up", "as brancas fazem subir o valor"),
    "sniff.white_down": ("white moves the reading down", "as brancas fazem descer o valor"),
    "sniff.bad_command": ("no sound command: {reason}", "não é um comando válido: {reason}"),
    "sniff.resend": ("events from {first} on", "eventos a partir de {first}"),
    "sniff.debounce": ("down {down} ms, up {up} ms", "pousar {down} ms, levantar {up} ms"),
    "sniff.rate": ("{rate} times a second", "{rate} vezes por segundo"),
    "sniff.calibrate.read": ("read from place {first} on", "ler a partir do lugar {first}"),
    "sniff.calibrate.write": ("write {squares}", "escrever {squares}"),
    "sniff.calibrate.keep": ("keep, flags {flags}, CRC {crc}", "guardar, flags {flags}, CRC {crc}"),
    "sniff.calibrate.factory": ("the factory's table", "a tabela de fábrica"),
    "sniff.colour.0": ("off", "apagado"),
    "sniff.colour.1": ("white", "branco"),
    "sniff.colour.2": ("red", "vermelho"),
    "sniff.colour.3": ("green", "verde"),
    "sniff.colour.4": ("blue", "azul"),
    "sniff.colour.5": ("yellow", "amarelo"),
}
