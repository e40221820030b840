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
        "{file}: is there already; name another file with --out, or write over it with --force",
        "{file}: já existe; indique outro ficheiro com --out, ou escreva por cima com --force",
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
}
