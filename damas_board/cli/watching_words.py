"""What a person sees of cameras that watch boards, by key in both languages: errors, the log."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {
    "preflight.check.camera": ("camera", "câmara"),
    "preflight.camera_looks": (
        "the camera gives pictures; the board was not found in them yet",
        "a câmara dá imagens; ainda não se encontrou nelas o tabuleiro",
    ),
    "preflight.camera_watches": ("the camera watches, its gateway says", "a câmara observa, diz o gateway"),
    "preflight.camera_sees": (
        "the camera reads every square; what looks most alike is {separation} deviations apart",
        "a câmara lê todas as casas; o que mais se parece está a {separation} desvios",
    ),
    "preflight.camera_unsure": (
        "the camera reads every square, but what looks most alike is {separation} deviations apart only ({comfortable}"
        " are comfortable): better light, or men of another colour",
        "a câmara lê todas as casas, mas o que mais se parece está só a {separation} desvios (bom é {comfortable}):"
        " melhor luz, ou peças de outra cor",
    ),
    "preflight.camera_unread": (
        "the camera is not sure of {unread} of {of} squares",
        "a câmara não está certa de {unread} de {of} casas",
    ),
    "preflight.camera_away": ("the camera gives no pictures ({why})", "a câmara não dá imagens ({why})"),
    "preflight.camera_no_board": (
        "the camera sees no board; does it look at the table, and as when it was calibrated?",
        "a câmara não vê nenhum tabuleiro; olha para a mesa, e como quando foi calibrada?",
    ),
    "preflight.camera_dark": (
        "too dark for the camera; switch a light on",
        "escuro demais para a câmara; acenda uma luz",
    ),
    "preflight.camera_glare": (
        "light shines back from the board into the camera; move the lamp or the camera",
        "a luz reflete-se do tabuleiro para a câmara; mude o candeeiro ou a câmara",
    ),
    "preflight.camera_moved": ("the camera or the board is being moved", "a câmara ou o tabuleiro está a mover-se"),
    "preflight.camera_occluded": (
        "something lies over most of the board",
        "há alguma coisa por cima da maior parte do tabuleiro",
    ),
    "preflight.camera_illegible": (
        "the camera cannot read most squares: make its profile anew (damas-board calibrate camera)",
        "a câmara não lê a maior parte das casas: faça de novo o perfil (damas-board calibrate camera)",
    ),
    "preflight.camera_turned": (
        "for the camera the board lies the other way round; turn it, or make the camera's profile anew",
        "para a câmara o tabuleiro está ao contrário; rode-o, ou faça de novo o perfil",
    ),
}

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
    "boards.state.watched": "vigiado por uma câmera",
    "boards.camera": "câmera",
    "boards.camera.free": "o perfil de uma câmera se faz com: damas-board calibrate camera {device}",
    "boards.camera.none": "não há nenhuma câmera conectada a esta máquina; uma da rede só se encontra pelo endereço",
    "boards.camera.not_listed": "neste sistema as câmeras não são listadas; têm números, a primeira é 0",
    "preflight.check.camera": "câmera",
    "preflight.camera_looks": "a câmera dá imagens; ainda não se encontrou nelas o tabuleiro",
    "preflight.camera_watches": "a câmera observa, diz o gateway",
    "preflight.camera_sees": "a câmera lê todas as casas; o que mais se parece está a {separation} desvios",
    "preflight.camera_unsure": "a câmera lê todas as casas, mas o que mais se parece está só a {separation} desvios"
    " (bom é {comfortable}): melhor luz, ou peças de outra cor",
    "preflight.camera_unread": "a câmera não está certa de {unread} de {of} casas",
    "preflight.camera_away": "a câmera não dá imagens ({why})",
    "preflight.camera_no_board": "a câmera não vê nenhum tabuleiro; olha para a mesa, e como quando foi calibrada?",
    "preflight.camera_dark": "escuro demais para a câmera; acenda uma luz",
    "preflight.camera_glare": "a luz reflete-se do tabuleiro para a câmera; mude a luminária ou a câmera",
    "preflight.camera_moved": "a câmera ou o tabuleiro está se movendo",
    "preflight.camera_illegible": "a câmera não lê a maior parte das casas: faça de novo o perfil"
    " (damas-board calibrate camera)",
    "preflight.camera_turned": "para a câmera o tabuleiro está ao contrário; vire-o, ou faça de novo o perfil",
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
    "camera %s: its video is over; nothing more is seen": "câmara %s: o vídeo acabou; já não se vê nada",
    "camera %s: its driver does not return; it is left to itself": "câmara %s: o controlador não responde; é deixado",
    "camera %s: its exposure jumps when it is locked, so it stays automatic; exposure = %g was found": "câmara %s: a"
    " exposição salta quando é fixada, por isso fica automática; tinha encontrado exposure = %g",
    "camera %s: its driver does not do: %s": "câmara %s: o seu controlador não faz: %s",
    "%s: pictures cannot be kept there (%s)": "%s: não se podem guardar lá imagens (%s)",
}
"""The Portuguese of entries of the log, by their English."""
