"""Seats the bots of a request at the ports of its bridges, and refuses what cannot be; opens nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from emubot.errors import UsageError
from emubot.session import emulators
from emubot.session.emulators import modes_of, plays_versus
from emubot.text import did_you_mean

if TYPE_CHECKING:
    from emubot.bridges import Bridge
    from emubot.games.edition import Edition
    from emubot.games.strength import Strength
    from emubot.pilot.apart.mind import ApartMind
    from emubot.pilot.skill import Mind, Skill
    from emubot.session.readiness import Readiness
    from emubot.session.request import SessionRequest

    Bot: TypeAlias = tuple[Skill, Mind | ApartMind]


@dataclass(frozen=True, slots=True)
class Seat:
    """One bot's place: its bridge, port, skill and mind; `leads` is true if it also chooses in the menus.

    `person` is the port of a person on this console. `serves` is true if the bot chooses with that person's pad too,
    until a game begins.
    """

    bridge: Bridge
    port: int
    leads: bool
    skill: Skill
    mind: Mind | ApartMind
    person: int | None = None
    serves: bool = False

    @property
    def rng(self) -> str:
        """How the bot plays, in a word for records: `aware` of the generator, or `blind`."""
        return "aware" if self.skill.aware else "blind"


def consoles(request: SessionRequest, edition: Edition) -> int:
    """Returns the number of consoles: two to play a cartridge without a game for two against itself, otherwise one."""
    return 2 if request.against_itself and not plays_versus(edition) else 1


def refuse_early(request: SessionRequest, edition: Edition) -> None:
    """Raise an error for what cannot be played before an emulator is opened or used."""
    ram_map = edition.ram_map
    if request.aware and (request.against_itself or request.human is not None):
        raise UsageError(
            "--rng aware chooses the pieces, so it is played alone: leave out AIvsAI and --human, or --rng aware."
        )
    if request.human is not None and not plays_versus(edition):
        raise UsageError(
            f"--human: {ram_map.title} has no game for two that a person and the bot could play: take --demo puyo or "
            "capsules, or meet the bot in the browser (emubot arena)."
        )
    if request.mode is not None and request.mode not in modes_of(edition):
        known = modes_of(edition)
        near, names = did_you_mean(request.mode, known), ", ".join(known) or "none"
        raise UsageError(f"--mode {request.mode}{near}: {ram_map.title} has no such mode to choose; it has: {names}.")
    ram_map.menu_step(
        bytes(ram_map.image_size), menu_choices(request, edition)
    )  # refuses choices that the menus do not offer
    if (
        _for_two(request, edition)
        and "mode" not in ram_map.menu_choices
        and not (request.by_hand or emulators.runs_elsewhere(request))
    ):
        raise UsageError(
            f"The map {ram_map.name} does not know the way to the game for two: "
            "take --view window and choose it yourself."
        )


def _for_two(request: SessionRequest, edition: Edition) -> bool:
    """Returns whether two players are to meet on one console."""
    return plays_versus(edition) and (request.against_itself or request.human is not None)


def menu_choices(request: SessionRequest, edition: Edition) -> dict[str, int]:
    """Returns the menu choices; the game for two is one of them only if the map can select it."""
    chosen, for_two = edition.game.options.menu_numbers(request.menu_choices), _for_two(request, edition)
    mode = "versus" if for_two else request.mode
    if mode is None or (for_two and "mode" not in edition.ram_map.menu_choices):
        return chosen
    return {**chosen, "mode": modes_of(edition)[mode]}


def bots_of(request: SessionRequest, edition: Edition, readiness: Readiness | None) -> list[Bot]:
    """Returns how each bot plays, and what decides for it: a mind here, or a process while kernels are compiled.

    Raises WeightsError for weights of another game, UsageError for what the edition's search cannot do.
    """
    from emubot.pilot.skill import Skill
    from emubot.weights import load_weights

    names = [name or edition.game.facts.default_weights for name in request.weights]
    weights = {name: load_weights(name) for name in dict.fromkeys(names)}
    ahead = request.emu_speed is not None  # flat out no frame would wait for it
    skills = [
        Skill(weights[name], tempo, strength, ahead, aware=request.aware, human=request.human_error)
        for name, tempo, strength in zip(names, request.tempos, request.strengths, strict=True)
    ]
    if not request.against_itself:
        skills = skills[:1]
    elif skills[0] == skills[1]:
        from emubot.games.variety import Variety

        skills = [replace(skill, variety=Variety(request.seed, number)) for number, skill in enumerate(skills)]
    skills = [replace(skill, seed=request.seed + number) for number, skill in enumerate(skills)]
    if readiness is None:
        return [(skill, skill.mind(edition)) for skill in skills]
    readiness.bots = len(skills)
    return [
        (skill, _apart(name, edition.at_once, request, readiness))
        for skill, name in zip(skills, request.weights, strict=False)
    ]


def _apart(weights: str | None, at_once: Strength, request: SessionRequest, readiness: Readiness) -> ApartMind:
    from emubot.pilot.apart.mind import ApartMind

    paced, alone = request.emu_speed is not None, request.human is None and not emulators.runs_elsewhere(request)

    compiled, near, told = readiness.is_compiled, readiness.is_near, readiness.take_over
    return ApartMind(weights, at_once, paced, compiled, told, is_near=near, waits_for_start=alone)


def seats_of(request: SessionRequest, edition: Edition, bridges: list[Bridge], bots: list[Bot]) -> list[Seat]:
    """Returns the seats of the bots on these bridges; says what a person has to do."""
    ram_map = edition.ram_map
    places = [(bridge, 0, True) for bridge in bridges]
    knows_the_way = "mode" in ram_map.menu_choices
    if _for_two(request, edition) and not knows_the_way:
        request.say("choose the game for two yourself; the bot takes over when it begins.")
    if request.human is not None:
        places = [(bridges[0], 1 - request.human, knows_the_way)]
    elif _for_two(request, edition):
        places = [(bridges[0], 0, knows_the_way), (bridges[0], 1, False)]
    elif request.mode == "versus":
        request.say("--mode versus alone leaves pad 2 to nobody: add AIvsAI for two bots, or --human 2 for you.")
    serves = request.human is not None and knows_the_way and not emulators.runs_elsewhere(request)
    return [
        Seat(bridge, port, leads, *bot, request.human, serves)
        for (bridge, port, leads), bot in zip(places, bots, strict=True)
    ]
