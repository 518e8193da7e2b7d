"""A review finds the blunders that were put into a game, says why in words, and judges the bot's own moves as best."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from emubot.arena.side import BotSide
from emubot.cli import main, terminal
from emubot.explanation import BuiltChain, ExplainedPlacement, FieldAfter, Part
from emubot.games.colours.decode.decode import cells_of
from emubot.games.colours.explain.built import triggers_on
from emubot.games.colours.explain.by_worth import FIRED, LATER
from emubot.games.colours.explain.pair_board import PairBoard
from emubot.games.colours.explain.remarks import remarks as pair_remarks
from emubot.games.colours.rules import rules_of
from emubot.games.tetris.explain.remarks import remarks as block_remarks
from emubot.games.variety import LOST, Choose
from emubot.judging.judge import Review, review
from emubot.judging.moves import moves_of
from emubot.looks import numbered
from emubot.review.page import page
from emubot.review.sources import source_of
from emubot.session.request import SessionRequest
from emubot.snapshot import Phase, Piece, Placement, Snapshot
from emubot.weights import load_weights
from tests.arena.playing import begin, match_of, side

pytestmark = [pytest.mark.jit, pytest.mark.xdist_group("review")]

BLUNDERS = {"blocks": (5, 9), "pairs": (18, 21), "capsules": (4, 7)}  # pieces that are put badly, counted from 0
PIECES = {"blocks": 11, "pairs": 24, "capsules": 10}
NODES = 4_000  # a decision


class Blunderer:
    """Takes the best placement, but puts some pieces where they do most harm without losing at once."""

    def __init__(self, side: BotSide, game: str) -> None:
        self._side, self._game = side, game

    def for_piece(self, number: int) -> Choose:
        def choose(places: Sequence[Sequence[int]], values: Sequence[float]) -> int:
            if number not in BLUNDERS[self._game]:
                return max(range(len(values)), key=lambda index: values[index])
            if self._game != "pairs":
                alive = [index for index, value in enumerate(values) if value > LOST]
                return min(alive, key=lambda index: values[index])
            return min(range(len(places)), key=lambda index: self._chain_left(places[index]))

        return choose

    def _chain_left(self, place: Sequence[int]) -> tuple[int, int]:
        """The steps of the best chain that is left, and how much the placement scatters."""
        snapshot, board = self._side.snapshot(), PairBoard(rules_of("famicom-1991"))
        pair = (snapshot.counters["pivot"], snapshot.counters["satellite"])
        after = board.lock(board.settled(cells_of(snapshot)), (place[0], place[1]), pair)
        steps = max((trigger.steps for trigger in triggers_on(after.cells, board)), default=0)
        return steps, -after.points


@pytest.fixture(
    scope="module", params=["pairs", *(pytest.param(game, marks=pytest.mark.slow) for game in ("blocks", "capsules"))]
)
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match in which two placements are blunders."""
    match = begin(match_of(side(request.param, "strong"), seed=5))
    bot = match.sides[0]
    assert isinstance(bot, BotSide)
    bot.pilot._planner._variety = Blunderer(bot, request.param)  # type: ignore[assignment]
    while bot.board.pieces < PIECES[request.param] and not match.finished:
        match.tick()
    path = tmp_path_factory.mktemp("review") / f"{request.param}.match.json"
    match.replay().write(path)
    return path


def test_the_blunders_are_the_worst_moments(recorded: Path) -> None:
    source = source_of(recorded, 0, None, SessionRequest())
    weights = load_weights(source.edition.game.facts.default_weights)
    found = review(source.edition, weights, moves_of(source.snapshots), source.title, nodes=NODES)
    assert found.skipped == 0
    game = recorded.name.partition(".")[0]
    assert len(found.judged) >= PIECES[game] - 1
    worst = {one.move.number: one for one in found.worst(3)}
    for number in BLUNDERS[game]:
        assert number + 1 in worst, [(one.move.number, one.loss, one.remarks) for one in found.worst(5)]
        assert worst[number + 1].remarks, "it says why"
        assert worst[number + 1].accuracy < 0.5
    assert found.accuracy is not None
    assert found.accuracy > 0.7, "all else is the bot's own choice"
    assert set(found.by_phase) == {"first third", "middle", "last third"}


