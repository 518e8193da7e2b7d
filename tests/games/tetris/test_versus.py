"""Games of two against a slow twin on grids of cells; attacks, ends and options."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from emubot.errors import UsageError, WeightsError
from emubot.games.tetris.evaluation.names import FEATURE_NAMES, FEATURE_VERSION
from emubot.games.tetris.rules import PIECE_NAMES
from emubot.games.tetris.textbook.rules import TextbookRules
from emubot.games.tetris.textbook.versus import Attacks, fight, filled_corners
from emubot.games.tetris.textbook.versus_trial import VersusTrial, versus_trial
from emubot.weight_parts import FeatureSet
from emubot.weights import Weights, load_weights
from tests.games.tetris.feature_twins import Grid
from tests.games.tetris.textbook_twins import Dealer, Drop, ranked, stacks_from, valued

T = PIECE_NAMES.index("T")


def player(**values: float) -> Weights:
    return Weights(
        game="tetris", features=FeatureSet(version=FEATURE_VERSION, names=tuple(values)), values=tuple(values.values())
    )


# Whole weights, so that the twin's sums are the kernel's: one that plays well, one that leaves holes, one that towers.
SOUND = player(landing_height=-2, holes=-8, bumpiness=-2, rows_removed=5, row_transitions=-3)
CLUMSY = player(landing_height=-3, rows_removed=4, max_height=-1)
TOWERING = player(landing_height=1)


class Fighter:
    """One of two, on a grid; `received` says what is due to rise."""

    def __init__(self, weights: Weights, rules: TextbookRules) -> None:
        self.vector = weights.vector("tetris", FEATURE_NAMES, FEATURE_VERSION)
        self.grid: Grid = np.zeros((rules.rows, rules.columns), dtype=np.bool_)
        self.due = self.sent = self.received = self.streak = self.nodes = 0
        self.dead = False

    def rise(self, hole: int, lower: bool) -> None:
        rows, columns = self.grid.shape
        garbage: Grid = np.ones((self.due, columns), dtype=np.bool_)
        garbage[:, hole] = False
        tall = np.vstack([self.grid, garbage])
        rows -= lower
        self.dead = bool(tall[: len(tall) - rows].any())
        self.grid = tall[len(tall) - rows :]
        self.received += self.due
        self.due = 0

    def strike(self, queue: list[int], rules: TextbookRules, attacks: Attacks) -> int:
        drop = ranked(self.grid, -1, tuple(queue), rules, self.vector, rules.plies)[0][2]
        self.nodes += valued(self.grid, -1, tuple(queue), rules, rules.plies, self.vector)
        spun = queue[0] == T and self.corners(drop) >= 3
        lines = int(drop.of_lock["rows_removed"])
        self.grid, self.dead = drop.grid, drop.dead
        rows = {2: 1, 3: 2, 4: 4}.get(lines, 0)
        if lines:
            rows += attacks.combo * (self.streak > 0) + attacks.t_spin * spun
        self.streak = self.streak + 1 if lines else 0
        self.sent += rows
        return rows

    def corners(self, drop: Drop) -> int:
        rows, columns = self.grid.shape
        left_of_pivot = 0 if drop.orientation == 1 else 1  # the T that points right has its pivot at its left edge
        row, column = rows - 1 - drop.pivot, drop.left + left_of_pivot
        count = 0
        for y, x in ((row + dy, column + dx) for dy in (-1, 1) for dx in (-1, 1)):
            beside = not 0 <= x < columns or y >= rows
            count += beside or bool(y >= 0 and self.grid[y, x])
        return count


def twin(seed: int, trial: VersusTrial, players: list[Weights]) -> tuple[int, ...]:
    rules, attacks = trial.rules, trial.attacks
    rng = np.random.default_rng(seed)
    dealer = Dealer(rules.generator, rng)
    queue = [dealer.next() for _ in range(rules.previews + 1)]
    one, other = (Fighter(weights, rules) for weights in players)
    pieces = hole = 0
    while True:
        lower = attacks.solid_every > 0 and pieces > 0 and pieces % attacks.solid_every == 0
        one.rise(hole, lower)
        other.rise(hole, lower)
        if not one.dead and not other.dead:
            one.due, other.due = (other.strike(queue, rules, attacks), one.strike(queue, rules, attacks))
            pieces += 1
            hole = int(rng.integers(0, rules.columns))
        lost, won = one.dead, other.dead
        if not lost and not won and pieces >= rules.cap_pieces:
            height, against = (int(fighter.grid.any(axis=1).sum()) for fighter in (one, other))
            lost, won = height >= against, height <= against
        if lost or won:
            wins = int(won and not lost)
            survived = trial.rules.cap_pieces if wins else pieces
            return wins, int(won and lost), pieces, one.sent, one.received, one.nodes, survived
        queue = [*queue[1:], dealer.next()]


@pytest.mark.parametrize("seeds", [[2], pytest.param([1, 3], marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("asked", "players"),
    [
        ({"board": "6x10", "cap_pieces": 70}, [SOUND, CLUMSY]),
        ({"board": "5x12", "combo": 2, "cap_pieces": 50, "generator": "uniform"}, [CLUMSY, SOUND]),
        ({"board": "6x9", "t_spin": 3, "cap_pieces": 60, "generator": "nes"}, [SOUND, CLUMSY]),
        ({"board": "6x14", "solid_every": 3, "combo": 1, "t_spin": 1}, [SOUND, CLUMSY]),
        ({"board": "4x6", "plies": 2, "cap_pieces": 8}, [SOUND, CLUMSY]),
        ({"board": "6x6"}, [SOUND, TOWERING]),
    ],
)
def test_games_are_those_of_the_twin(asked: dict[str, object], players: list[Weights], seeds: list[int]) -> None:
    trial = versus_trial(asked)
    assert [tuple(row) for row in trial.play(players, seeds).tolist()] == [twin(s, trial, players) for s in seeds]


@pytest.mark.jit
def test_all_of_it_happens() -> None:
    """What the twin's few games are too few to show: attacks of every kind, and all three results."""
    sent = {}
    for name, asked in {"plain": {}, "combo": {"combo": 1}, "t_spin": {"t_spin": 4}}.items():
        played = versus_trial({"board": "8x16", "cap_pieces": 300} | asked).play([SOUND, CLUMSY], range(40))
        sent[name] = int(played[:, 3].sum())
        assert 0 < played[:, 0].sum() < 40
        assert (played[:, 0] + played[:, 1] <= 1).all()
    assert sent["plain"] < sent["combo"]
    assert sent["plain"] < sent["t_spin"]
    solid = versus_trial({"solid_every": 4}).play([SOUND, load_weights("dt10")], range(40))
    assert solid[:, 2].max() <= 4 * 21


