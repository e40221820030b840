"""What stands before a camera: a board of some look, the pieces on it and beside it, hands, cards, and the light."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from damas_board.rules.position import Position
from simulator.camera.optics import Place, Pose
from simulator.table import Table, rows

Colour = tuple[float, float, float]
"""Blue, green, red as a picture has them in full light, 0 to 255."""
Where = tuple[int, int]
"""(row, column) as White sees the board: row 0 is Black's side."""

RADIUS, HEIGHT = 17.0, 7.0
"""Of a man, mm: 003 art. 2."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a board and its men are made of."""

    dark: Colour
    light: Colour
    white: Colour
    black: Colour
    border: Colour = (40, 62, 92)
    table: Colour = (120, 140, 160)
    border_width: float = 28.0
    """mm; 0 is a board without a border."""
    thickness: float = 18.0
    grain: float = 0.0
    """How much the wood's grain shows, 0 to 1, on squares and border."""
    rings: int = 2
    """Grooves on a man's top."""
    glossy: bool = False
    """Whether lamps are seen in the men and the board."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A man (`w`, `b`) or a king, two men one on the other (`W`, `B`), `x` and `y` mm off its square's middle."""

    mark: str
    x: float = 0.0
    y: float = 0.0
    askew: tuple[float, float] = (0.0, 0.0)
    """How far a king's upper man is from being above the lower one, mm."""
    tone: float = 1.0
    """How light it is among those of its colour."""


@dataclass(frozen=True, slots=True)
class Loose:
    """A piece that stands on no square; `z` is the height of its underside over the board."""

    mark: str
    x: float
    y: float
    z: float = 0.0
    tone: float = 1.0


@dataclass(frozen=True, slots=True)
class Arm:
    """A hand whose fingertips are at (`x`, `y`, `z`), and the arm it is on, which comes from `shoulder` (x, y)."""

    x: float
    y: float
    z: float
    shoulder: tuple[float, float]
    holds: str | None = None
    """A piece in the fingers."""
    skin: Colour = (128, 160, 205)
    sleeve: Colour = (90, 60, 50)
    left: bool = False
    velocity: tuple[float, float] = (0.0, 0.0)
    """mm/s over the table: what blurs it."""


@dataclass(frozen=True, slots=True)
class Card:
    """A white card with a marker: `bits` as printed, True is black, the black edge too; `x`, `y` its middle, `side` the
    marker's, mm."""

    bits: tuple[tuple[bool, ...], ...]
    x: float
    y: float
    side: float = 30.0
    turned: float = 0.0
    quiet: float = 6.0
    """The white margin, mm."""


@dataclass(frozen=True, slots=True)
class Light:
    """The light on the table. Levels and strengths are of light, not of what a picture makes of it."""

    level: float = 1.0
    """1 is exposed as it should be."""
    colour: Colour = (1.0, 1.0, 1.0)
    gradient: tuple[float, float] = (0.0, 0.0)
    """How much brighter it is at White's right and at Black's side than in the middle, as a share."""
    vignette: float = 0.12
    """How much darker the picture's corners are."""
    azimuth: float = 130.0
    """Where it comes from, degrees anti-clockwise from White's right."""
    elevation: float = 50.0
    strength: float = 0.35
    """How much of the light shadows take away."""
    softness: float = 2.0
    """How blurred the edges of the men's shadows are, mm."""
    glare: float = 0.0
    """How strongly a lamp is seen in what is glossy."""
    lamp: tuple[float, float] = (60.0, 120.0)
    """Where on the table it is seen, (x, y)."""
    person: tuple[float, float, float, float] | None = None
    """Somebody leans over: (x, y, radius) of the shadow and its strength; a spot of light if that is negative."""
    edge: tuple[float, float, float] | None = None
    """Half the table lies in the shadow of something: the direction from which it comes, degrees anti-clockwise from
    White's right, how far from the board's middle it ends, mm, and its strength."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that stands there. `pieces` by (row, column) as White sees it, row 0 at Black's side."""

    size: int
    look: Look
    pieces: Mapping[Where, Piece] = field(default_factory=dict)
    parity: Literal[0, 1] = 1
    """Which squares are dark, by (row + column) % 2: 1 has a dark corner at White's left on an even board."""
    on_light: bool = False
    """Whether the light squares are those that are played on."""
    place: Place = field(default_factory=Place)
    beside: tuple[Loose, ...] = ()
    arms: tuple[Arm, ...] = ()
    cards: tuple[Card, ...] = ()
    second: Place | None = None
    """Where another such board with the same pieces lies."""
    chess: bool = False
    """Whether chessmen stand there instead of men."""

    @classmethod
    def of_rows(cls, text: str, look: Look, *, parity: Literal[0, 1] = 1) -> Scene:
        """The scene of rows as White sees them, Black's side first, separated by `/`."""
        lines = text.split("/")
        pieces = {(r, c): Piece(m) for r, line in enumerate(lines) for c, m in enumerate(line) if m != "."}
        return cls(len(lines), look, pieces, parity)

    @classmethod
    def of_position(cls, position: Position, look: Look, *, on_light: bool = False) -> Scene:
        """The scene of a position, its playable squares dark, or light."""
        geometry = position.variant.geometry
        row, column = divmod(geometry.playable[0], geometry.size)
        parity: Literal[0, 1] = 1 if (geometry.size - 1 - row + column + on_light) % 2 else 0
        scene = cls.of_rows(rows(Table(position).pieces, geometry), look, parity=parity)
        return replace(scene, on_light=on_light)

    @property
    def rows(self) -> str:
        """What stands on the squares, as White sees it."""
        n = range(self.size)
        return "/".join("".join(self.pieces[r, c].mark if (r, c) in self.pieces else "." for c in n) for r in n)


@dataclass(frozen=True, slots=True)
class View:
    """A camera and the light it sees by."""

    pose: Pose = field(default_factory=Pose)
    width: int = 1280
    height: int = 720
    light: Light = field(default_factory=Light)
    noise: float = 1.5
    """Standard deviation of the sensor's noise, levels of the picture."""
    white_balance: Colour = (1.0, 1.0, 1.0)
    """What the camera makes of each channel's light."""
    blur: float = 0.0
    """Out of focus by so many pixels (standard deviation)."""
    shake: tuple[float, float] = (0.0, 0.0)
    """The camera moves by so many pixels while the picture is taken."""
    jpeg: int | None = None
    """Quality of the compression; None is none."""
    shutter: float = 1 / 40
    """Seconds that a picture takes: what moves is blurred."""
    mirrored: bool = False
    turned: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Degrees that the camera has panned, tilted and rolled since it was put up."""
    seed: int = 0
    """Of grain and noise."""