@pytest.mark.parametrize("recorded", ["pairs"], indirect=True)
def test_the_command_writes_a_page_that_stands_alone(
    recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "page.html"
    monkeypatch.setattr(terminal, "_FIRST", 0.0)
    assert main(["review", str(recorded), "--out", str(out), "--json", "--nodes", "500"]) == 0
    said = capsys.readouterr()
    told = json.loads(said.out)
    assert re.search(r"^Reviewing: [\d,]+/[\d,]+ frames, \d+ (s|min) left$", said.err, re.MULTILINE), "how far it is"
    assert told["page"] == str(out)
    assert [one["piece"] for one in told["worst"]]
    text = out.read_text(encoding="utf-8")
    assert not re.search(r"https?://|<script|src=|url\(", text), "nothing from elsewhere, no code"
    assert text.count("<figure>") == 2 * len(told["worst"])
    parser = HTMLParser()
    parser.feed(text)
    assert main(["review", str(recorded), "--out", str(out)]) == 2
    assert "is there already" in capsys.readouterr().err


@pytest.mark.slow
def test_a_recorded_game_of_a_cartridge_is_reviewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = tmp_path / "game.npz"
    words = "play --demo tetris --bridge simulated --emu-speed max --pieces 8 --view none -q --record"
    assert main([*words.split(), str(game)]) == 0
    assert main(["review", str(game), "--json", "--nodes", "500"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["placements"] in (7, 8)
    assert told["accuracy"] > 0.7
    assert (tmp_path / "game-review.html").is_file()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none.npz", "none.npz"),
        ("x.match.json", "no recorded match"),
        ("x.fm2", "name its cartridge"),
        ("x.bk2", "name its cartridge"),
    ],
)
def test_what_is_no_game_is_refused(name: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    if not name.startswith("none"):
        path.write_text("{}", encoding="utf-8")
    assert main(["review", str(path)]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("q.bk2", {"Header.txt": "", "Input Log.txt": "|..|........|"}, "This is not a movie of BizHawk 2"),
        ("q.bk2", {"a": ""}, "This is not a movie of BizHawk: it lacks Header.txt"),
        ("q.bk2", "{}", "This is not a movie of BizHawk: it is damaged or no zip archive"),
        ("q.bk2", "version 3\nsavestate 0x46\n", "begins with a save state of FCEUX"),
        ("q.zip", {"Input Log.txt": "|..|........|"}, "This is not a movie of BizHawk: it lacks Header.txt"),
        ("q.fm2", {"Input Log.txt": "|..|........|"}, "This is not a movie of BizHawk: it lacks Header.txt"),
        (
            "q.tasproj",
            {"Header.txt": "MovieVersion BizHawk v2\nPlatform NES\nPAL 1", "Input Log.txt": ""},
            "was made on a PAL console (PAL 1)",
        ),
        (
            "q.mmo",
            {"MovieInfo.txt": ""},
            "is a movie of Mesen (.mmo), no recorded game: emubot reads movies of FCEUX (.fm2) and of BizHawk",
        ),
        ("q.lsmv", {"gametype": "nes"}, "is a movie of lsnes (.lsmv), no recorded game"),
        ("q.bkm", "MovieVersion 1", "is a movie of the old BizHawk (.bkm), no recorded game"),
        ("q.fcm", "FCM\x1a", "is a movie of the old FCEU (.fcm), no recorded game: convert it to FM2 with FCEUX"),
        ("q.fm2", "FCM\x1a", "is a movie of the old FCEU (.fcm), no recorded game"),
        ("q.fc0", "anything", "is a save state, no recorded game: name the cartridge, or the movie or recording"),
        ("q.state", "RASTATE1", "is a save state, no recorded game"),
        ("q.gz", "\x1f\x8b\x08", "is a gzip archive, no recorded game: unpack it"),
        ("q.FM2", "version 3\nsavestate 0x46\n", "begins with a save state of FCEUX"),
        ("q.txt", "version 3\nsavestate 0x46\n", "begins with a save state of FCEUX"),
    ],
)
def test_movies_of_other_emulators_are_named(
    name: str, content: dict[str, str] | str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    if isinstance(content, dict):
        with zipfile.ZipFile(path, "w") as archive:
            for member, text in content.items():
                archive.writestr(member, text)
    else:
        path.write_bytes(content.encode("latin-1"))
    assert main(["review", str(path), "--demo", "tetris"]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def blocks(*rows: str) -> Snapshot:
    """A field of falling blocks: the given rows are the lowest."""
    field = np.zeros((20, 10), dtype=np.uint8)
    for number, row in enumerate(rows):
        field[20 - len(rows) + number] = [cell != "." for cell in row]
    return Snapshot(Phase.PLAYING, "playing", field, np.zeros((0, 10), np.uint8), Piece(0, 5, 0), (), {})


VERTICAL_I, FLAT_I = 17, 18


@pytest.mark.parametrize(
    ("rows", "played", "best", "words"),
    [
        (["#########."] * 4, (FLAT_I, 5, 15), (VERTICAL_I, 9, 18), "gives up a clear of four lines"),
        (["#########."] * 3, (FLAT_I, 8, 16), (FLAT_I, 3, 16), "covers the well"),
        (["######...."] * 1 + ["#######..."], (FLAT_I, 8, 17), (VERTICAL_I, 9, 18), "makes"),
        (["######...."], (FLAT_I, 8, 19), (VERTICAL_I, 9, 18), "burns a line"),
    ],
)
def test_words_for_falling_blocks(
    rows: list[str], played: tuple[int, int, int], best: tuple[int, int, int], words: str
) -> None:
    said = block_remarks(blocks(*rows), Placement(*played), Placement(*best))
    assert any(one.startswith(words) for one in said), said


def pairs(value: float, fired: float, steps: int) -> ExplainedPlacement:
    chain = BuiltChain(steps, 100 * steps, "red", (), (), ()) if steps else None
    parts = (Part(FIRED, fired), Part(LATER, value - fired))
    return ExplainedPlacement(
        Placement(0, 0, 0), "", value, False, None, (), parts, None, FieldAfter((), (), "", chain, {}, ())
    )


@pytest.mark.parametrize(
    ("played", "best", "words"),
    [
        (pairs(500, 0, 3), pairs(900, 0, 7), "breaks the chain: 3 steps left of 7"),
        (pairs(500, 0, 3), pairs(9_000, 8_000, 0), "does not fire: a chain of 8,000 points is there"),
        (pairs(500, 300, 0), pairs(900, 0, 6), "fires early: 300 points, where 6 steps were being built"),
        (pairs(500, 0, 3), pairs(900, 0, 3), "leaves less to build on"),
    ],
)
def test_words_for_pairs(played: ExplainedPlacement, best: ExplainedPlacement, words: str) -> None:
    assert words in pair_remarks(played, best)


def test_moves_are_the_pieces_that_locked() -> None:
    def shown(phase: Phase, column: int | None = None, row: int = 0) -> Snapshot:
        piece = None if column is None else Piece(1, column, row)
        return Snapshot(phase, "", np.zeros((2, 2), np.uint8), np.zeros((0, 2), np.uint8), piece, (), {})

    frames = [
        shown(Phase.MENU),
        shown(Phase.PLAYING, 3),
        shown(Phase.PAUSED),
        shown(Phase.PLAYING, 4, 5),
        shown(Phase.LOCKED),
        shown(Phase.CLEARING),
        shown(Phase.PLAYING, 2),
        shown(Phase.OVER),
        shown(Phase.PLAYING, 7),
    ]
    moves = list(moves_of(frames))
    assert [(move.number, move.frame, move.locked) for move in moves] == [
        (1, 1, Piece(1, 4, 5)),
        (2, 6, Piece(1, 2, 0)),
    ]


def test_a_page_hides_what_could_be_code() -> None:
    from emubot.judging.judge import Review
    from emubot.looks import NUMBERED

    assert "<script>" not in page(Review((), 0, "", "<script>", "<script>alert(1)</script>", NUMBERED))


@pytest.mark.slow
@pytest.mark.jit
def test_a_persons_misdrops_are_told_of_both_placements(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, out = tmp_path / "game.npz", tmp_path / "page.html"
    line = (
        "play --demo tetris --bridge simulated --level 18 --pieces 6 --weights meatfighter --emu-speed max --view none"
    )
    assert main([*line.split(), "-q", "--record", str(game)]) == 0
    words = ["review", str(game), "--json", "--nodes", "500", "--out", str(out)]
    capsys.readouterr()
    assert main([*words, "--human-error", "0:0"]) == 0
    perfect = json.loads(capsys.readouterr().out)
    assert perfect["missed"]["best"] == 0
    assert main([*words, "--human-error", "2:0.1", "--taps", "12hz", "--force"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert 0 < told["missed"]["best"] <= 1
    assert all(0 <= share <= 1 for one in told["worst"] for share in one["missed"] if share is not None)
    assert re.search(r"A person misses \d+ % and \d+ % of the tries\.", out.read_text(encoding="utf-8"))
    assert main([*words, "--force"]) == 0
    assert json.loads(capsys.readouterr().out)["missed"] == {"played": None, "best": None}
    assert main([*words, "--force", "--taps", "12hz"]) == 2
    assert "add --human-error" in capsys.readouterr().err


def test_a_game_of_which_nothing_could_be_judged_has_no_misdrops() -> None:
    assert Review((), 3, "points", "", "", numbered()).missed == (None, None)


@pytest.mark.parametrize(("skipped", "words"), [(1, " 1 was not judged"), (2, " 2 were not judged")])
def test_the_page_counts_what_was_not_judged(skipped: int, words: str) -> None:
    assert words in page(Review((), skipped, "", "points", "a game", numbered()))
