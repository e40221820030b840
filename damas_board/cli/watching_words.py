"""What a person sees of cameras that watch boards, by key in both languages: errors, the log."""

from __future__ import annotations

from collections.abc import Mapping

ERRORS: Mapping[str, str] = {
    "no_opencv": "{camera}: sem o OpenCV não se podem ler imagens ({reason}); na pasta do projeto:"
    " .venv/bin/pip install -e '.[camera]'",
    "no_camera": "{camera}: a câmara não existe; está ligada? (damas-board boards mostra as que há)",
    "camera_denied": "{camera}: sem permissão para usar a câmara; no Linux o utilizador tem de estar no grupo video",
    "camera_failed": "{camera}: não se pode usar como câmara ({reason})",
    "camera_lost": "{camera}: já não chegam imagens; o cabo ainda está ligado?",
    "camera_blocked": "{camera}: a câmara não dá imagens há {seconds:g} s",
    "frozen": "{camera}: a câmara dá sempre a mesma imagem",
    "no_stream": "{camera}: deste endereço não chegam imagens",
    "no_video": "{camera}: não é um ficheiro de vídeo que se possa ler",
}
"""The Portuguese of sources.errors.TEXTS, as far as they are about cameras."""

BRAZIL: Mapping[str, str] = {
    "error.no_camera": "{camera}: a câmera não existe; está conectada? (damas-board boards mostra as que há)",
    "error.camera_denied": "{camera}: sem permissão para usar a câmera; no Linux o usuário tem de estar no grupo video",
    "error.camera_failed": "{camera}: não se pode usar como câmera ({reason})",
    "error.camera_lost": "{camera}: já não chegam imagens; o cabo ainda está conectado?",
    "error.camera_blocked": "{camera}: a câmera não dá imagens há {seconds:g} s",
    "error.frozen": "{camera}: a câmera dá sempre a mesma imagem",
    "error.no_video": "{camera}: não é um arquivo de vídeo que se possa ler",
}
"""Where Brazil says it otherwise."""

LOG_LINES: Mapping[str, str] = {
    "board %s: its %s: link lost: %s; it is still watched": "tabuleiro %s: %s: ligação perdida: %s; continua a ser"
    " observado",
    "board %s: its %s: link back": "tabuleiro %s: %s: ligação restabelecida",
    "camera %s: its driver does not return; it is left to itself": "câmara %s: o controlador não responde; é deixado",
    "camera %s: its exposure jumps when it is locked, so it stays automatic; exposure = %g was found": "câmara %s: a"
    " exposição salta quando é fixada, por isso fica automática; tinha encontrado exposure = %g",
    "%s: pictures cannot be kept there (%s)": "%s: não se podem guardar lá imagens (%s)",
}
"""The Portuguese of entries of the log, by their English."""
