"""Which player won a game for two: every family reads a map's `winner` and `loser` alike."""

from __future__ import annotations

import pytest

from emubot import games
from emubot.rammap import RamMap, load_map, parse_map

FOR_TWO = {name: load_map(name).text for name in ("demo_pairs", "demo_capsules")}
FOR_TWO["nes_tetris_usa"] = load_map("nes_tetris_usa").text.replace("\nvalues:\n", "\nvalues:\n  loser: 0x07F0\n")
CASES = [("loser", 0, (0, 0)), ("loser", 1, (0, 1)), ("loser", 2, (1, 0))]
CASES += [("winner", 0, (0, 0)), ("winner", 1, (1, 0)), ("winner", 2, (0, 1))]


def won(ram_map: RamMap, **values: int) -> tuple[int, ...]:
    """What each player's snapshot says of a frame with these values."""
    ram = bytearray(ram_map.image_size)
    ram_map.encode(ram, values)
    game = games.game(ram_map.family)
    return tuple(game.open(ram_map).decoder(player)(bytes(ram)).counters["won"] for player in range(ram_map.players))


@pytest.mark.parametrize("name", FOR_TWO)
@pytest.mark.parametrize(("value", "number", "told"), CASES)
def test_either_value_says_who_won(name: str, value: str, number: int, told: tuple[int, int]) -> None:
    text = FOR_TWO[name]
    assert "\n  loser:" in text
    assert won(parse_map(text.replace("\n  loser:", f"\n  {value}:"), "changed"), **{value: number}) == told


@pytest.mark.parametrize("name", FOR_TWO)
def test_a_map_without_either_says_nothing(name: str) -> None:
    ram_map = parse_map(FOR_TWO[name].replace("\n  loser:", "\n  somebody:"), "changed")
    decoded = games.open_edition(ram_map).decoder()(bytes(ram_map.image_size))
    assert "won" not in decoded.counters


@pytest.mark.parametrize(("failed", "winner", "told"), [(0, 0, (0, 0)), (1, 0, (0, 1)), (0, 1, (1, 0)), (0, 2, (0, 1))])
def test_a_loser_is_read_while_no_winner_is_named(failed: int, winner: int, told: tuple[int, int]) -> None:
    """Dr. Mario names a winner only where a round was won, and not where the other player failed."""
    assert won(load_map("dr_mario_usa"), failed=failed, winner=winner) == told
