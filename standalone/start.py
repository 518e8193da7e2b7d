"""The stand-alone program: `emubot`, and its arena where no words are given, as by a double click."""

from __future__ import annotations

import multiprocessing
import sys

from emubot.cli import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    if len(sys.argv) == 1:
        sys.argv.append("arena")
    sys.exit(main())
