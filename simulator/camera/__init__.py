"""A camera in software: boards, hands and light, rendered; pure, but for `stream`."""

from simulator.camera.looks import LOOKS
from simulator.camera.optics import Place, Pose
from simulator.camera.rendering import Renderer, Truth, render
from simulator.camera.scene import Arm, Card, Light, Look, Loose, Piece, Scene, View

__all__ = [
    "LOOKS",
    "Arm",
    "Card",
    "Light",
    "Look",
    "Loose",
    "Piece",
    "Place",
    "Pose",
    "Renderer",
    "Scene",
    "Truth",
    "View",
    "render",
]
