"""Pictures of a scene.

What a picture shows is put together in the levels of a picture, not of light: those are the light's to the power of
1/2.2, so that light, shadow and the camera's gains, which all multiply, multiply them as well, and the noise of the
sensor is about the same in all of them. First comes the ground (room, table, the board from a texture), cached as long
as the board does not move; on it the pieces, each a small picture that is drawn once for each place where it stands;
then the light, as one factor for every pixel; then hands, noise, and compression.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from damas_board.decoding.vision.grid import Grid
from damas_board.decoding.vision.picture import Picture
from damas_board.decoding.vision.profile import Parity, Turn
from simulator.camera import surfaces
from simulator.camera.arms import arm_layer, arm_shadow, shaken
from simulator.camera.cards import card_sprite
from simulator.camera.men import GAMMA, Shade, Sprite, chessman, glaring, man, shade, softened
from simulator.camera.optics import SQUARE, Optics, Place, grid_of, mirrored
from simulator.camera.scene import HEIGHT, Arm, Colour, Light, Loose, Piece, Scene, View, Where

Field = NDArray[np.float32]

TABLE = 560.0
"""From the middle of the table to its edges, mm."""
GRAIN = 64
"""By so many pixels, at most, the noise of one picture lies beside that of another."""
ROOM: Colour = (70, 76, 82)


class Truth(NamedTuple):
    """What a picture shows: the conventions are those of decoding.vision."""

    grid: Grid
    rows: str
    """As seen in the picture; a mirrored one shows them mirrored."""
    turn: Turn
    """Of the picture, turned over first if it is mirrored."""
    parity: Parity
    """Which squares are played on, of the picture turned over first if it is mirrored."""


def render(scene: Scene, view: View) -> tuple[Picture, Grid]:
    """The picture of `scene`, and where its board's squares are in it."""
    renderer = Renderer(scene, view)
    return renderer.picture(scene), renderer.truth(scene).grid


