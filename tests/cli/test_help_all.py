"""Short help: `--help` shows the usual options and says how to see all, `--help-all` shows all."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import pytest

from emubot.cli import COMMANDS, main
from emubot.cli.common import Parser
from emubot.cli.parsers import followed_by, parser_of


def parsers() -> Iterator[tuple[str, Parser]]:
    """Every parser of the command line, with the words that lead to it."""
    for command in COMMANDS:
        for word in followed_by(command) or ("",):
            yield f"{command} {word}".strip(), parser_of(command, word)


ALL = dict(parsers())
SHORT = [words for words, parser in ALL.items() if parser.usual]


def options_in(text: str) -> set[str]:
    """The options that a help lists, by their names."""
    lines = (line.strip() for line in text.splitlines() if line.startswith("  -"))
    return {word.rstrip(",") for line in lines for word in line.split("  ")[0].split() if word.startswith("-")}


def listed(parser: Parser) -> set[str]:
    return {
        name
        for group in parser._action_groups
        for action in group._group_actions
        if action.help != argparse.SUPPRESS
        for name in action.option_strings
    }


@pytest.mark.parametrize("words", SHORT)
def test_the_short_one_has_the_usual_and_the_other_all(words: str) -> None:
    parser = ALL[words]
    short, whole = parser.format_help(), parser.format_help(whole=True)
    assert options_in(short) == listed(parser) & parser.usual
    assert len(options_in(short)) <= 24, "a dozen, with those of all commands"
    assert options_in(whole) == listed(parser)
    every = {name for name in listed(parser) if name.startswith("--")}
    assert f'"{parser.asked or parser.prog} --help-all" shows all {len(every)} options.' in short


def test_a_usual_option_is_one_of_some_game() -> None:
    for command in {words.split()[0] for words in SHORT}:
        own = [parser for words, parser in ALL.items() if words.split()[0] == command and parser.usual]
        known = {name for parser in own for name in listed(parser)}
        assert own[0].usual <= known, command


@pytest.mark.parametrize("words", [words for words in ALL if words not in SHORT])
def test_with_few_options_nothing_is_left_out(words: str) -> None:
    parser = ALL[words]
    assert options_in(parser.format_help()) == listed(parser)
    assert parser.format_help(whole=True) == parser.format_help()


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("play --help-all", "--core-process"),
        ("help play --help-all", "--core-process"),
        ("help --help-all play", "--core-process"),
        ("trace record x.npz --help-all", "--core-process"),
        ("evaluate tetris --help-all", "--cap-lines"),
        ("help evaluate tetris --help-all", "--cap-lines"),
        ("core --help-all", "--force"),
    ],
)
def test_it_is_asked_for_anywhere(line: str, known: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line.split())
    assert ended.value.code == 0
    assert f"  {known}" in capsys.readouterr().out


def test_the_short_one_of_play_fits_two_screens(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["play", "--help"])
    said = capsys.readouterr().out
    assert "--core-process" not in said
    assert 'emubot play --help-all" shows all ' in said
