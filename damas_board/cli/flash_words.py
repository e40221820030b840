"""What a person sees of writing the firmware into a board, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

from damas_board.decoding.intel_hex import TEXTS

WORDS: Mapping[str, tuple[str, str]] = {
    "help.flash": (
        "write the firmware into a board; it keeps its identity",
        "escrever o firmware num tabuleiro; ele mantém a sua identidade",
    ),
    "help.flash.port": ("the board's port, as /dev/ttyUSB0", "a porta do tabuleiro, como /dev/ttyUSB0"),
    "help.flash.board": (
        "which firmware, as matrix-50-lights or hall-32 (default: that of the board which answers)",
        "que firmware, como matrix-50-lights ou hall-32 (por omissão: o do tabuleiro que responde)",
    ),
    "help.flash.hex": ("another image, Intel HEX", "outra imagem, Intel HEX"),
    "help.flash.uid": (
        "another identity, up to eight hexadecimal digits (default: the one it has, else a new one)",
        "outra identidade, até oito dígitos hexadecimais (por omissão: a que tem, senão uma nova)",
    ),
    "help.flash.old_bootloader": (
        "try the boot loader of Nanos from before 2018 first (57600 baud)",
        "tentar primeiro o carregador de arranque dos Nano de antes de 2018 (57600 baud)",
    ),
    "flash.not_local": (
        "{port}: firmware is written at a port of this machine only",
        "{port}: o firmware só se escreve numa porta desta máquina",
    ),
    "flash.no_programmer": (
        "the program avrdude is not installed; on Debian: apt install avrdude",
        "o programa avrdude não está instalado; em Debian: apt install avrdude",
    ),
    "flash.bad_uid": (
        "{text!r} is no identity; give up to eight hexadecimal digits, not all 0 or all f",
        "{text!r} não é uma identidade; dê até oito dígitos hexadecimais, nem todos 0 nem todos f",
    ),
    "flash.which": (
        "{port}: a board that does not say what it is needs --board with one of {boards}",
        "{port}: um tabuleiro que não diz o que é precisa de --board com um de {boards}",
    ),
    "flash.no_build": (
        "there is no firmware for {board}; there is {boards}",
        "não há firmware para {board}; há {boards}",
    ),
    "flash.foreign": (
        "{file}: has no place for an identity at {address}, and so is no firmware for these boards",
        "{file}: não tem lugar para uma identidade em {address}, e por isso não é firmware para estes tabuleiros",
    ),
    "flash.new_uid": (
        "{port}: the board gets a new identity, {uid}",
        "{port}: o tabuleiro recebe uma identidade nova, {uid}",
    ),
    "flash.writing": (
        "{port}: writing {image} ({baud} baud) ...",
        "{port}: a escrever {image} ({baud} baud) ...",
    ),
    "flash.not_reached": (
        "{port}: the boot loader does not answer at {baud} baud",
        "{port}: o carregador de arranque não responde a {baud} baud",
    ),
    "flash.no_bootloader": (
        "{port}: no boot loader answers, at either speed; is it an Arduino Nano (ATmega328P), and does nothing else use"
        " the port?",
        "{port}: nenhum carregador de arranque responde, em nenhuma das velocidades; é um Arduino Nano (ATmega328P), e"
        " a porta não está a ser usada?",
    ),
    "flash.failed": ("{port}: not written: {reason}", "{port}: não foi escrito: {reason}"),
    "flash.slow": (
        "{port}: avrdude has not ended in {seconds:g} s; try again",
        "{port}: o avrdude não terminou em {seconds:g} s; tente de novo",
    ),
    "flash.silent": (
        "written, but the board does not answer since: {error}",
        "foi escrito, mas o tabuleiro não responde desde então: {error}",
    ),
    "flash.other": (
        "{port}: written, but the board says that it is {found}, not {expected}; try again, and look whether it is the"
        " board that you mean",
        "{port}: foi escrito, mas o tabuleiro diz que é {found}, e não {expected}; tente de novo, e veja se é este o"
        " tabuleiro",
    ),
    "flash.done": (
        "{port}: board {uid}, firmware {firmware}, {board}: {places} places of {size} x {size}",
        "{port}: tabuleiro {uid}, firmware {firmware}, {board}: {places} lugares de {size} x {size}",
    ),
    "flash.hex.no_record": (
        TEXTS["no_record"],
        "a linha {line} não é um registo de Intel HEX: dois pontos e pares de dígitos hexadecimais",
    ),
    "flash.hex.length": (TEXTS["length"], "a linha {line} tem {found} bytes, e diz que tem {said}"),
    "flash.hex.checksum": (TEXTS["checksum"], "a soma de controlo da linha {line} é {found}, e devia ser {sum}"),
    "flash.hex.type": (TEXTS["type"], "a linha {line} tem o tipo {type}, que não se conhece"),
    "flash.hex.behind_end": (TEXTS["behind_end"], "a linha {line} está depois do fim"),
    "flash.hex.twice": (TEXTS["twice"], "a linha {line} dá outra vez o byte de {address}"),
    "flash.hex.no_end": (TEXTS["no_end"], "falta o registo do fim: o ficheiro não está inteiro"),
}
