"""Maps of pairs cartridges for tests: the demo cartridge's layout, a strange one, and any table of codes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from emubot.rammap import RamMap, parse_map

# Addresses as in facts: Famicom Puyo 1, the rest as the demo cartridge has them.
DEMO_VALUES = """\
  frame_counter: {at: 0x10, bytes: 2}
  game_state: 0x14
  colors: 0x16
  items: 0x17
  start_level: 0x18
  loser: 0x19
  held_buttons: [0x1A, 0x1B]
  new_buttons: [0x1C, 0x1D]
  play_state: [0x1E, 0x1F]
  pending: [0x20, 0x21]
  chain: [0x22, 0x23]
  repeat: [0x24, 0x25]
  generator: {at: [0x26, 0x28], bytes: 2, hidden_from_search: true}
  nuisance_generator: {at: 0x2A, bytes: 2, hidden_from_search: true}
  chain_points: {at: [0x2C, 0x2F], bytes: 3, scale: 10}
  pop_points: {at: [0x32, 0x35], bytes: 3, scale: 10}
  pairs: {at: [0x38, 0x3B], bytes: 3, hidden_from_search: true}
  all_clears: [0x3E, 0x3F]
  best_chain: [0x40, 0x41]
  game_counter: {at: 0x42, bytes: 2}
  spawn_flag: 0x4A
  next_bottom: [0x67, 0x69]
  next_top: [0x68, 0x6A]
  mode: 0x6F
  level: 0x70
  score: {at: [0x7A, 0x7D], bytes: 3, scale: 10}
  spawned: [0x0605, 0x0606]
  spawn_delay: [0x0615, 0x0616]
  drop_timer: [0x0631, 0x0632]
  x: {at: [0x0669, 0x066A], offset: -1}
  y: {at: [0x066D, 0x066E], offset: -1}
  current_bottom: [0x0679, 0x067A]
  current_top: [0x067D, 0x067E]
  blocks: {parts: [{at: [0x0695, 0x0696]}, {at: [0x0699, 0x069A], times: 256}]}
  orientation: [0x06D5, 0x06D6]
"""

PHASES = """\
phases:
  - {state: title, phase: menu, when: {game_state: 0}}
  - {state: menu, phase: menu, when: {game_state: 1}}
  - {state: drawing, phase: menu, when: {game_state: 5}}
  - {state: paused, phase: paused, when: {game_state: 3}}
  - {state: over, phase: over, when: {game_state: 4}}
  - {state: playing, phase: playing, when: {game_state: 2, spawn_delay: 0}}
  - {state: popping, phase: clearing, when: {game_state: 2, play_state: 3}}
  - {state: locked, phase: locked, when: {game_state: 2}}
"""

DEMO = f"""\
title: pairs as on the demo cartridge
family: puyo
profile: famicom-1991
players: 2
values:
{DEMO_VALUES}
game_counter: game_counter
grid:
  at: [0x0312, 0x0412]
  rows: 13
  columns: 6
  row_stride: 16
  column_stride: 2
  hidden: [[0x0302, 0x0402]]
  cell:
    bytes: 2
    mask: 0xFF00
    shift: 8
    empty: 0x00
    kinds:
      color_1: 0x01
      color_2: 0x02
      color_3: 0x03
      color_4: 0x04
      color_5: 0x05
      color_6: 0x06
      nuisance: 0x07
      wall: 0x08
      popping: 0x0A
pieces:
  - {{id: 0, piece: pair, cells: [[0, 0], [0, 1]], clockwise: 1, counterclockwise: 3}}
  - {{id: 1, piece: pair, cells: [[0, 0], [-1, 0]], clockwise: 2, counterclockwise: 0}}
  - {{id: 2, piece: pair, cells: [[0, 0], [0, -1]], clockwise: 3, counterclockwise: 1}}
  - {{id: 3, piece: pair, cells: [[0, 0], [1, 0]], clockwise: 0, counterclockwise: 2}}
