"""What a person sees of journals that are mended or restored, by key, in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, str]] = {}
BRAZIL: Mapping[str, str] = {}
"""Where Brazil says it otherwise."""

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
