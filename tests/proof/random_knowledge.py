"""Small knowledge bases at random, as text: every form that bears on what is decided, in every combination.

They are as hostile as the builder lets them be: rules tie, sources contradict their scope, constraints leave nothing,
presets cross constraints. What must hold of any knowledge base is asked of these.

They are made from a seed, not drawn choice by choice: Hypothesis likes small examples, and what goes wrong here takes
several rules that meet in one context.
"""

from random import Random

from hypothesis import strategies as st

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.parse import parse

FACTS = {
    "goal": ("fast", "cool"),
    "model": ("m1", "m2", "m2a", "m3"),
    "site": ("here", "there"),
    "fans": ("one", "two"),
}
SETTINGS = {
    "a": ("firmware", ("on", "off")),
    "b": ("firmware", ("low", "mid", "high")),
    "profile": ("firmware", ("p1", "p2", "own")),
    "c": ("boot", ("on", "off")),
    "d": ("os", ("x", "y", "z")),
}
"""In the order of decision, save that `profile` follows what it governs."""

MEMBERS = ("a", "b")

WORDS = """
fact goal { title "Goal"; required; values fast, cool; }
fact model { title "Model"; }
model m1 { title "One"; }
model m2 { title "Two"; follows m1; }
model m2a { title "Two A"; within m2; }
fact site { title "Site"; values here, there; }
fact fans { title "Fans"; values one, two; }
source old { title "Old"; publisher "P"; }
source new { title "New"; publisher "P"; supersedes old; }
source lab { title "Lab"; publisher "P"; scope site here, model m1 or m3; }
setting a { title "A"; layer firmware; values on, off; }
setting b { title "B"; layer firmware; values low, mid, high; }
setting profile { title "Profile"; layer firmware; values p1, p2, own; }
setting c { title "C"; layer boot; values on, off; }
setting d { title "D"; layer os; values x, y, z; }
"""

seeds = st.integers(0, 2**32 - 1)


def statements(seed: int) -> list[str]:
    """The statements of a knowledge base."""
    maker = _Maker(Random(seed))
    parts = [*maker.offers(), *maker.presets(), *maker.rules(), *maker.constraints(), *maker.links()]
    return [*WORDS.strip().splitlines(), *parts]


def built(text: list[str]) -> Knowledge | None:
    """The knowledge base of these statements; None where rules take themselves back in a circle."""
    tree = parse(SourceText("random.tune", "\n".join(text)))
    try:
        return build([LayeredFile(tree, "stdlib")])
    except SetpointError as error:
        assert {d.code for d in error.diagnostics} == {"K07"}, [d.message for d in error.diagnostics]
        return None


def policy(random: Random, most_sets: int = 2) -> tuple[dict[str, str], dict[str, str]]:
    """What a policy states, and what it sets."""
    facts = {"goal": random.choice(FACTS["goal"])}
    for name in ("model", "site", "fans"):
        if random.random() < 0.7:
            facts[name] = random.choice(FACTS[name])
    chosen = random.sample(sorted(SETTINGS), random.randint(0, most_sets))
    return facts, {name: random.choice(SETTINGS[name][1]) for name in chosen}


