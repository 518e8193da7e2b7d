"""The mutants that the tests are measured with: what is changed, where, and when one counts as killed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from benchmarks.mutants import Mutant, all_mutants, chosen_tests, durations, is_killed, mutants_of, pass_alone

SOURCE = b'''from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import os

def f(x: int) -> int:
    """Doc."""
    print(x)
    if x < 3:
        return 1 if x else 2
    while x == 4:
        x += 1
    return x in (1, 2)
'''
MUTANTS = {
    "print(x)": ["pass"],
    "x < 3": ["(not (x < 3))", "(x <= 3)"],
    "x": ["(not (x))"],
    "x == 4": ["(not (x == 4))"],
    "x in (1, 2)": ["(x not in (1, 2))"],
}
TEST = "from m import f\n\ndef test_f():\n    assert [f(2), f(3)] == [1, False]\n"


def test_a_mutant_changes_one_condition_comparison_or_call() -> None:
    found: dict[str, list[str]] = {}
    for mutant in mutants_of("room", "m.py", SOURCE):
        found.setdefault(SOURCE[mutant.start : mutant.end].decode(), []).append(mutant.after)
        assert SOURCE[: mutant.start].count(b"\n") + 1 == mutant.line
    assert found == MUTANTS


def test_every_mutant_of_the_rooms_is_another_program_that_can_be_read() -> None:
    root = Path(__file__).parents[2]
    for mutant in all_mutants()[::150]:
        source = (root / mutant.file).read_bytes()
        assert ast.dump(ast.parse(mutant.applied(source))) != ast.dump(ast.parse(source)), mutant


def test_the_tests_of_a_line_are_tried_the_shortest_first_and_those_of_the_module_at_its_import() -> None:
    known = {
        "seconds": {"a": 3.0, "b": 1.0, "c": 39.5},
        "lines": {"m.py": {"1": [], "7": ["a", "c", "b"], "8": ["b"]}},
    }
    assert chosen_tests(Mutant("room", "m.py", 7, 0, 1, ""), known) == ["b", "a"], "40 s at most"
    assert chosen_tests(Mutant("room", "m.py", 1, 0, 1, ""), known) == ["b", "a"]
    assert chosen_tests(Mutant("room", "other.py", 1, 0, 1, ""), known) == []


def test_a_report_names_tests_as_they_are_asked_for(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    cases = ["test_one", "test_two@group-a", "test_three[x]", "test_four[x]@group_b]", "test_five[a@b]"]
    report.write_text(
        "<testsuites>"
        + "".join(f'<testcase classname="tests.games.test_m" name="{name}" time="0.5"/>' for name in cases)
        + '<testcase classname="tests.test_n.TestIt" name="test_six" time="1"/>'
        + '<testcase classname="tests.test_n" name="test_bad" time="1"><failure/></testcase>'
        + '<testcase classname="tests.test_n" name="test_not_here" time="1"><skipped/></testcase></testsuites>'
    )
    names = ["test_one", "test_two", "test_three[x]", "test_four[x]", "test_five[a@b]"]
    expected = {f"tests/games/test_m.py::{name}": 0.5 for name in names}
    assert durations(report) == {**expected, "tests/test_n.py::TestIt::test_six": 1.0}


@pytest.mark.slow
def test_those_count_that_pass_where_nothing_was_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "test_m.py").write_text("import pytest\ndef test_a(): pass\ndef test_b(): assert False\n")
    (tmp_path / "setup.cfg").touch()
    monkeypatch.setattr("benchmarks.mutants.ROOT", tmp_path)
    assert pass_alone({"test_m.py::test_a", "test_m.py::test_b"}, 0) == {"test_m.py::test_a"}
    with pytest.raises(SystemExit, match="write it anew"):
        pass_alone({"test_m.py::test_a", "test_m.py::test_c"}, 0)


@pytest.mark.slow
def test_a_mutant_is_killed_by_a_test_that_fails_and_the_source_is_as_before(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_bytes(SOURCE)
    (tmp_path / "test_m.py").write_text(TEST)
    killed = [is_killed(mutant, tmp_path, ["test_m.py"], 1.0) for mutant in mutants_of("room", "m.py", SOURCE)]
    assert killed.count(False) == 2, "the print and the loop, which no test notices"
    assert (tmp_path / "m.py").read_bytes() == SOURCE