piece_codes: {{color_1: 0x01, color_2: 0x02, color_3: 0x03, color_4: 0x04, color_5: 0x05, color_6: 0x06,
              big: 0x09, carbuncle: 0x0A}}
{PHASES}
buttons: {{left: LEFT, right: RIGHT, rotate_clockwise: A, rotate_counterclockwise: B, soft_drop: DOWN, start: START}}
"""

# Column by column, from the bottom up, the hidden row elsewhere; one byte a cell, the code in the upper bits beside a
# flag; pixels instead of columns and rows; the pivot is the top half; other codes; turns the other way round.
STRANGE = f"""\
title: pairs as nobody would keep them
family: puyo
profile: famicom-1991
players: 2
values:
  frame_counter: {{at: 0x90, bytes: 2}}
  game_state: 0x92
  mode: 0x93
  colors: 0x94
  level: {{at: [0x95, 0x96], mask: 0x3C, shift: 2}}
  play_state: [0x97, 0x98]
  spawn_delay: {{at: [0x99, 0x9A], offset: -3}}
  x: {{at: [0x10, 0x12], offset: -40, divide: 16}}
  y: {{at: [0x11, 0x13], offset: -64, divide: 8}}
  orientation: [0x14, 0x15]
  current_bottom: [0x20, 0x21]
  current_top: [0x22, 0x23]
  next_bottom: [0x24, 0x25]
  next_top: [0x26, 0x27]
  score: {{at: [0x30, 0x38], bytes: 8, format: digits, order: big}}
  blocks: {{at: [0x40, 0x42], bytes: 2, order: big}}
  pending: [0x44, none]
grid:
  at: [0x0100, 0x01A0]
  rows: 13
  columns: 6
  row_stride: 1
  column_stride: 13
  first_row: bottom
  hidden: [[0x0150, 0x01F0]]
  cell:
    mask: 0xF0
    shift: 4
    empty: 0x0F
    kinds:
      nuisance: 0x00
      color_4: [0x03, 0x04]
      color_3: 0x05
      color_2: 0x06
      color_1: 0x07
      hole: {{codes: 0x0A, solid: false}}
      popping: 0x09
    flags: {{linked: 0x01}}
pieces:
  - {{id: 4, piece: pair, cells: [[0, 1], [0, 0]], clockwise: 8, counterclockwise: 5}}
  - {{id: 8, piece: pair, cells: [[-1, 0], [0, 0]], clockwise: 7, counterclockwise: 4}}
  - {{id: 7, piece: pair, cells: [[0, -1], [0, 0]], clockwise: 5, counterclockwise: 8}}
  - {{id: 5, piece: pair, cells: [[1, 0], [0, 0]], clockwise: 4, counterclockwise: 7}}
piece_codes: {{color_1: 0x00, color_2: 0x40, color_3: [0x80, 0x81], color_4: 0xC0}}
{PHASES}
buttons: {{left: LEFT, right: RIGHT, rotate_clockwise: B, rotate_counterclockwise: A, soft_drop: DOWN, start: START}}
"""


@cache
def demo_map() -> RamMap:
    return parse_map(DEMO, "demo_pairs")


@cache
def strange_map() -> RamMap:
    return parse_map(STRANGE, "strange_pairs")


def recoded(cells: Mapping[str, int], halves: Mapping[str, int], turns: list[int]) -> RamMap:
    """The demo's layout with other codes of cells and halves, and with other ids of the four orientations."""
    lines = []
    for line in DEMO.splitlines():
        name = line.strip().partition(":")[0]
        indent = line[: len(line) - len(line.lstrip())]
        recode = name in cells and len(indent) in {4, 6}
        lines.append(f"{indent}{name}: 0x{cells[name]:02X}" if recode else line)
    head, _, tail = "\n".join(lines).partition("pieces:\n")
    tail = tail[tail.index("phases:") :]
    below, left, above, right = turns
    pieces = "\n".join(
        f"  - {{id: {number}, piece: pair, cells: [[0, 0], {cell}], clockwise: {after}, counterclockwise: {before}}}"
        for number, cell, after, before in (
            (below, [0, 1], left, right),
            (left, [-1, 0], above, below),
            (above, [0, -1], right, left),
            (right, [1, 0], below, above),
        )
    )
    codes = ", ".join(f"{name}: 0x{code:02X}" for name, code in halves.items())
    return parse_map(f"{head}pieces:\n{pieces}\npiece_codes: {{{codes}}}\n{tail}\n", "recoded_pairs")