def test_who_changes_places_sees_the_same_game() -> None:
    trial = versus_trial({"board": "8x12", "combo": 1, "t_spin": 1, "solid_every": 9})
    seeds = range(10)
    there, back = trial.play([SOUND, CLUMSY], seeds), trial.play([CLUMSY, SOUND], seeds)
    assert there[:, 1:3].tolist() == back[:, 1:3].tolist()
    assert (there[:, 0] + back[:, 0] + there[:, 1]).tolist() == [1] * 10
    assert trial.play([SOUND, SOUND], seeds)[:, :2].tolist() == [[0, 1]] * 10


def test_the_lower_stack_wins_at_the_cap() -> None:
    trial = versus_trial({"board": "10x20", "cap_pieces": 3})
    (won,), (lost,) = trial.play([SOUND, TOWERING], [4]).tolist(), trial.play([TOWERING, SOUND], [4]).tolist()
    assert won[:5] == [1, 0, 3, 0, 0]
    assert lost[:5] == [0, 0, 3, 0, 0]
    assert (won[-1], lost[-1]) == (3, 3)


def choice(orientation: int, left: int, pivot: int) -> NDArray[np.int64]:
    return np.array([0, orientation, left, pivot], dtype=np.int64)


def test_corners_around_a_middle() -> None:
    grid: Grid = np.zeros((5, 4), dtype=np.bool_)
    grid[4, 0] = grid[4, 2] = grid[2, 2] = True
    stacks = stacks_from(grid)
    assert filled_corners(stacks, choice(2, 0, 1)) == 3
    assert filled_corners(stacks, choice(1, 0, 1)) == 2, "a wall on its left"
    assert filled_corners(stacks, choice(3, 2, 1)) == 4, "a wall on its right"
    assert filled_corners(stacks, choice(0, 0, 0)) == 2, "on the floor"


def test_settings_say_everything() -> None:
    trial = versus_trial({})
    assert list(trial.settings.items()) == [
        ("rules", "versus"),
        ("board", "10x20"),
        ("generator", "bag"),
        ("plies", 1),
        ("solid_every", 0),
        ("combo", 0),
        ("t_spin", 0),
        ("cap_pieces", 1000),
    ]
    assert (trial.figures, trial.sides) == (("wins", "draws", "pieces", "sent", "received", "nodes", "survived"), 2)
    assert trial.play([SOUND, CLUMSY], []).shape == (0, 7)
    with pytest.raises(WeightsError):
        trial.play([SOUND, load_weights("reference")], [1])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"board": "10x2"}, "--board"),
        ({"plies": 5}, "--plies of the rules versus"),
        ({"combo": 5}, "--combo"),
        ({"t_spin": True}, "--t-spin"),
        ({"solid_every": -1}, "--solid-every"),
        ({"cap_pieces": 0}, "--cap-pieces of the rules versus is a whole number from 1"),
        ({"hold": True}, "no --hold for the rules versus"),
    ],
)
def test_what_cannot_be_played_is_said(asked: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        versus_trial(asked)


def test_compiled_for_one_signature() -> None:
    versus_trial({}).warm_up()
    versus_trial({"cap_pieces": 3, "combo": 1}).play([SOUND, CLUMSY], [1])
    assert len(getattr(fight, "signatures", [None])) == 1
