"""`python -m emubot`, the same as the console script."""

from __future__ import annotations

import sys

from emubot.cli import main

sys.exit(main())