class Renderer:
    """Takes pictures of one board through one camera, one after the other; what stands still is drawn once."""

    def __init__(self, scene: Scene, view: View) -> None:
        """The camera is put up for the board of `scene` where it lies at home."""
        self.view = view
        self._size, self._look, self._parity, self._cards = scene.size, scene.look, scene.parity, scene.cards
        half = scene.size * SQUARE / 2 + scene.look.border_width
        self.optics = Optics.of_pose(view.pose, view.width, view.height, half)
        if any(view.turned):
            self.optics = self.optics.turned(*view.turned)
        self._random = np.random.default_rng((view.seed, 2))
        self._ground: tuple[object, Picture] | None = None
        self._sprites: dict[object, Sprite | Shade] = {}
        self._still: tuple[object, Picture] | None = None
        self._lit: tuple[object, Picture] | None = None
        self._gain: tuple[Light, Field] | None = None
        self._grain: NDArray[np.int16] | None = None

    def truth(self, scene: Scene) -> Truth:
        """What the picture of `scene` shows."""
        grid, turn = grid_of(self.optics, scene.size, scene.place)
        lines = [list(line) for line in scene.rows.split("/")]
        for _ in range(-turn % 360 // 90):
            lines = [list(line) for line in zip(*reversed(lines), strict=True)]
        turned_over = turn in (90, 270) and scene.size % 2 == 0
        parity: Parity = 1 if (scene.parity + scene.on_light + turned_over) % 2 else 0
        if self.view.mirrored:
            grid = mirrored(grid, self.view.width)
            lines = [line[::-1] for line in lines]
        return Truth(grid, "/".join("".join(line) for line in lines), turn, parity)

    def picture(self, scene: Scene, light: Light | None = None) -> Picture:
        """The next picture; `light` instead of the view's."""
        light = self.view.light if light is None else light
        lit = self._lit_still(scene, light)
        if scene.arms:
            lit = lit.copy()
            self._reach(scene.arms, light, lit)
        return self._sensed(lit)

    def _reach(self, arms: tuple[Arm, ...], light: Light, lit: Picture) -> None:
        """Hands over what is there already."""
        arm_shadow(self.optics, arms, light, lit)
        gains, eye = self._gains(light), self.optics.eye
        for arm in sorted(arms, key=lambda arm: -((arm.x - eye[0]) ** 2 + (arm.y - eye[1]) ** 2)):
            held = [self._drawn(disc, light) for disc in _in_hand(arm)]
            layer = arm_layer(self.optics, arm, held, light, self.view.shutter)
            if layer is not None:
                layer.onto(lit, gains, _levels(light))

    def _lit_still(self, scene: Scene, light: Light) -> Picture:
        still = self._stands(scene, light)
        key = (id(still), light)
        if self._lit is None or self._lit[0] != key:
            product = cv2.multiply(still, self._gains(light), scale=_levels(light), dtype=cv2.CV_8U)
            self._lit = key, np.asarray(product, dtype=np.uint8)
        return self._lit[1]

    def _sensed(self, picture: Picture) -> Picture:
        view = self.view
        if view.blur:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), view.blur), dtype=np.uint8)
        if any(view.shake):
            picture = shaken(picture, np.array(view.shake))
        if view.noise:
            if self._grain is None:
                size = np.array([view.height + GRAIN, view.width + GRAIN])
                often = size // 1500 + 1
                grain = self._random.standard_normal((*(-(-size // often)).tolist(), 3), dtype=np.float32)
                self._grain = np.tile(np.round(grain * np.float32(view.noise)).astype(np.int16), (*often.tolist(), 1))
            y, x = self._random.integers(0, GRAIN, 2)
            part = self._grain[y : y + view.height, x : x + view.width]
            picture = np.asarray(cv2.add(picture, part, dtype=cv2.CV_8U), dtype=np.uint8)
        if view.mirrored:
            picture = np.asarray(cv2.flip(picture, 1), dtype=np.uint8)
        if view.jpeg is not None:
            packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, view.jpeg])[1]
            picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
        return picture if picture is not self._lit_picture() else picture.copy()

    def _lit_picture(self) -> Picture | None:
        return None if self._lit is None else self._lit[1]

    def _stands(self, scene: Scene, light: Light) -> Picture:
        """Everything that stands there, in full light."""
        key = (
            tuple(sorted(scene.pieces.items())),
            scene.beside,
            scene.place,
            scene.second,
            scene.chess,
            _shading(light),
        )
        if self._still is not None and self._still[0] == key:
            return self._still[1]
        below = (scene.place, scene.second, _shading(light))
        if self._ground is None or self._ground[0] != below:
            self._ground = below, self._empty_board(scene, light)
            self._sprites.clear()
        picture = self._ground[1].copy()
        places = [scene.place] if scene.second is None else [scene.place, scene.second]
        standing = [self._men(scene.size, p, where, one) for p in places for where, one in scene.pieces.items()]
        standing += [[loose] for loose in scene.beside]
        eye = self.optics.eye
        standing.sort(key=lambda discs: -((discs[0].x - eye[0]) ** 2 + (discs[0].y - eye[1]) ** 2))
        if scene.chess:
            self._chessmen([discs[0] for discs in standing], light, picture)
            standing = []
        for discs in standing:
            self._shade(discs, light).onto(picture)
        for discs in standing:
            for disc in discs:
                self._man(disc, light).onto(picture)
        self._still = key, picture
        return picture

    def _men(self, size: int, place: Place, where: Where, piece: Piece) -> list[Loose]:
        row, column = where
        half = size / 2
        x = (column + 0.5 - half) * SQUARE + piece.x
        y = (half - row - 0.5) * SQUARE + piece.y
        discs = [(x, y)]
        if piece.mark.isupper():
            discs.append((x + piece.askew[0], y + piece.askew[1]))
        world = place.world(np.array([[x, y, 0.0] for x, y in discs]))
        return [
            Loose(piece.mark.lower(), float(p[0]), float(p[1]), i * HEIGHT, piece.tone) for i, p in enumerate(world)
        ]

    def _man(self, disc: Loose, light: Light) -> Sprite:
        key = (disc, _shading(light))
        if key not in self._sprites:
            self._sprites[key] = self._drawn(disc, light)
        found = self._sprites[key]
        assert isinstance(found, Sprite)
        return found

    def _chessmen(self, standing: list[Loose], light: Light, picture: Picture) -> None:
        for one in standing:
            shade(self.optics, (one.x, one.y, 0.0), 45.0, light).onto(picture)
        for one in standing:
            colour = self._look.black if one.mark == "b" else self._look.white
            chessman(self.optics, (one.x, one.y), 48.0 + one.x % 31, colour, light).onto(picture)

    def _drawn(self, disc: Loose, light: Light) -> Sprite:
        blue, green, red = self._look.black if disc.mark == "b" else self._look.white
        colour = blue * disc.tone, green * disc.tone, red * disc.tone
        return man(self.optics, (disc.x, disc.y, disc.z), colour, self._look, light)

    def _shade(self, discs: list[Loose], light: Light) -> Shade:
        key = (discs[0], len(discs), _shading(light))
        if key not in self._sprites:
            first = discs[0]
            ground = first.z if first.z < 0 else 0.0
            self._sprites[key] = shade(self.optics, (first.x, first.y, first.z), HEIGHT * len(discs), light, ground)
        found = self._sprites[key]
        assert isinstance(found, Shade)
        return found

    def _empty_board(self, scene: Scene, light: Light) -> Picture:
        """Room, table and board, in full light."""
        view, look, optics = self.view, self._look, self.optics
        low = -look.thickness
        picture = np.empty((view.height, view.width, 3), np.uint8)
        picture[:] = ROOM
        scale = 0.5 * optics.scale((0.0, 0.0, low)) + 0.1
        side = int(2 * TABLE * scale)
        wood = surfaces.table(look.table, side, round(scale, 1), view.seed)
        middle = TABLE * scale - 0.5
        onto = np.array([[scale, 0, middle], [0, -scale, middle], [0, 0, 1]])
        _lay(picture, self._flat(wood, onto, low, 1, (0, 0, view.width, view.height)))
        for card in self._cards:
            card_sprite(optics, card, low).onto(picture)
        for place in (scene.place, scene.second):
            if place is not None:
                self._board_onto(picture, scene, place)
        if look.glossy and light.glare:
            across, down = self._ground_map(0.0, 1, (0, 0, view.width, view.height))
            picture = glaring(picture.astype(np.float32), across, down, light, 0.45).astype(np.uint8)
        return picture

    def _board_onto(self, picture: Picture, scene: Scene, place: Place) -> None:
        """An empty board that lies there."""
        view, look, optics = self.view, self._look, self.optics
        low = -look.thickness
        half = scene.size * SQUARE / 2 + look.border_width
        edge = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
        upper = optics.pixels(place.world(np.column_stack([edge, np.zeros(4)])))
        lower = optics.pixels(place.world(np.column_stack([edge, np.full(4, low)])))
        softness = max(0.5 * look.thickness * optics.scale((0.0, 0.0, low)), 0.5)
        left, top, right, bottom = part = _around(np.concatenate([upper, lower]), 3 * softness, view.width, view.height)
        if left >= right or top >= bottom:
            return
        there = picture[top:bottom, left:right]
        mask = np.zeros(there.shape[:2], np.float32)
        cv2.fillConvexPoly(mask, _fixed(lower - (left, top)), 0.3, cv2.LINE_AA, 4)
        mask = softened(mask, softness)
        there[:] = cv2.multiply(there, cv2.merge([1 - mask] * 3), dtype=cv2.CV_8U)
        body = np.asarray(cv2.convexHull(np.concatenate([upper, lower]).astype(np.float32)), dtype=np.float64)[:, 0]
        cv2.fillConvexPoly(picture, _fixed(body), [0.62 * c for c in look.border], cv2.LINE_AA, 4)
        fine = 2 if view.width * view.height <= 4_000_000 else 1
        scale = min(max(round(2 * fine * optics.scale((0.0, 0.0, 0.0))) / 2, 1.0), 6.0)
        wood = surfaces.board(look, scene.size, scene.parity, scale, view.seed)
        middle = (wood.shape[0] - 1) / 2
        scale = (wood.shape[0] - 2 * round(look.border_width * scale)) / (scene.size * SQUARE)
        home = place.world(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]))[:, :2]
        board = np.column_stack([*(home[1:] - home[0]), home[0]])
        back = np.linalg.inv(np.vstack([board, (0, 0, 1)]))
        onto = np.array([[scale, 0, middle], [0, -scale, middle], [0, 0, 1]]) @ back
        _lay(there, self._flat(wood, onto, 0.0, fine, part))

    def _flat(
        self, texture: Picture, onto: NDArray[np.float64], z: float, fine: int, part: tuple[int, int, int, int]
    ) -> Picture:
        """`texture` as it is seen in a part of the picture, lying at the height `z`.

        `onto` takes (x, y) to the texture's pixels; `part` is left, top, right, bottom; every pixel is `fine` x `fine`.
        """
        left, top, right, bottom = part
        wide, high = right - left, bottom - top
        if self.view.pose.bend:
            across, down = self._ground_map(z, fine, part)
            m = onto.astype(np.float32)
            at_x, at_y = (m[i, 0] * across + m[i, 1] * down + m[i, 2] for i in (0, 1))
            seen = cv2.remap(texture, at_x, at_y, cv2.INTER_LINEAR)
        else:
            shift = (0.5 / fine - 0.5) + np.array([left, top])
            pixels = np.array([[1 / fine, 0, shift[0]], [0, 1 / fine, shift[1]], [0, 0, 1]])
            matrix = onto @ np.linalg.inv(self.optics.plane(z)) @ pixels
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            seen = cv2.warpPerspective(texture, matrix / matrix[2, 2], (wide * fine, high * fine), flags=flags)
        if fine > 1:
            seen = cv2.resize(seen, (wide, high), interpolation=cv2.INTER_AREA)
        return np.asarray(seen, dtype=np.uint8)

    def _ground_map(self, z: float, fine: int, part: tuple[int, int, int, int]) -> tuple[Field, Field]:
        """x and y at the height `z` of the pixels of a part, each cut into `fine` x `fine`; beyond the horizon 1e6."""
        left, top, right, bottom = part
        step = 8
        high, wide = (bottom - top) // step + 2, (right - left) // step + 2
        coarse = np.stack(np.meshgrid(np.arange(wide), np.arange(high)), axis=-1).astype(np.float64) * step
        ideal = self.optics.lens.straight(coarse + np.array([left, top])).astype(np.float32)
        along = [((np.arange(n * fine) + 0.5) / fine - 0.5) / step for n in (right - left, bottom - top)]
        x, y = (np.asarray(one, dtype=np.float32) for one in np.meshgrid(*along))
        there = np.asarray(cv2.remap(ideal, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
        px, py = there[..., 0], there[..., 1]
        plane = self.optics.plane(z)
        plane = plane / plane[2, 2]
        back = np.linalg.inv(plane).astype(np.float32)
        w = back[2, 0] * px + back[2, 1] * py + back[2, 2]
        middle = plane @ (0.0, 0.0, 1.0)
        if back[2] @ (middle / middle[2]) < 0:
            back, w = -back, -w
        seen = w > 1e-6
        w = np.where(seen, w, 1)
        x = np.where(seen, (back[0, 0] * px + back[0, 1] * py + back[0, 2]) / w, np.float32(1e6))
        y = np.where(seen, (back[1, 0] * px + back[1, 1] * py + back[1, 2]) / w, np.float32(1e6))
        return x.astype(np.float32), y.astype(np.float32)

    def _gains(self, light: Light) -> Field:
        """What light of level 1, lens and camera make of every pixel's level: height x width x 3."""
        light = replace(light, level=1.0)
        if self._gain is not None and self._gain[0] == light:
            return self._gain[1]
        view = self.view
        step = 16 if light.edge is None else 8
        high, wide = -(-view.height // step), -(-view.width // step)
        pixels = (np.stack(np.meshgrid(np.arange(wide), np.arange(high)), axis=-1) + 0.5) * step - 0.5
        ground = np.clip(np.nan_to_num(self.optics.ground(pixels.astype(np.float64), 0.0), nan=1e4), -TABLE, TABLE)
        half = self._size * SQUARE / 2
        level = 1 + ground[..., 0] / half * light.gradient[0] + ground[..., 1] / half * light.gradient[1]
        away = (pixels - self.optics.lens.centre) / self.optics.lens.radius
        level = np.maximum(level, 0.08) * (1 - light.vignette * (away**2).sum(axis=-1))
        if light.person is not None:
            x, y, radius, strength = light.person
            near = np.hypot(ground[..., 0] - x, ground[..., 1] - y) / radius
            level = level * (1 - strength / (1 + np.exp((near - 1) * 9)))
        if light.edge is not None:
            azimuth, far, strength = light.edge
            toward = np.cos(np.radians(azimuth)), np.sin(np.radians(azimuth))
            inside = ground[..., 0] * toward[0] + ground[..., 1] * toward[1] - far
            level = level * (1 - strength / (1 + np.exp(-inside / 4)))
        colour = np.array(light.colour) * view.white_balance
        gains = (np.maximum(level[..., None] * colour, 0) ** (1 / GAMMA)).astype(np.float32)
        full = np.asarray(cv2.resize(gains, (wide * step, high * step), interpolation=cv2.INTER_LINEAR))
        gain = np.ascontiguousarray(full[: view.height, : view.width], dtype=np.float32)
        self._gain = light, gain
        return gain


def _in_hand(arm: Arm) -> list[Loose]:
    """The discs between its fingers, the upper one of a king first."""
    if arm.holds is None:
        return []
    heights = (arm.z + HEIGHT, arm.z) if arm.holds.isupper() else (arm.z,)
    return [Loose(arm.holds.lower(), arm.x, arm.y, z) for z in heights]


def _shading(light: Light) -> Light:
    """The light as far as it decides how men are drawn."""
    return replace(light, level=1.0, colour=(1.0, 1.0, 1.0), gradient=(0.0, 0.0), vignette=0.0, person=None, edge=None)


def _levels(light: Light) -> float:
    """What the level of the light makes of a picture's levels."""
    return float(light.level ** (1 / GAMMA))


def _fixed(points: NDArray[np.floating]) -> NDArray[np.int32]:
    return np.round(points * 16).astype(np.int32)


def _around(points: NDArray[np.float64], margin: float, width: int, height: int) -> tuple[int, int, int, int]:
    """The part of a picture that holds `points`: left, top, right, bottom."""
    low, high = np.floor(points.min(axis=0) - margin), np.ceil(points.max(axis=0) + margin) + 1
    ends = np.clip(np.concatenate([low, high]), 0, [width, height, width, height])
    left, top, right, bottom = ends.astype(int).tolist()
    return left, top, right, bottom


def _lay(picture: Picture, above: Picture) -> None:
    """Lays `above` (blue, green, red, how much it covers) on it; its colours count as much as they cover."""
    rest = 255 - above[..., 3]
    left = cv2.multiply(picture, cv2.merge([rest] * 3), scale=1 / 255)
    picture[:] = cv2.add(left, np.ascontiguousarray(above[..., :3]))
