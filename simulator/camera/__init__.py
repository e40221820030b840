"""A camera in software: boards, hands and light, rendered; pure, but for `stream`."""

from simulator.camera.conditions import CONDITIONS, Bump, Condition, condition
from simulator.camera.looks import LOOKS
from simulator.camera.optics import Place, Pose
from simulator.camera.playing import VirtualCamera
from simulator.camera.rendering import Renderer, Truth, render
from simulator.camera.scene import Arm, Card, Light, Look, Loose, Piece, Scene, View
from simulator.camera.table import CameraTable

__all__ = [
    "CONDITIONS",
    "LOOKS",
    "Arm",
    "Bump",
    "CameraTable",
    "Card",
    "Condition",
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
    "VirtualCamera",
    "condition",
    "render",
]
