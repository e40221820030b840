"""What a person sees of calibration, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {
    "help.calibrate": ("set up what a board senses with", "afinar aquilo com que um tabuleiro sente"),
    "help.calibrate.board": (
        "measure the sensors of an analogue board, and write the thresholds into it",
        "medir os sensores de um tabuleiro analógico e escrever nele os limiares",
    ),
    "help.calibrate.one_by_one": (
        "put a man on every square by itself, instead of beginning with the opening position (also finds whether"
        " neighbours disturb each other)",
        "pôr uma peça em cada casa, em vez de começar pela posição inicial (mostra também se casas vizinhas se"
        " perturbam)",
    ),
    "help.calibrate.dry": (
        "measure, and write nothing into the board",
        "medir, e não escrever nada no tabuleiro",
    ),
    "calibrate.no_analogue": (
        "{port}: this board has contacts, there is nothing to calibrate; damas-board check-board tests it",
        "{port}: este tabuleiro tem contactos, não há nada a calibrar; damas-board check-board testa-o",
    ),
    "calibrate.no_answer": (
        "{port}: the board does not answer to what it is told; is its cable sound?",
        "{port}: o tabuleiro não responde ao que se lhe diz; o cabo está bom?",
    ),
    "calibrate.refused": (
        "{port}: the board refuses the calibration (code {code}); install the firmware that belongs to this program",
        "{port}: o tabuleiro recusa a calibração (código {code}); instale o firmware que pertence a este programa",
    ),
    "calibrate.differs": (
        "{port}: what the board keeps is not what was written, at {squares}; calibrate it again",
        "{port}: o que o tabuleiro guarda não é o que se escreveu, em {squares}; calibre-o de novo",
    ),
    "calibrate.keys": (
        "Enter: {enter} · s: skip · q: end without writing",
        "Enter: {enter} · s: saltar · q: terminar sem escrever",
    ),
    "calibrate.keys.only": ("s: skip · q: end without writing", "s: saltar · q: terminar sem escrever"),
    "calibrate.enter.empty": ("it is empty", "está vazio"),
    "calibrate.enter.refused": ("measure again", "medir de novo"),
    "calibrate.enter.opening": ("go on with these", "continuar com estas"),
    "calibrate.enter.man": ("it stands there", "está lá"),
    "calibrate.enter.lift": ("there is no piece", "não há lá peça nenhuma"),
    "calibrate.empty": (
        "Take all pieces off, then press Enter.",
        "Retire todas as peças, e depois prima Enter.",
    ),
    "calibrate.zero": ("The empty board is measured ...", "Mede-se o tabuleiro vazio ..."),
    "calibrate.refuses": (
        "It cannot be calibrated so. Put it right, then press Enter.",
        "Assim não se pode calibrar. Corrija, e depois prima Enter.",
    ),
    "calibrate.opening": (
        "Set up the opening position, White at the bottom of the picture, men in the middle of their squares.",
        "Monte a posição inicial, as brancas em baixo na imagem, as peças no meio das casas.",
    ),
    "calibrate.missing": ("Not seen yet: {squares}.", "Ainda não se vê: {squares}."),
    "calibrate.wrong": ("Too much: {squares}.", "A mais: {squares}."),
    "calibrate.man": (
        "Put a white man in the middle of {square}, the only piece on the board.",
        "Ponha uma peça branca no meio de {square}, a única peça no tabuleiro.",
    ),
    "calibrate.man.again": ("Once more, a white man:", "Mais uma vez, uma peça branca:"),
    "calibrate.man.nothing": (
        "Nothing is seen. If it stands there, press Enter.",
        "Não se vê nada. Se está lá, prima Enter.",
    ),
    "calibrate.other": (
        "Asked for is {square}, the board sees {squares}. Put the man on {square}.",
        "Pediu-se {square}, o tabuleiro vê {squares}. Ponha a peça em {square}.",
    ),
    "calibrate.lift": ("Measured. Take off what stands on {squares}.", "Medido. Retire o que está em {squares}."),
    "calibrate.lift.nothing": (
        "If nothing stands there, press Enter: the empty board is measured again.",
        "Se não está lá nada, prima Enter: mede-se de novo o tabuleiro vazio.",
    ),
    "calibrate.done": ("All is measured.", "Está tudo medido."),
    "calibrate.progress": ("{done} of {all}", "{done} de {all}"),
    "calibrate.problem.off_scale": (
        "{square}: with nothing above it the sensor reads {value} % of its scale, 40 to 60 are expected: a piece was"
        " left there, or the sensor is dead or not connected",
        "{square}: sem nada em cima o sensor lê {value} % da escala, esperam-se 40 a 60: ficou lá uma peça, ou o sensor"
        " está avariado ou desligado",
    ),
    "calibrate.problem.noisy": (
        "{square}: the sensor is not still, by {value} counts (at most {limit}): look at its supply, its wire and its"
        " capacitor",
        "{square}: o sensor não sossega, {value} unidades (no máximo {limit}): veja a alimentação, o fio e o"
        " condensador",
    ),
    "calibrate.problem.dead": (
        "{square}: a man that stands there does not move the reading: the sensor is dead or not connected",
        "{square}: uma peça que lá está não altera a leitura: o sensor está avariado ou desligado",
    ),
    "calibrate.problem.faint": (
        "{square}: a man moves the reading by {value} counts only, {limit} are needed: stronger magnets, or a sensor"
        " nearer to the piece",
        "{square}: uma peça só altera a leitura em {value} unidades, são precisas {limit}: ímanes mais fortes, ou o"
        " sensor mais perto da peça",
    ),
    "calibrate.problem.backwards": (
        "{square}: a white man moves the reading to the other side than elsewhere: the sensor lies upside down, or the"
        " man's magnet does",
        "{square}: uma peça branca altera a leitura para o lado contrário das outras casas: o sensor está virado, ou o"
        " íman da peça",
    ),
    "calibrate.problem.apart": (
        "{square}: a man moves the reading by {value} counts, on the other squares by about {limit}: look at the height"
        " of the sensor, at its solder, and whether the man stood in the middle",
        "{square}: uma peça altera a leitura em {value} unidades, nas outras casas em cerca de {limit}: veja a altura"
        " do sensor, as soldaduras, e se a peça estava no meio",
    ),
    "calibrate.problem.colours": (
        "single white men and the opening position contradict each other everywhere: was White set up at the bottom of"
        " the picture, and were the single men White's?",
        "as peças brancas isoladas e a posição inicial contradizem-se em toda a parte: as brancas estavam em baixo na"
        " imagem, e as peças isoladas eram brancas?",
    ),
    "calibrate.problem.interferes": (
        "{square}: a man on {other} moves its reading by {value} counts, {limit} are half its threshold: the squares"
        " are too near for these magnets",
        "{square}: uma peça em {other} altera-lhe a leitura em {value} unidades, {limit} são metade do limiar: as"
        " casas estão perto demais para estes ímanes",
    ),
    "calibrate.skipped": (
        "not measured, the others' median holds for it: {squares}",
        "por medir, vale a mediana das outras: {squares}",
    ),
    "calibrate.at_end": (
        "at the end of the scale, so no hint at kings: {squares}",
        "no fim da escala, por isso sem indício de dama: {squares}",
    ),
    "calibrate.unfinished": ("ended before all was measured", "terminado antes de estar tudo medido"),
    "calibrate.not_written": ("nothing was written into the board", "nada foi escrito no tabuleiro"),
    "calibrate.written": (
        "written and read back: {squares} squares, White's men move the reading {way}, thresholds {least} to {most}"
        " counts",
        "escrito e lido de volta: {squares} casas, as peças brancas movem a leitura {way}, limiares {least} a {most}"
        " unidades",
    ),
    "calibrate.measured": (
        "measured: {squares} squares, White's men move the reading {way}, thresholds {least} to {most} counts",
        "medido: {squares} casas, as peças brancas movem a leitura {way}, limiares {least} a {most} unidades",
    ),
    "calibrate.up": ("up", "para cima"),
    "calibrate.down": ("down", "para baixo"),
}