class _Maker:
    def __init__(self, random: Random) -> None:
        self.random = random

    def condition(self, name: str, values: tuple[str, ...]) -> str:
        some = self.random.sample(values, self.random.randint(1, len(values) - 1))
        negation = "not " if self.random.random() < 0.2 else ""
        return f"{name} {negation}{' or '.join(some)}"

    def conditions(self, settings: tuple[str, ...] = (), least: int = 0, most: int = 2) -> list[str]:
        """Conditions on some facts and some of these settings, each named once."""
        words = {**FACTS, **{name: SETTINGS[name][1] for name in settings}}
        names = self.random.sample(sorted(words), self.random.randint(least, most))
        return [self.condition(name, words[name]) for name in names]

    def offers(self) -> list[str]:
        """An offer of every setting, with or without a default: for some contexts, or for all with perhaps a narrower
        one, where it may be absent.

        So no two are in doubt, which stops every policy they apply to.
        """
        found = []
        for name, (_, values) in SETTINGS.items():
            offers = self.random.choice((1, 1, 2))
            for narrower in range(offers):
                some = self.random.sample(values, self.random.randint(2, len(values)))
                default = self.random.choice(("", *(f" default {value}" for value in some)))
                most = narrower + (self.random.random() < 0.3) if narrower or offers == 1 else 0
                only = when(self.conditions(least=narrower, most=most), " if")
                offered = (
                    f"{', '.join(some)}{default}" if not narrower or self.random.random() < 0.7 else "absent"
                )
                found.append(f'options of old {{ {name} {offered} at "Offer"{only}; }}')
        return found

    def presets(self) -> list[str]:
        """Perhaps profiles that fix members or free them, or of which that is unknown."""
        if self.random.random() < 0.4:
            return []
        rows = [
            f"{name} {' '.join(self.random.choice((*SETTINGS[name][1], '_', 'free')) for _ in range(2))} "
            f"{self.random.choice(('free', 'free', 'free', '_'))};"
            for name in MEMBERS
        ]
        return [
            f'preset "Profiles" of old {when(self.conditions(most=1))} {{ profile p1 p2 own; {" ".join(rows)} }}'
        ]

    def rules(self) -> list[str]:
        """Up to a dozen rules, for a few of the settings."""
        settings = self.random.sample(sorted(SETTINGS), self.random.randint(1, 3))
        known: dict[str, dict[str, list[str]]] = {setting: {} for setting in settings}
        found = []
        for number in range(self.random.randint(3, 12)):
            setting = self.random.choice(settings)
            found.append(self.rule(number, setting, known[setting]))
        return [*found, *self.withdrawn_profile()]

    def withdrawn_profile(self) -> list[str]:
        """Perhaps a recommended profile, and a rule that withdraws it together with the advice that it implies."""
        if self.random.random() < 0.5:
            return []
        other = self.random.choice(SETTINGS["profile"][1])
        first, second = self.conditions(least=1), self.conditions(least=1)
        return [
            f'rule advised of old at "R" {{ {when(first)}; use profile p1; because "r"; }}',
            f'rule taking-back of old at "R" {{ {when(second)}; use profile {other}; exception to advised; because "r"; }}',
        ]

    def rule(self, number: int, setting: str, earlier: dict[str, list[str]]) -> str:
        """A rule that may read settings decided before its own.

        It may be narrower than an earlier rule of the setting, or take it back; `earlier` has their conditions
        by name, and the new rule's afterwards.
        """
        order = [name for name in SETTINGS if name != "profile"]
        readable = tuple(order[: order.index(setting)]) if setting != "profile" else ()
        parts = self.conditions(readable, least=1)
        if earlier and self.random.random() < 0.5:
            broader = earlier[self.random.choice(sorted(earlier))]
            named = {part.split()[0] for part in broader}
            parts = [*broader, *(part for part in parts if part.split()[0] not in named)]
        fields = [f"use {setting} {self.random.choice(SETTINGS[setting][1])}", 'because "r"', when(parts)]
        fields += self.random.choice(([], [], ["strength measured"], ["strength test-first"]))
        if earlier and self.random.random() < 0.2:
            fields.append(f"exception to {self.random.choice(sorted(earlier))}")
        earlier[f"r{number}"] = parts
        source = self.random.choice(("old", "new", "lab", "lab"))
        return f'rule r{number} of {source} at "R" {{ {"; ".join(fields)}; }}'

    def constraints(self) -> list[str]:
        """Up to three constraints on one or two settings, or on facts."""
        found = []
        for number in range(self.random.randint(0, 3)):
            parts = self.conditions(tuple(SETTINGS), least=1)
            others = sorted({*SETTINGS} - {part.split()[0] for part in parts})
            other = self.random.choice(others)
            body = self.random.choice(("forbid", f"require {self.condition(other, SETTINGS[other][1])}"))
            if body == "forbid" and not any(part.split()[0] in SETTINGS for part in parts):
                body = f"require {self.condition(other, SETTINGS[other][1])}"  # facts alone would forbid contexts
            found.append(f'constraint k{number} of old at "K" {{ {when(parts)}; {body}; because "k"; }}')
        return found

    def links(self) -> list[str]:
        """Relations between facts: the third model implies, allows or follows, and something may be assumed."""
        body = self.random.choice(
            ("", "implies site here;", "implies fans two;", "allows fans one;", "follows m2;")
        )
        found = [f'model m3 {{ title "Three"; {body} }}']
        if self.random.random() < 0.5:
            only = when(self.random.choice(([], ["model m2"], ["model not m1"])))
            found.append(f'assume site {self.random.choice(FACTS["site"])} {only} because "usual";')
        return found


def when(parts: list[str], keyword: str = "when") -> str:
    """`when A, B`; nothing for no conditions."""
    return f"{keyword} {', '.join(parts)}" if parts else ""
