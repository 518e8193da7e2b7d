"""The trials of Tetris by the names of their rules; plays nothing itself."""

from __future__ import annotations

from emubot.errors import UsageError
from emubot.games.options import rules_for
from emubot.games.tetris.options import AWARE, NES, OPTIONS, TEXTBOOK, VERSUS
from emubot.games.tetris.rules import NES_NTSC, PROFILES
from emubot.games.tetris.textbook.trials import textbook_trial
from emubot.games.tetris.textbook.versus_trial import versus_trial
from emubot.games.tetris.trials.aware_trial import aware_trial
from emubot.games.tetris.trials.nes_trial import nes_trial
from emubot.games.trial import Settings, Trial
from emubot.text import did_you_mean


def trial(sides: int, rules: str | None, options: Settings) -> Trial:
    """Returns the trial of these rules (None: NES for one player, `versus` for two) and options.

    Raises UsageError if there are no such rules, options or values.
    """
    if sides == 2:
        if rules in (None, VERSUS):
            return versus_trial(options)
        raise UsageError(f"Two meet in Tetris by the rules {VERSUS}, not {rules!r}: leave out --rules.")
    if rules in (None, NES, *PROFILES):
        if options.get("rng") == AWARE:
            return aware_trial(options, PROFILES.get(rules or "", NES_NTSC))
        return nes_trial(options, rules if rules in PROFILES else NES_NTSC.name)
    if rules == TEXTBOOK:
        return textbook_trial(options)
    known = rules_for(OPTIONS.rule_sets, 1)
    hint = f" ({VERSUS} is for two)" if rules == VERSUS else did_you_mean(rules or "", known)
    raise UsageError(f"Tetris has no rules {rules!r} for one player{hint}; known: {', '.join(known)}.")
