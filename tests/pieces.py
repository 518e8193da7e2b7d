"""How many pieces a test's game lasts: a few in every run, 200 in "pytest -m slow"."""

from __future__ import annotations

import pytest

PIECES = pytest.mark.parametrize("pieces", [50, pytest.param(200, marks=pytest.mark.slow)])
