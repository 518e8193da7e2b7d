"""Command-line arguments made from what game families declare; declares none itself, and plays nothing."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from emubot import games
from emubot.cli import common
from emubot.games.declared import Shared, all_options
from emubot.games.kinds import Choice, Flag, Milliseconds, OptionKind, Share, Whole
from emubot.games.options import GameOptions, Option, RuleSet, usual_of

if TYPE_CHECKING:
    from emubot.trials.evaluation.contest import Contest

Make = Callable[[str | None], common.Parser]  # a command's parser: with the options of a family, or those of all


def parsed(words: Sequence[str], make: Make) -> argparse.Namespace:
    """Returns the options of a command whose first word is a family's name; only those of this family are known.

    Raises UsageError for an option of another family, and says whose it is.
    """
    every = make(None)
    family = _first_word(words, every)
    if family is None or (family not in games.names() and common.asks_for_help(words)):
        return every.parse(words)
    games.game(family)  # there may be none of this name
    parser = make(family)
    parser.elsewhere = _elsewhere(parser.prog, family)
    return parser.parse(words)


def _first_word(words: Sequence[str], parser: argparse.ArgumentParser) -> str | None:
    """Returns the first word that is no option and no option's value."""
    left = 0.0  # values that the last option takes
    for word in words:
        if word.startswith("-") and len(word) > 1:
            name, equals, _ = word.partition("=")
            action = parser._option_string_actions.get(name)
            left = 0 if equals or action is None else _values(action.nargs)
        elif left:
            left -= 1
        else:
            return word
    return None


def _values(nargs: int | str | None) -> float:
    return 1 if nargs is None else nargs if isinstance(nargs, int) else float("inf")


def _elsewhere(prog: str, family: str) -> dict[str, str]:
    """Returns a sentence about each option that only other families have."""
    owners: dict[str, list[str]] = {}
    for name, options in all_options().items():
        for flag in {one.flag for one in _declared(options, prog.split()[1])}:
            owners.setdefault(flag, []).append(name)
    return {
        flag: f"{flag} is an option of {' and '.join(names)}, not of {family}: leave it out; "
        f'"{prog} {family} --help-all" lists what there is.'
        for flag, names in owners.items()
        if family not in names
    }


def _declared(options: GameOptions, command: str) -> list[Option]:
    return [one for rule_set in rule_sets_of(options, command) for one in rule_set.options]


def rule_sets_of(options: GameOptions, command: str) -> tuple[RuleSet, ...]:
    """Returns the rules of a family that a command plays by."""
    return options.self_play if command == "selfplay" else options.rule_sets


def add_rules(parser: common.Parser, family: str | None, command: str) -> None:
    """Add `--rules` and the options of a family's rules, a group of help for each rule set.

    Without a family the options of all are known, and help says how to see them.
    """
    families = all_options() if family is None else {family: games.game(family).options}
    own = {name: rule_sets_of(options, command) for name, options in families.items()}
    _add_profiles(parser, own[family] if family is not None else ())
    declared: dict[str, Option] = {}
    for rule_sets in own.values():
        for rule_set in rule_sets:
            declared |= {one.name: one for one in rule_set.options}
    parser.usual |= frozenset(flag for sets in own.values() for one in sets for flag in usual_of(one.options))
    for one in declared.values():
        _add(parser, one, common.number, None, argparse.SUPPRESS)
    if family is not None:
        parser.asked = f"{parser.prog} {family}"
        for number, rule_set in enumerate(own[family]):
            title = f"rules {rule_set.title}{'' if number else ' (default)'}"
            _list(parser.add_argument_group(title, rule_set.about), rule_set.options)


def _add_profiles(parser: common.Parser, rule_sets: Sequence[RuleSet]) -> None:
    """Add `--rules`, which names the rules that there are."""
    known = [", ".join(_names(rule_sets, sides)) for sides in (1, 2)]
    text = f'a rule profile; "{parser.prog} GAME --help" lists them'
    if rule_sets:
        text = f"{known[0]}{f'; for two players: {known[1]}' if known[1] else ''} (default: the first)"
    parser.add_argument("--rules", metavar="PROFILE", help=text)


def _names(rule_sets: Iterable[RuleSet], sides: int) -> list[str]:
    return list(dict.fromkeys(name for one in rule_sets if one.sides == sides for name in one.names))


def epilog_of(command: str, family: str | None, text: str) -> str:
    """Returns the end of a command's help: its own text with the examples of a family only, or of all without one.

    Without a family it also says how to see the options of each.
    """
    if family is None:
        lines = [f"  emubot {command} {name} --help" for name in games.names()]
        return "\n".join(["the options of each game, with its rules:", *lines, "", text])
    others = tuple(f"  emubot {command} {name} " for name in games.names() if name != family)
    kept, left_out = [], False
    for line in text.split("\n"):
        left_out = line.startswith(others) or (left_out and line.startswith("    "))
        if not left_out:
            kept.append(line)
    return "\n".join(kept)


def given(options: argparse.Namespace, family: str, command: str) -> dict[str, Any]:
    """Returns the options of a family's rules that were given."""
    declared = _declared(games.game(family).options, command)
    values = {one.name: getattr(options, one.name, None) for one in declared}
    return {name: value for name, value in values.items() if value is not None}


def contest_of(options: argparse.Namespace, sides: int) -> Contest:
    """Returns the contest that the options of `evaluate` or `train` describe; it names only those that were given."""
    from emubot.trials.evaluation.contest import Contest

    return Contest(options.game, sides, options.rules, given(options, options.game, "evaluate"))


def add_shared(made: argparse._ActionsContainer, shared: Shared) -> None:
    """Add an option of one or more families; its values are those of all of them."""
    option, kind = shared.option, shared.option.kind
    whole = common.whole(kind.low, kind.high) if isinstance(kind, Whole) else common.number
    action = _add(made, option, whole, option.default, shared.text.replace("%", "%%"))
    action.choices = kind.words if shared.agrees and isinstance(kind, Choice) else None


def _add(
    made: argparse._ActionsContainer, option: Option, whole: Callable[[str], int], default: Any, text: str
) -> argparse.Action:
    if isinstance(option.kind, Flag):
        return made.add_argument(option.flag, action="store_true", default=default, help=text)
    kinds: Mapping[type[OptionKind[Any]], Callable[[str], Any]]
    kinds = {Whole: whole, Milliseconds: common.milliseconds, Share: common.share}
    kind, metavar = kinds.get(type(option.kind), str), option.kind.metavar
    return made.add_argument(option.flag, type=kind, default=default, metavar=metavar, help=text)


def _list(group: argparse._ArgumentGroup, options: Iterable[Option]) -> None:
    """List options in a group of help; an option of several rules stands in the group of each, with its own range."""
    for one in options:
        nargs = 0 if isinstance(one.kind, Flag) else None
        group._group_actions.append(
            argparse.Action(
                [one.flag], one.name, nargs, metavar=one.kind.metavar or None, help=one.text.replace("%", "%%")
            )
        )
