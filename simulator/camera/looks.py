"""The boards that there are."""

from __future__ import annotations

from simulator.camera.scene import Look

LOOKS: dict[str, Look] = {
    "wood": Look(
        dark=(48, 78, 128), light=(140, 190, 220), white=(190, 218, 232), black=(38, 42, 52), border=(36, 58, 96),
        table=(112, 128, 140), grain=0.6,
    ),
    "green": Look(
        dark=(72, 118, 62), light=(205, 226, 232), white=(225, 236, 240), black=(46, 44, 46), border=(200, 214, 218),
        table=(98, 104, 112), border_width=22, thickness=2,
    ),
    "red-green": Look(
        dark=(66, 116, 44), light=(44, 52, 177), white=(222, 232, 236), black=(40, 40, 42), border=(40, 44, 48),
        table=(150, 160, 170), grain=0.1, border_width=18,
    ),
    "dark-frame": Look(
        dark=(52, 70, 104), light=(168, 200, 214), white=(205, 226, 234), black=(34, 32, 34), border=(22, 22, 26),
        table=(60, 66, 74), grain=0.4, border_width=35, thickness=25,
    ),
    "brown-on-brown": Look(
        dark=(52, 84, 132), light=(160, 200, 224), white=(152, 190, 214), black=(34, 56, 94), border=(44, 66, 100),
        table=(128, 150, 160), grain=0.5,
    ),
    "red-men": Look(
        dark=(60, 62, 66), light=(200, 206, 206), white=(216, 228, 232), black=(44, 40, 172), border=(70, 76, 84),
        table=(160, 140, 110), border_width=12, thickness=8,
    ),
    "glossy": Look(
        dark=(40, 66, 112), light=(150, 196, 222), white=(200, 224, 236), black=(28, 28, 32), border=(30, 48, 82),
        table=(96, 110, 120), grain=0.5, glossy=True,
    ),
}  # fmt: skip
"""By their names. `red-green`: its squares are equally light, only their colours differ."""
