"""Checks the parts of a map against each other: names exist, states and ids match; reads no file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from emubot.rammap.code_checks import Problem, cells, code_table, pieces
from emubot.rammap.condition import ASKED, Criterion
from emubot.rammap.grid import code_mask
from emubot.rammap.places import GRID, layouts, overlaps, players, rows, screen
from emubot.rammap.schema import Document, GameTiming, Image, MenuChoice
from emubot.rammap.strict_yaml import KeyPath


def problems(document: Document) -> Iterator[Problem]:
    """Yields everything wrong with a well-formed map as (key path, half a sentence), the most important first."""
    for check in (players, layouts, cells, pieces, screen, rows, overlaps, _identities):
        problems = list(check(document))
        yield from problems
        if problems:  # the later ones of these rely on the earlier ones
            break
    for check in (_names, _timing, _phases, _menu, _pieces, _place, _kicks):
        yield from check(document)


def _conditions(document: Document) -> Iterator[tuple[KeyPath, Mapping[str, Criterion], bool]]:
    """Yields (key path, condition, whether it may use a menu choice) for every condition."""
    for number, rule in enumerate(document.phases):
        yield ("phases", number, "when"), rule.when, False
    for name, event in document.events.items():
        yield ("events", name, "before"), event.before, False
        yield ("events", name, "after"), event.after, False
    for number, step in enumerate(document.menu.steps if document.menu else ()):
        for key, condition in (("when", step.when), ("until", step.until)):
            if condition is not None:
                yield ("menu", "steps", number, key), condition, True


def _names(document: Document) -> Iterator[Problem]:
    reserved = {GRID, "hidden"}
    for group, names in (("values", document.values), ("regions", document.regions)):
        for name in names:
            if name in reserved or (group == "regions" and name in document.values):
                yield (group, name), "this name is taken, choose another"
    if document.game_counter is not None and document.game_counter not in document.values:
        yield ("game_counter",), f"found {document.game_counter}, which is no value of this map"
    elif document.game_counter is not None:
        counter = document.values[document.game_counter]
        if not all(counter.belongs_to(player) for player in range(document.players)):
            yield ("game_counter",), f"found {document.game_counter}, which not every player has"
    for name in document.foresight:
        if name not in document.values or not document.values[name].hidden_from_search:
            yield ("foresight",), f"found {name}, which is no value of this map that is hidden_from_search"
    askable = {f"{ASKED}{name}" for name in (document.menu.asked if document.menu else {})}
    for path, condition, in_menu in _conditions(document):
        known = {*document.values, *(askable if in_menu else ())}
        for name, criterion in condition.items():
            if name not in known:
                yield (*path, name), f"found {name}, which is no value of this map{' nor asked for' * in_menu}"
            for limit in criterion.limits():
                if limit.asked is not None and f"{ASKED}{limit.asked}" not in known:
                    yield (*path, name), f"found {limit.asked}, which `menu.asked` does not have"
            yield from (((*path, name), text) for text in _turned(criterion))


def _timing(document: Document) -> Iterator[Problem]:
    timings: list[tuple[KeyPath, GameTiming | None]] = [(("timing",), document.timing)]
    timings += [
        (("identities", number, "timing"), identity.timing) for number, identity in enumerate(document.identities)
    ]
    for path, timing in timings:
        if timing is None:
            continue
        velocity = timing.velocity
        named = [(("gravity_value",), timing.gravity_value), (("velocity", "value"), velocity and velocity.value)]
        for key, name in named:
            if name is not None and (name not in document.values or document.values[name].hidden_from_search):
                yield (*path, *key), f"found {name}, which is no value of this map that a search may see"
        keys = [key for key in ("gravity", "gravity_value", "velocity") if getattr(timing, key) is not None]
        if len(keys) > 1:
            yield path, f"found {' and '.join(keys)}, only one of them says how a piece falls"


def _turned(criterion: Criterion) -> Iterator[str]:
    low, high = criterion.low, criterion.high
    if low and high and low.number is not None and high.number is not None and low.number > high.number:
        yield f"found from {low.number} to {high.number}, `from` must not be above `to`"


def _phases(document: Document) -> Iterator[Problem]:
    phase_of: dict[str, str] = {"unknown": "unknown"}
    for number, rule in enumerate(document.phases):
        known = phase_of.setdefault(rule.state, rule.phase)
        if known != rule.phase:
            yield ("phases", number, "phase"), f"found {rule.phase}, but the state {rule.state} is {known} elsewhere"


def _menu(document: Document) -> Iterator[Problem]:
    if document.menu is None:
        return
    states = {rule.state for rule in document.phases}
    yield from _choices(("menu", "asked"), document.menu.asked)
    for number, step in enumerate(document.menu.steps):
        for state in step.state:
            if state not in states:
                yield ("menu", "steps", number, "state"), f"found {state}, allowed are {', '.join(sorted(states))}"
        if step.hold and any(step.hold & tap for tap in step.tap or ()):
            yield ("menu", "steps", number, "hold"), "the button that is tapped cannot be held as well"


def _choices(path: KeyPath, choices: Mapping[str, MenuChoice]) -> Iterator[Problem]:
    for name, choice in choices.items():
        if not choice.low <= choice.default <= choice.high:
            yield (*path, name), f"found the default {choice.default} outside {choice.low} to {choice.high}"


def _pieces(document: Document) -> Iterator[Problem]:
    table = document.pieces or ()
    ids = [orientation.id for orientation in table]
    for number, orientation in enumerate(table):
        if orientation.id in ids[:number]:
            yield ("pieces", number, "id"), f"found {orientation.id} twice, each orientation has an id of its own"
        for key, target in (
            ("clockwise", orientation.clockwise),
            ("counterclockwise", orientation.counterclockwise),
        ):
            if target.to not in ids:
                yield ("pieces", number, key), f"found {target.to}, which is no orientation's id"
        if orientation.spawn and any(other.spawn and other.piece == orientation.piece for other in table[:number]):
            yield ("pieces", number, "spawn"), f"{orientation.piece} has a spawn already, a piece enters in one place"


def _place(document: Document) -> Iterator[Problem]:
    if document.place is None:
        return
    for number, point in enumerate(document.place.cells):
        for key, name in (("x", point.x), ("y", point.y)):
            if name not in document.values:
                yield ("place", "cells", number, key), f"found {name}, which is no value of this map"
    if not document.pieces:
        yield ("place",), "the cells are compared with those of `pieces`, list them"
    for orientation in document.pieces or ():
        if len(orientation.cells) > len(document.place.cells):
            sentence = (
                f"found {len(document.place.cells)}, but orientation {orientation.id} has {len(orientation.cells)}"
            )
            yield ("place", "cells"), sentence
            return


def _kicks(document: Document) -> Iterator[Problem]:
    table = document.pieces or ()
    for number, kicks in enumerate(document.kicks):
        for place, (before, after) in enumerate(kicks.turns):
            turned = [turn for turn in table if turn.id == before]
            if not turned or after not in (turned[0].clockwise.to, turned[0].counterclockwise.to):
                yield ("kicks", number, "turns", place), f"found {before} to {after}, which is no turn of `pieces`"


def _identities(document: Document) -> Iterator[Problem]:
    seen: set[str] = set()
    images: list[tuple[KeyPath, Image]] = [
        *((("identities", number), image) for number, image in enumerate(document.identities)),
        *((("refuses", number), image) for number, image in enumerate(document.refuses)),
    ]
    for path, image in images:
        if image.sha1 in seen:
            yield (*path, "sha1"), "this hash stands twice in the map"
        seen.add(image.sha1)
    offered = document.menu.asked if document.menu else {}
    for number, identity in enumerate(document.identities):
        if identity.prg is not None and identity.size is not None and identity.prg > identity.size:
            sentence = f"found {identity.prg}, but PRG and CHR together have {identity.size} bytes by `size`"
            yield ("identities", number, "prg"), sentence
        yield from _choices(("identities", number, "asked"), identity.asked)
        for name in identity.asked.keys() - offered.keys():
            yield ("identities", number, "asked", name), f"found {name}, which `menu.asked` does not have"
    cell = document.grid.cell
    for number, identity in enumerate(document.identities):
        if identity.codes is None:
            continue
        here: KeyPath = ("identities", number, "codes")
        for name in identity.codes.kinds:
            if name not in cell.kinds:
                yield (*here, "kinds", name), f"found {name}, allowed are {', '.join(cell.kinds)}"
        own = {name: identity.codes.kinds.get(name, kind.codes) for name, kind in cell.kinds.items()}
        empty = cell.empty if identity.codes.empty is None else identity.codes.empty
        tables = {(*here, "empty"): empty, **{(*here, "kinds", name): codes for name, codes in own.items()}}
        yield from code_table(code_mask(cell) >> cell.shift, tables)
