"""Environments: Gymnasium's own checks, slow twins, and what goes wrong."""

import pytest

pytest.importorskip("pettingzoo", reason="needs the extra gym, which PettingZoo does not have for this Python")
