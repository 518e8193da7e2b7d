"""Tests of the bridges; `cores` finds real libretro cores for them."""
