"""The beam against a slow twin that keeps lists of fields, and its rules on small cases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.games.colours.board.resolve import links_of
from emubot.games.colours.board.words import board_of, heights_of
from emubot.games.colours.evaluation.building import BUILDING, CUT_OFF, TORN, chain_value, shape_value
from emubot.games.colours.reach.entry import cut_off, limits_of
from emubot.games.colours.rules import COLUMNS, NUISANCE, OBSTACLE, SATELLITE, Rules
from emubot.games.colours.scoring import LINKING_AT, table_of
from emubot.games.colours.search.beam import Aim, Beam, Plan, grow, plant
from emubot.games.colours.search.nodes import scratch
from emubot.games.colours.search.search import placements
from emubot.games.colours.search.two_plies import DEAD
from emubot.tempo import parse_taps
from tests.games.colours import field_twin as twin
from tests.games.colours.boards import FAMICOM, TSU
from tests.games.colours.field_twin import Stacks

WHOLE = Aim(most=3000.0, price=50.0, whole=1, doubt=0.0)
SINGLE = Aim(most=1e12, price=0.0, whole=0, doubt=0.02)


@dataclass
class Node:
    stacks: Stacks
    root: int
    points: float
    costs: float
    chains: float = 0.0
    rank: float = 0.0

    @property
    def key(self) -> tuple[tuple[int, ...], ...]:
        return tuple(map(tuple, self.stacks))


class Slow:
    """The same search, a node at a time."""

    def __init__(self, rules: Rules, weights: NDArray[np.float64], aim: Aim, plan: Plan) -> None:
        self.rules, self.weights, self.aim = rules, weights, aim
        self.width, self.closely, self.limits = plan
        self.table = table_of(rules)

    def chains(self, stacks: Stacks) -> float:
        board = board_of(twin.cells_of(stacks, self.rules))
        links = links_of(board, int(self.table[LINKING_AT]))
        return chain_value(board, links, self.table, self.weights, np.zeros((COLUMNS, 3), dtype=np.int64))

    def shape(self, stacks: Stacks) -> float:
        board = board_of(twin.cells_of(stacks, self.rules))
        links = links_of(board, int(self.table[LINKING_AT]))
        heights = heights_of(board)
        shape = shape_value(board, links, heights, self.table, self.weights)
        return float(shape + self.weights[CUT_OFF] * cut_off(heights, self.limits, self.table))

    def dead(self, stacks: Stacks) -> bool:
        return any(len(stacks[x]) >= self.rules.visible_rows - y for x, y in self.rules.death_cells)

    def lock(self, node: Node, place: tuple[int, int], pair: tuple[int, int]) -> tuple[Node, int, int]:
        orientation, column = place
        stacks = [list(stack) for stack in node.stacks]
        other = column + SATELLITE[orientation][0]
        torn = other != column and len(stacks[column]) != len(stacks[other])
        twin.drop_pair(stacks, orientation, column, *pair, self.rules)
        chain, points = twin.resolve(stacks, self.rules)
        costs = node.costs + self.weights[TORN] * torn
        return Node(stacks, node.root, node.points + points, costs), chain, points

    def worth(self, node: Node, points: float, depth: int) -> float:
        full = min(node.points if self.aim.whole else points, self.aim.most)
        return full * (1 - self.aim.doubt * depth) - self.aim.price * depth

    def grow(self, nodes: list[Node], pairs: list[tuple[int, int]], depth: int, worths: list[float]) -> list[Node]:
        for pair in pairs:
            children: dict[tuple[tuple[int, ...], ...], Node] = {}
            for parent in nodes:
                cells = twin.cells_of(parent.stacks, self.rules)
                for place in placements(cells, pair, self.rules, self.limits).tolist():
                    child, chain, points = self.lock(parent, (place[0], place[1]), pair)
                    if chain:
                        worths[child.root] = max(worths[child.root], self.worth(child, points, depth))
                    if self.dead(child.stacks):
                        continue
                    child.chains = parent.chains if chain < 2 else 0.0
                    known = children.get(child.key)
                    if known is None:
                        child.rank = child.chains + self.shape(child.stacks) + child.costs
                        children[child.key] = child
                    elif child.points + child.costs > known.points + known.costs:
                        known.rank += child.costs - known.costs
                        known.points, known.costs, known.root = child.points, child.costs, child.root
            looked = sorted(children.values(), key=lambda node: -node.rank)[: self.closely * self.width]
            for node in looked:
                chains = self.chains(node.stacks)
                node.rank += chains - node.chains
                node.chains = chains
            nodes = sorted(looked, key=lambda node: -node.rank)[: self.width]
            depth += 1
        return nodes


def both(
    rules: Rules, stacks: Stacks, pairs: list[tuple[int, int]], aim: Aim, plan: Plan, seed: int
) -> tuple[list[float], list[float], int]:
    """The worths by the kernels and by the twin, and the number of nodes kept at the end, which must agree."""
    weights = np.random.default_rng(seed).normal(size=BUILDING) * 10
    cells, table, memory = twin.cells_of(stacks, rules), table_of(rules), scratch()
    found = placements(cells, pairs[0], rules, int(plan.limits))
    worths, values = np.zeros(len(found)), np.zeros(len(found))
    beam = Beam(table, weights, aim, plan, memory)
    count = plant(cells, found, *pairs[0], 0, beam, worths, values)
    later = np.array(pairs[1:], dtype=np.uint8).reshape(-1, 2)
    kept, _ = grow(memory.first, count, later, 1, beam, worths)

    slow = Slow(rules, weights, aim, plan)
    nodes, expected = [], []
    for root, place in enumerate(found.tolist()):
        node, _, points = slow.lock(Node(stacks, root, 0.0, 0.0), (place[0], place[1]), pairs[0])
        dead = slow.dead(node.stacks)
        expected.append(DEAD if dead else slow.worth(node, points, 0))
        node.chains = slow.chains(node.stacks)
        nodes += [] if dead else [node]
    assert len(nodes) == count
    last = slow.grow(nodes, pairs[1:], 1, expected)
    assert kept == len(last)
    assert memory.parents.numbers[:kept, 0].max(initial=-1e9) == pytest.approx(
        max((node.rank for node in last), default=-1e9)
    )
    return worths.tolist(), expected, kept


def some_stacks(rng: np.random.Generator, rules: Rules, highest: int) -> Stacks:
    """A field in the middle of a game, its groups popped; now and then nuisance or an obstacle."""
    kinds, shares = [1, 2, 3, 4, NUISANCE, OBSTACLE], [0.22, 0.22, 0.22, 0.22, 0.1, 0.02]
    stacks = [rng.choice(kinds, size=int(rng.integers(0, highest)), p=shares).tolist() for _ in range(COLUMNS)]
    twin.resolve(stacks, rules)
    return stacks


@pytest.mark.few(4)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("rules", "aim", "plan"),
    [
        (TSU, SINGLE, Plan(4, 3, limits_of(TSU))),
        (TSU, SINGLE, Plan(30, 40, limits_of(TSU))),
        (FAMICOM, WHOLE, Plan(6, 2, limits_of(FAMICOM))),
        (FAMICOM, WHOLE, Plan(8, 3, limits_of(FAMICOM, parse_taps("12hz"), 2))),
    ],
    ids=["narrow", "wide", "whole", "fast"],
)
def test_the_beam_is_that_of_the_slow_one(rules: Rules, aim: Aim, plan: Plan, seed: int) -> None:
    rng = np.random.default_rng(seed)
    stacks = some_stacks(rng, rules, 9)
    pairs = [(int(a), int(b)) for a, b in rng.integers(1, 5, size=(5, 2))]
    worths, expected, kept = both(rules, stacks, pairs, aim, plan, seed)
    assert kept
    assert worths == pytest.approx(expected)


def test_near_the_top_what_ends_the_game_is_no_node() -> None:
    rng = np.random.default_rng(5)
    stacks = some_stacks(rng, TSU, 5)
    stacks[2] = [1, 2, 3, 4] * 2 + [1, 2, 3]  # a row below the death cell
    pairs = [(3, 4), (1, 2), (2, 2)]
    worths, expected, _ = both(TSU, stacks, pairs, SINGLE, Plan(8, 3, limits_of(TSU)), 0)
    assert DEAD in worths
    assert worths == pytest.approx(expected)
