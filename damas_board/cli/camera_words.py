"""What a person sees of the camera: its calibration, single pictures, and the sheet of corner cards."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {
    "help.calibrate.markers": (
        "a sheet of corner cards to print, by which a camera knows how the board lies",
        "uma folha de cartões de canto para imprimir, pelos quais a câmara sabe como está o tabuleiro",
    ),
    "help.markers.out": (
        "where to: a .pdf or an .svg (default: {default})",
        "para onde: um .pdf ou um .svg (por omissão: {default})",
    ),
    "help.markers.size": (
        "the side of a marker in mm (default: {default:g})",
        "o lado de um marcador em mm (por omissão: {default:g})",
    ),
    "help.markers.paper": ("the paper (default: {default})", "o papel (por omissão: {default})"),
    "help.force": ("write over a file that is there already", "escrever por cima de um ficheiro que já existe"),
    "camera.exists": (
        "{file}: is there already; name another file, or write over it with --force",
        "{file}: já existe; indique outro ficheiro, ou escreva por cima com --force",
    ),
    "markers.kind": (
        "{file}: the sheet is written as .pdf or .svg; name such a file",
        "{file}: a folha escreve-se como .pdf ou .svg; indique um ficheiro assim",
    ),
    "markers.small": (
        "--size {size:g}: a camera at a table cannot read so small a marker; give {least:g} or more",
        "--size {size:g}: uma câmara à mesa não lê um marcador tão pequeno; dê {least:g} ou mais",
    ),
    "markers.large": (
        "--size {size:g}: four such markers do not fit on {paper}; give at most {most}",
        "--size {size:g}: quatro marcadores assim não cabem em {paper}; dê no máximo {most}",
    ),
    "markers.written": (
        "{file}: print it at 100 %, without fitting it to the page",
        "{file}: imprima a 100 %, sem ajustar à página",
    ),
    "markers.title": ("Corner cards for the camera", "Cartões de canto para a câmara"),
    "markers.print": (
        "Print at 100 %, black on white matt paper. The line at the foot of the page must be 100 mm long.",
        "Imprima a 100 %, a preto em papel branco mate. A linha ao fundo da página tem de medir 100 mm.",
    ),
    "markers.cut": (
        "Cut along the dashed lines and keep the white border. Do not laminate: lamps are mirrored in it.",
        "Corte pelo tracejado e deixe a margem branca. Não plastifique: as lâmpadas refletem-se.",
    ),
    "markers.lay": (
        "Lay each card flat beside its corner of the board, outside the squares, as in the drawing.",
        "Deite cada cartão ao lado do seu canto do tabuleiro, fora das casas, como no desenho.",
    ),
    "markers.all": (
        "The camera need not see all four: each one helps. Fix them with tape along the edge.",
        "A câmara não precisa de ver os quatro: cada um ajuda. Fixe-os com fita pela borda.",
    ),
    "markers.card.0": ("0 · White's side, left", "0 · lado das brancas, à esquerda"),
    "markers.card.1": ("1 · White's side, right", "1 · lado das brancas, à direita"),
    "markers.card.2": ("2 · Black's side, right", "2 · lado das pretas, à direita"),
    "markers.card.3": ("3 · Black's side, left", "3 · lado das pretas, à esquerda"),
    "markers.seen": ("seen from White's chair", "visto da cadeira das brancas"),
    "markers.ruler": ("this line is 100 mm long", "esta linha mede 100 mm"),
    "markers.white": ("White", "Brancas"),
    "markers.black": ("Black", "Pretas"),
    "camera.no_opencv": (
        "cameras and pictures need OpenCV, which is not installed; in the project's folder:"
        " .venv/bin/pip install -e '.[camera]' ('./run camera ...' installs it by itself)",
        "câmaras e imagens precisam do OpenCV, que não está instalado; na pasta do projeto:"
        " .venv/bin/pip install -e '.[camera]' ('./run camera ...' instala-o sozinho)",
    ),
    "camera.no_reportlab": (
        "a PDF needs reportlab, which is not installed; write an .svg with --out, or in the project's folder:"
        " .venv/bin/pip install -e '.[camera]'",
        "um PDF precisa do reportlab, que não está instalado; escreva um .svg com --out, ou na pasta do projeto:"
        " .venv/bin/pip install -e '.[camera]'",
    ),
    "picture.empty": ("{file}: is empty, not a picture", "{file}: está vazio, não é uma imagem"),
    "picture.none": (
        "{file}: is no picture that can be read here; give a JPEG, PNG, WebP, TIFF, BMP, GIF or AVIF",
        "{file}: não é uma imagem que se leia aqui; dê um JPEG, PNG, WebP, TIFF, BMP, GIF ou AVIF",
    ),
    "picture.heic": (
        "{file}: is a HEIC picture, which cannot be read here; save it as JPEG (on an iPhone: Settings, Camera,"
        " Formats, Most Compatible)",
        "{file}: é uma imagem HEIC, que não se lê aqui; guarde-a como JPEG (num iPhone: Definições, Câmara, Formatos,"
        " Mais compatível)",
    ),
    "picture.damaged": (
        "{file}: the picture is cut off or damaged; was it copied whole?",
        "{file}: a imagem está cortada ou danificada; foi copiada por inteiro?",
    ),
    "picture.too_large": (
        "{file}: the picture is too large; at most {most} megapixels",
        "{file}: a imagem é grande demais; no máximo {most} megapíxeis",
    ),
    "picture.too_long": (
        "{file}: the file is too large for a picture; at most {most} MB",
        "{file}: o ficheiro é grande demais para uma imagem; no máximo {most} MB",
    ),
    "help.calibrate.camera": (
        "find the board in a camera's picture of the start position, and write what the camera has to know",
        "encontrar o tabuleiro na imagem que uma câmara dá da posição inicial, e escrever o que a câmara tem de saber",
    ),
    "help.camera.device": (
        "a camera's number (0 is the first), /dev/video0, the address of a stream, a video, or a picture",
        "o número de uma câmara (0 é a primeira), /dev/video0, o endereço de um fluxo, um vídeo, ou uma imagem",
    ),
    "help.camera.rules": (
        "the regulation of the games: it says how many squares there are and which corner is played on",
        "o regulamento das partidas: diz quantas casas há e em que canto se joga",
    ),
    "help.camera.out": (
        "where the profile goes (default: {default})",
        "para onde vai o perfil (por omissão: {default})",
    ),
    "help.camera.overlay": (
        "where the picture with the squares drawn on it goes, PNG (default: beside the profile)",
        "para onde vai a imagem com as casas desenhadas, PNG (por omissão: ao lado do perfil)",
    ),
    "help.camera.clicks": (
        "about where the four outer corners of the squares are, in pixels, in any order; where the board is not found",
        "mais ou menos onde estão os quatro cantos exteriores das casas, em píxeis, por qualquer ordem; quando o"
        " tabuleiro não é encontrado",
    ),
    "help.camera.mirrored": (
        "the camera gives mirrored pictures, as some do for self-portraits",
        "a câmara dá imagens espelhadas, como algumas fazem para autorretratos",
    ),
    "help.camera.resolution": (
        "what is asked of a camera of this machine (default: {default})",
        "o que se pede a uma câmara desta máquina (por omissão: {default})",
    ),
    "camera.resolution": (
        "{text!r} is no resolution; give width x height in pixels, as {default}",
        "{text!r} não é uma resolução; dê largura x altura em píxeis, como {default}",
    ),
    "camera.click": (
        "{text!r} is no place in a picture; give x,y in pixels, as 120,85",
        "{text!r} não é um lugar numa imagem; dê x,y em píxeis, como 120,85",
    ),
    "camera.clicks": (
        "--clicks: these four points are no corners of a board: three of them lie on a line, or two are the same",
        "--clicks: estes quatro pontos não são cantos de um tabuleiro: três estão numa linha, ou dois são iguais",
    ),
    "camera.of": ("{device}: {message}", "{device}: {message}"),
    "camera.found": (
        "the board: {size} x {size} squares, the smallest {pixels:.0f} pixels a side; White sits at the {edge} of the"
        " picture",
        "o tabuleiro: {size} x {size} casas, a menor com {pixels:.0f} píxeis de lado; as brancas estão no lado {edge}"
        " da imagem",
    ),
    "camera.edge.0": ("top", "de cima"),
    "camera.edge.1": ("right", "direito"),
    "camera.edge.2": ("bottom", "de baixo"),
    "camera.edge.3": ("left", "esquerdo"),
    "camera.side.white": ("White", "Brancas"),
    "camera.side.black": ("Black", "Pretas"),
    "camera.look": (
        "look at {file}: do the lines lie on the board's?",
        "veja {file}: as linhas estão sobre as do tabuleiro?",
    ),
    "camera.written": ("{file}: written", "{file}: escrito"),
    "camera.not_written": ("no profile was written", "não foi escrito nenhum perfil"),
    "camera.next": (
        "next: these lines below the [[board]] of the table, in the configuration:",
        "a seguir: estas linhas por baixo do [[board]] da mesa, na configuração:",
    ),
    "camera.next.device": (
        "the camera: a number, /dev/video0 or an address",
        "a câmara: um número, /dev/video0 ou um endereço",
    ),
    "camera.next.address": (
        "a file that only you may read, with the address and its password in it",
        "um ficheiro que só você pode ler, com o endereço e a palavra-passe dele",
    ),
    "camera.scheme": (
        "no stream can be read by {scheme}; an address begins with one of {schemes}",
        "não se lê nenhum fluxo por {scheme}; um endereço começa por um de {schemes}",
    ),
    "camera.places": (
        "{places} (row/column in the picture, from its top left)",
        "{places} (linha/coluna na imagem, a partir de cima e da esquerda)",
    ),
    "camera.empty": ("empty squares", "casas vazias"),
    "camera.white": ("white pieces", "peças brancas"),
    "camera.black": ("black pieces", "peças pretas"),
    "camera.every_square": (
        "this game is played on every square; a camera needs squares that stay empty, and cannot watch it",
        "neste jogo joga-se em todas as casas; uma câmara precisa de casas que fiquem vazias, e não o pode acompanhar",
    ),
    "camera.dark": (
        "the picture is too dark; switch a lamp on, or take the cover off",
        "a imagem está escura demais; acenda uma luz, ou tire a tampa",
    ),
    "camera.no_board": (
        "no board is found; is all of it in the picture? If it is, say with --clicks where its corners are",
        "não se encontra nenhum tabuleiro; está todo na imagem? Se está, diga com --clicks onde são os cantos",
    ),
    "camera.not_there": (
        "no board is where --clicks says; click at the outer corners of the squares, not of the frame",
        "não há um tabuleiro onde --clicks diz; indique os cantos exteriores das casas, não da moldura",
    ),
    "camera.other_size": (
        "the board has {found} x {found} squares, but the regulation is played on {size} x {size}",
        "o tabuleiro tem {found} x {found} casas, mas o regulamento joga-se em {size} x {size}",
    ),
    "camera.others": (
        "{count} boards are in the picture; the largest one was taken. Nothing else is watched",
        "há {count} tabuleiros na imagem; ficou o maior. Os outros não são acompanhados",
    ),
    "camera.glare": (
        "a lamp or a window is mirrored in the board; move it or the camera",
        "há uma lâmpada ou uma janela refletida no tabuleiro; desvie-a, ou à câmara",
    ),
    "camera.glare_squares": (
        "a lamp or a window is mirrored in {squares}; what stands there may not be read",
        "há uma lâmpada ou uma janela refletida em {squares}; o que lá está pode não se ler",
    ),
    "camera.small": (
        "the board is small in the picture: {pixels:.0f} pixels for the side of a square, {least:.0f} are wanted; bring"
        " the camera nearer, or ask for more with --resolution",
        "o tabuleiro está pequeno na imagem: {pixels:.0f} píxeis para o lado de uma casa, convêm {least:.0f}; aproxime"
        " a câmara, ou peça mais com --resolution",
    ),
    "camera.blurred": (
        "the picture is blurred; focus the camera, and let nothing shake it",
        "a imagem está desfocada; foque a câmara, e que nada a abane",
    ),
    "camera.unsteady": (
        "the board or the camera moved between two pictures; let both rest, and begin again",
        "o tabuleiro ou a câmara mexeu-se entre duas imagens; deixe-os quietos, e recomece",
    ),
    "camera.sizes": (
        "the camera gives pictures of different sizes",
        "a câmara dá imagens de tamanhos diferentes",
    ),
    "camera.no_picture": ("no picture came", "não veio nenhuma imagem"),
    "camera.outside": (
        "squares are outside the picture: {squares}; turn the camera, or move it back",
        "há casas fora da imagem: {squares}; vire a câmara, ou afaste-a",
    ),
    "camera.not_start": (
        "this is not the start position; look at {squares}",
        "esta não é a posição inicial; veja {squares}",
    ),
    "camera.men_unseen": (
        "this is not the start position: {count} squares are otherwise. If all men are there, some look like their"
        " squares or like the other side's men to this camera: more light, or other men, matt and of another colour",
        "esta não é a posição inicial: há {count} casas diferentes. Se estão lá todas as peças, algumas parecem-se com"
        " as casas ou com as do outro lado, para esta câmara: mais luz, ou outras peças, mates e de outra cor",
    ),
    "camera.not_set_up": (
        "this is not the start position; set up all men, and take everything else off the board",
        "esta não é a posição inicial; ponha todas as peças, e tire tudo o resto do tabuleiro",
    ),
    "camera.wrong_corner": (
        "the men stand on dark squares, but the corner at the players' hands is the wrong one for this regulation: the"
        " board lies a quarter turn off, the camera mirrors (--mirrored), or it is another game",
        "as peças estão em casas escuras, mas o canto à mão dos jogadores não é o deste regulamento: o tabuleiro está"
        " rodado um quarto de volta, a câmara espelha (--mirrored), ou o jogo é outro",
    ),
    "camera.wrong_colour": (
        "the men stand on the light squares; put them on the dark ones",
        "as peças estão nas casas claras; ponha-as nas escuras",
    ),
    "camera.markers_disagree": (
        "the corner cards say that the board lies otherwise than the men do; lay them as their words say",
        "os cartões de canto dizem que o tabuleiro está de outro modo do que as peças; ponha-os como diz neles",
    ),
    "camera.mirrored": (
        "the corner cards are mirrored, so the camera is; its pictures are turned over",
        "os cartões de canto estão espelhados, logo a câmara espelha; as imagens são viradas",
    ),
    "camera.inseparable": (
        "{one} and {other} look alike to this camera ({separation:.1f}; {least:.0f} is the least): more light, no lamp"
        " that is mirrored, or other men, matt and of another colour",
        "{one} e {other} parecem iguais a esta câmara ({separation:.1f}; o mínimo é {least:.0f}): mais luz, nenhuma"
        " lâmpada refletida, ou outras peças, mates e de outra cor",
    ),
    "camera.enough": (
        "told apart: enough ({separation:.1f}; {well:.0f} is good); {one} and {other} are most alike: some squares will"
        " be in doubt at times. More light helps",
        "distingue-se: o bastante ({separation:.1f}; bom é {well:.0f}); mais parecidas são {one} e {other}: às vezes"
        " haverá casas em dúvida. Mais luz ajuda",
    ),
    "camera.good": (
        "told apart: well ({separation:.1f}); {one} and {other} are most alike",
        "distingue-se: bem ({separation:.1f}); mais parecidas são {one} e {other}",
    ),
    "camera.differs": (
        "otherwise than in the start position: {squares}; put the men right, and begin again",
        "de outro modo do que na posição inicial: {squares}; ponha as peças como deve ser, e recomece",
    ),
    "camera.unsure": (
        "not certain to be read: {squares}; is a shadow, a reflection or a stain there?",
        "de leitura incerta: {squares}; há lá uma sombra, um reflexo ou uma nódoa?",
    ),
    "camera.elsewhere": (
        "something lies on squares that are not played on, or is mirrored in them: {squares}",
        "há alguma coisa, ou um reflexo, em casas em que não se joga: {squares}",
    ),
    "camera.profile": (
        "What damas-board knows of a camera and its table; made by: damas-board calibrate camera\nMade for one place:"
        " when the camera, the board or the lamps are moved for good, make it anew.",
        "O que damas-board sabe de uma câmara e da mesa dela; feito por: damas-board calibrate camera\nServe para um só"
        " lugar: se a câmara, o tabuleiro ou as luzes mudarem de vez, faça-o de novo.",
    ),
    "camera.profile.width": ("The pictures, pixels.", "As imagens, píxeis."),
    "camera.profile.parity": (
        "Squares whose row plus column (in the picture, from 0) is even: 0, or odd: 1, are played on.",
        "Joga-se nas casas em que linha mais coluna (na imagem, desde 0) é par: 0, ou ímpar: 1.",
    ),
    "camera.profile.turn": (
        "The picture turned clockwise by so many degrees is White's view.",
        "A imagem rodada de tantos graus no sentido dos ponteiros é a vista das brancas.",
    ),
    "camera.profile.mirrored": (
        "Whether the camera gives mirrored pictures.",
        "Se a câmara dá imagens espelhadas.",
    ),
    "camera.profile.lean": (
        "How far men are seen from the middles of their squares, in squares.",
        "A que distância do meio das casas se veem as peças, em casas.",
    ),
    "camera.profile.separation": (
        "How well the two that are most alike are told apart: from {least:.0f} on it can be used, from {well:.0f} on it"
        " is good.",
        "Quão bem se distinguem as duas coisas mais parecidas: serve a partir de {least:.0f}, é bom a partir de"
        " {well:.0f}.",
    ),
    "camera.profile.grid": ("Where the squares are.", "Onde estão as casas."),
    "camera.profile.empty": (
        "What an empty square, a white piece, a black piece, and a square that is never played on look like.",
        "Que aspeto têm uma casa vazia, uma peça branca, uma peça preta, e uma casa em que nunca se joga.",
    ),
    "help.camera": (
        "find the board in pictures and read it, one JSON object a picture",
        "encontrar o tabuleiro em imagens e lê-lo, um objeto JSON por imagem",
    ),
    "help.camera.more": (
        "Finds the board in pictures and reads what stands on it, one JSON object a picture. Pictures that a phone took"
        " upright are turned as it wrote into them (EXIF).",
        "Encontra o tabuleiro em imagens e lê o que está sobre ele, um objeto JSON por imagem. As imagens que um"
        " telemóvel tirou ao alto são viradas como ele lá escreveu (EXIF).",
    ),
    "help.camera.image": (
        "a picture: JPEG, PNG, WebP, TIFF, BMP, GIF (the first of it) or AVIF",
        "uma imagem: JPEG, PNG, WebP, TIFF, BMP, GIF (a primeira dele) ou AVIF",
    ),
    "help.camera.start": (
        "a picture of the start position by the same camera at the same table: with it colours are told for certain",
        "uma imagem da posição inicial pela mesma câmara na mesma mesa: com ela as cores são certas",
    ),
    "help.camera.profile": (
        "what calibrate camera wrote, instead",
        "em vez disso, o que calibrate camera escreveu",
    ),
    "help.camera.size": ("squares a side (default: what is found)", "casas de lado (por omissão: o que se encontrar)"),
    "help.camera.regulation": (
        "the regulation of the game: it says how many squares there are and which corner is played on",
        "o regulamento do jogo: diz quantas casas há e em que canto se joga",
    ),
    "help.camera.drawn": (
        "where the picture goes with what was found drawn on it, PNG; for one picture only",
        "para onde vai a imagem com o que se encontrou desenhado, PNG; só para uma imagem",
    ),
    "camera.one_overlay": (
        "--overlay is for one picture at a time",
        "--overlay é para uma imagem de cada vez",
    ),
}

_IN_BRAZIL = (
    ("câmara", "câmera"),
    ("píxeis", "pixels"),
    ("ficheiro", "arquivo"),
    ("palavra-passe", "senha"),
    ("mates", "foscas"),
)


def _in_brazil(text: str) -> str:
    for here, there in _IN_BRAZIL:
        text = text.replace(here, there)
    return text


BRAZIL: Mapping[str, str] = {
    key: there for key, (_, here) in WORDS.items() if key.startswith("camera.") and (there := _in_brazil(here)) != here
}
"""What is said of a camera whose regulation is Brazil's."""
