"""Where things stand in the window: whole scales, centred, and cells on the picture whatever the core crops."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emubot.view.window.layout import GAP, cell_rectangle, fit, roomy

Sizes = st.lists(st.tuples(st.integers(1, 256), st.integers(1, 240)), min_size=1, max_size=2)
Areas = st.tuples(st.integers(1, 4000), st.integers(1, 2400))


@given(Areas, Sizes, st.integers(0, 40))
def test_the_largest_whole_scale_that_fits(area: tuple[int, int], sizes: list[tuple[int, int]], bar: int) -> None:
    layout = fit(area, sizes, bar)

    def fits(scale: int) -> bool:
        wide = sum(width * scale for width, _ in sizes) + GAP * scale * (len(sizes) - 1)
        return wide <= area[0] and all(height * scale <= area[1] for _, height in sizes)

    assert layout.scale == max([scale for scale in range(1, 2401) if fits(scale)], default=1)
    for (width, height), place in zip(sizes, layout.pictures, strict=True):
        assert place[2:] == (width * layout.scale, height * layout.scale)
    if not fits(1):
        return
    for (left, top, width, height), size in zip(layout.pictures, sizes, strict=True):
        assert 0 <= left <= left + width <= area[0]
        assert 0 <= top <= top + height <= area[1]
        free = area[1] - bar if all(h * layout.scale <= area[1] - bar for _, h in sizes) else area[1]
        assert abs(top - (free - top - height)) <= 1, "centred, above the bar where there is room for it"
        assert size[0] * layout.scale == width
    first, last = layout.pictures[0], layout.pictures[-1]
    assert abs(first[0] - (area[0] - last[0] - last[2])) <= 1
    if len(sizes) == 2:
        assert last[0] == first[0] + first[2] + GAP * layout.scale


@pytest.mark.parametrize(
    ("desktop", "sizes", "expected"),
    [
        ((1920, 1080), [(240, 224)], (720, 698)),
        ((1920, 1080), [(256, 240), (256, 240)], (520 * 3, 240 * 3 + 26)),
        ((1280, 1024), [(256, 240), (256, 240)], (520 * 2, 240 * 2 + 26)),
        ((300, 200), [(256, 240)], (256, 266)),
    ],
)
def test_the_first_window(desktop: tuple[int, int], sizes: list[tuple[int, int]], expected: tuple[int, int]) -> None:
    assert roomy(desktop, sizes, 26) == expected


def test_a_cell_is_at_the_same_place_of_the_game_whatever_is_cropped() -> None:
    screen = (96, 40, 8, 8)
    assert cell_rectangle(screen, 0, 0, (256, 240), 1) == (96, 40, 8, 8)
    assert cell_rectangle(screen, 0, 0, (256, 224), 1) == (96, 32, 8, 8)
    assert cell_rectangle(screen, 0, 0, (240, 224), 1) == (88, 32, 8, 8)
    assert cell_rectangle((16, 24, 16, 16), 5, 12, (240, 224), 3) == ((8 + 80) * 3, (16 + 192) * 3, 48, 48)
