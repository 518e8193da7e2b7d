"""Movies: the pads of both ports in every frame from power-on, in the formats of others; runs no emulator."""

from emubot.movies.bk2 import bk2
from emubot.movies.bk2_reader import read_bk2
from emubot.movies.fm2 import fm2, read_fm2
from emubot.movies.pads import LATER, Movie
from emubot.movies.r08 import r08

__all__ = ["LATER", "Movie", "bk2", "fm2", "r08", "read_bk2", "read_fm2"]
