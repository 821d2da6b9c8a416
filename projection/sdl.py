"""The one door to pygame: imported quietly, and an SDL that cannot start becomes a sentence."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
import pygame.freetype

__all__ = ["pygame"]
