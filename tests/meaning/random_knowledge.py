"""Knowledge bases at random, as text, with everything in them that the meaning of a policy can depend on.

Facts in trees that imply, allow and follow each other; sources with scopes and editions; offers that overlap; presets
that fix, free and leave open; constraints with `not`, some of which require an effect; assumptions; effects and
hazards; a site beside the library. They are as hostile as the compiler lets them be. Statements that it refuses are
left out one by one (`accepted`), so that what a single rule breaks does not hide the rest.
"""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

FACTS = {
    "goal": ("fast", "cool", "calm"),
    "model": ("m1", "m1a", "m2", "m2a", "m3", "m4"),
    "chip": ("c1", "c1a", "c1b", "c2", "c3"),
    "site": ("here", "there", "attic"),
    "fans": ("one", "two"),
}
SETTINGS = {
    "a": ("firmware", ("on", "off")),
    "b": ("firmware", ("low", "mid", "high", "lower", "lowest")),
    "e": ("firmware", ("on", "off")),
    "w": ("firmware", ("1", "4", "6", "12")),
    "profile": ("firmware", ("p1", "p2", "p3", "own")),
    "c": ("boot", ("on", "off")),
    "d": ("os", ("x", "y", "z")),
    "n": ("os", ("off", "10ms", "25ms", "40ms")),
    "cpus": ("os", ("none", "0-3", "2-7")),
}
"""In an order in which rules may read them, save that `profile` follows what it governs."""

DECLARED = {
    "b": "values low, mid, high",
    "n": "values off; range 0 to 100 step 5 in ms",
    "w": "range 1 to 20",
    "cpus": "values none, cpu-list",
}
"""How some settings are declared; the values above are those that statements use."""

STRICTER = {"b": (("lower", "lowest"), ("low", "lowest"), ("low", "lower"), ("low",))}
"""Values that an offer lacks: it has a wider value, one of those within it, or both of them."""

OPEN_VALUES = (
    'model m1-or-m2 { title "V"; values m1, m2; }',
    'chip c2-or-c3 { title "V"; values c2, c3; }',
    'chip c-any { title "V"; values c1, c2-or-c3; }',
)
"""Values that leave open which of others they are. Others imply one of them."""

NESTED = ("b lower { within low; }", "b lowest { within lower; }")
"""Values that are added to a setting."""

RANGES = {
    "n": (
        "5ms to 25ms",
        "0ms to 40ms step 20",
        "above 30ms",
        "below 10ms",
        "55ms to 100ms step 15",
        "30 to 60ms",
    ),
    "w": ("1 to 20", "2 to 14 step 4", "above 6", "below 3", "7 to 9"),
    "cpus": ("cpu-list",),
}
"""Ranges that conditions and offers of these settings name."""

MEMBERS = ("a", "b", "e", "w")
SOURCES = ("old", "new", "newest", "lab", "shop")
EFFECT = ("depth", ("deep", "flat"))


class Statements(NamedTuple):
    """The statements of a library, and those that a site adds."""

    library: tuple[str, ...]
    site: tuple[str, ...]


def statements(seed: int) -> Statements:
    """A knowledge base, not yet looked at by anybody."""
    maker = _Maker(Random(seed))
    library = [
        *maker.facts(),
        *maker.sources(),
        *(
            f'setting {n} {{ title "S"; layer {layer}; {DECLARED.get(n) or "values " + ", ".join(v)}; }}'
            for n, (layer, v) in SETTINGS.items()
        ),
        *NESTED,
        *maker.offers(),
        *maker.presets(),
        *maker.rules("r", maker.random.randint(3, 12)),
        *maker.tables(),
        *maker.constraints(),
        *maker.effects(),
        *maker.assumptions(),
        *_Maker(Random(f"action {seed}")).action(),
        *_Maker(Random(f"mutual {seed}")).mutual(),
        *_Maker(Random(f"standing {seed}")).standing(),
        *_Maker(Random(f"need {seed}")).need(),
    ]
    site: list[str] = []
    if maker.random.random() < 0.5:
        site = [*maker.rules("s", maker.random.randint(1, 4)), *maker.assumptions()]
    return Statements(tuple(library), tuple(site))


def accepted(drawn: Statements, allowed: Callable[[Statements], bool]) -> Statements | None:
    """These statements without the refused ones; None if the rest is still refused."""
    if allowed(drawn):
        return drawn
    optional = ("rule ", "table ", "constraint ", "preset ", "assume ", "hazard ", "effect ")
    kept = Statements(tuple(s for s in drawn.library if not s.startswith(optional)), ())
    if not allowed(kept):
        return None
    for place in ("library", "site"):
        for statement in getattr(drawn, place):
            if statement in getattr(kept, place):
                continue
            more = kept._replace(**{place: (*getattr(kept, place), statement)})
            if allowed(more):
                kept = more
    return kept


def when(parts: list[str], keyword: str = "when") -> str:
    """`when A, B`; nothing for no conditions."""
    return f"{keyword} {', '.join(parts)}" if parts else ""


class _Maker:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.named: dict[str, list[str]] = {name: [] for name in SETTINGS}

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def condition(self, name: str, values: tuple[str, ...]) -> str:
        some = self.random.sample(values, self.random.randint(1, len(values) - 1))
        if name in RANGES and self.chance(0.5):
            some = [*some[:1], self.random.choice([text for text in RANGES[name] if "step" not in text])]
        return f"{name} {'not ' if self.chance(0.2) else ''}{' or '.join(some)}"

    def conditions(self, settings: tuple[str, ...] = (), least: int = 0, most: int = 2) -> list[str]:
        """Conditions on some facts and some of these settings, each named once."""
        known = {**FACTS, **{name: SETTINGS[name][1] for name in settings}}
        chosen = self.random.sample(sorted(known), self.random.randint(least, most))
        return [self.condition(name, known[name]) for name in chosen]

    def facts(self) -> list[str]:
        """Two trees of hardware that imply, allow and follow; the rest is plain."""
        found = ['fact goal { title "Goal"; required; values fast, cool, calm; }']
        found += [
            'fact model { title "Model"; }',
            'fact chip { title "Chip"; }',
            'fact site { title "Site"; }',
        ]
        found.append('fact fans { title "Fans"; values one, two; }')
        links = {
            "model": [
                "implies site here;",
                "implies site attic;",
                "implies fans two;",
                "allows fans one;",
                "allows site not there;",
                "allows chip not c1a;",
                "implies chip c2-or-c3;",
            ],
            "chip": [
                "implies model m1;",
                "implies model m1a;",
                "implies model m2;",
                "implies model m2a;",
                "implies model m1-or-m2;",
                "implies site there;",
                "allows model not m3;",
                "allows fans two;",
            ],
        }
        trees = {
            "model": {"m1": "", "m1a": "m1", "m2": "", "m2a": "m2", "m3": "", "m4": ""},
            "chip": {"c1": "", "c1a": "c1", "c1b": "c1", "c2": "", "c3": ""},
            "site": {"here": "", "there": "", "attic": "there"},
        }
        followed = {
            "m2": ("m1",),
            "m3": ("m2", "m2a"),
            "m4": ("m3", "m1a"),
            "c2": ("c1", "c1a"),
            "c3": ("c2",),
        }
        for fact, values in trees.items():
            for value, above in values.items():
                body = [f"within {above};"] if above else []
                body += (
                    self.random.sample(links[fact], self.random.choice((0, 0, 1, 1, 2)))
                    if fact in links
                    else []
                )
                if value in followed and self.chance(0.6):
                    body.append(f"follows {self.random.choice(followed[value])};")
                found.append(f'{fact} {value} {{ title "V"; {" ".join(body)} }}')
        return [*found, *OPEN_VALUES]

    def sources(self) -> list[str]:
        """Three editions, and two sources with a scope."""
        found = []
        for name, older in zip(SOURCES, ("", "old", "new", "", ""), strict=True):
            body = f"supersedes {older};" if older and self.chance(0.7) else ""
            if name in ("lab", "shop") or self.chance(0.3):
                body += f" scope {', '.join(self.scope())};"
                if self.chance(0.5):
                    strength = self.random.choice(("test-first", "practice", "vendor"))
                    body += f' related {", ".join(self.scope())} strength {strength} because "R";'
            found.append(f'source {name} {{ title "T"; publisher "P"; {body} }}')
        return found

    def scope(self) -> list[str]:
        """A goal, another fact, or both."""
        name = self.random.choice([name for name in FACTS if name != "goal"])
        parts = [self.condition(name, FACTS[name]), self.condition("goal", FACTS["goal"])]
        return self.random.choice((parts, parts[:1], parts[1:]))

    def offers(self) -> list[str]:
        """Offers of every setting, for all contexts or some, that may overlap, with or without a default; and perhaps
        that it is absent."""
        found = []
        for name, (_, values) in SETTINGS.items():
            for narrower in range(self.random.choice((1, 1, 1, 2, 3))):
                stricter = self.random.choice(STRICTER.get(name, ((),)))
                offered = [value for value in values if value not in stricter]
                some = self.random.sample(offered, self.random.randint(2, len(offered)))
                default = self.random.choice(
                    ("", " default unknown", *(f" default {value}" for value in some))
                )
                least = narrower if narrower or self.chance(0.7) else 1
                only = when(self.conditions(least=min(least, 2)), " if")
                some += [text for text in RANGES.get(name, ()) if " to " in text and self.chance(0.4)][:1]
                some += [text for text in RANGES.get(name, ()) if text == "cpu-list" and self.chance(0.6)]
                found.append(f'options of old {{ {name} {", ".join(some)}{default} at "Offer"{only}; }}')
            if self.chance(0.25):
                only = when(self.conditions(least=1, most=2), " if")
                found.append(f'options of old {{ {name} absent at "Absent"{only}; }}')
        return found

    def presets(self) -> list[str]:
        """Up to two tables of members that a profile fixes, frees, or leaves unknown."""
        found = []
        for _ in range(self.random.choice((0, 1, 1, 2))):
            columns = self.random.sample(SETTINGS["profile"][1], self.random.randint(1, 4))
            members = self.random.sample(MEMBERS, self.random.randint(1, 3))
            cells = {column: self.random.choice(("free", "mixed", "mixed", "mixed")) for column in columns}
            rows = [
                f"{name} {' '.join(self.cell(name, cells[column]) for column in columns)};"
                for name in members
            ]
            only = when(
                [
                    self.condition(n, FACTS[n])
                    for n in self.random.sample(sorted(FACTS), self.random.choice((0, 1)))
                ]
            )
            found.append(
                f'preset "Profiles" of old {only} {{ profile {" ".join(columns)}; {" ".join(rows)} }}'
            )
        return found

    def cell(self, member: str, kind: str) -> str:
        if kind == "free" or self.chance(0.1):
            return "free"
        if self.chance(0.15):
            return "_"
        if self.chance(0.2):
            return f"initially {SETTINGS[member][1][-1]}"  # One value, since tables that apply together must agree.
        kept = "kept " if self.chance(0.2) else ""
        return kept + self.random.choice(SETTINGS[member][1])

    def readable(self, setting: str) -> tuple[str, ...]:
        order = [name for name in SETTINGS if name != "profile"]
        return tuple(order[: order.index(setting)]) if setting != "profile" else ()

    def strength(self) -> str:
        measured_when = f"strength measured {when(self.conditions(least=1))}"
        weaker = "strength practice", "strength test-first"
        return self.random.choice(("", "", "strength measured", measured_when, *weaker))

    def rules(self, prefix: str, number: int) -> list[str]:
        """Rules for a few settings, some narrower than an earlier one, some exceptions to it."""
        settings = self.random.sample(sorted(SETTINGS), self.random.randint(1, 3))
        if self.chance(0.5):
            settings.append("profile")
        found = []
        broader: dict[str, list[str]] = {}
        for each in range(number):
            setting = self.random.choice(settings)
            parts = self.conditions(self.readable(setting), least=1)
            if setting in broader and self.chance(0.5):
                named = {part.split()[0] for part in broader[setting]}
                parts = [*broader[setting], *(part for part in parts if part.split()[0] not in named)]
            broader[setting] = parts
            name = f"{prefix}{each}"
            fields = [f"use {setting} {self.random.choice(SETTINGS[setting][1])}", 'because "r"', when(parts)]
            fields += [s for s in [self.strength()] if s]
            fields += [f"exception to {other}" for other in self.named[setting] if self.chance(0.12)]
            self.named[setting].append(name)
            source = self.random.choice(SOURCES)
            found.append(f'rule {name} of {source} at "R" {{ {"; ".join(fields)}; }}')
        return found

    def tables(self) -> list[str]:
        """Perhaps a table across the goals."""
        if self.chance(0.5):
            return []
        settings = self.random.sample(sorted(SETTINGS), 2)
        only = [
            self.condition(name, FACTS[name])
            for name in self.random.sample(("model", "site"), self.random.choice((0, 1)))
        ]
        rows = []
        for setting in settings:
            cells = [self.random.choice((*SETTINGS[setting][1], "_")) for _ in range(2)]
            more = self.random.choice(
                ("", "", f" strength {self.random.choice(('measured', 'practice', 'test-first'))}")
            )
            more += when([self.condition("fans", FACTS["fans"])], " if") if self.chance(0.3) else ""
            rows.append(f"{setting} {' '.join(cells)}{more};")
        source = self.random.choice(SOURCES)
        return [f'table "Table 1" of {source} {when(only)} {{ goal fast cool or calm; {" ".join(rows)} }}']

    def constraints(self) -> list[str]:
        """Up to three constraints on one or two settings; some say that firmware locks the required one."""
        found = []
        for number in range(self.random.choice((0, 1, 1, 2, 3))):
            parts = self.conditions(tuple(SETTINGS), least=1)
            others = sorted({*SETTINGS} - {part.split()[0] for part in parts})
            other = self.random.choice(others)
            body = f"require {self.condition(other, SETTINGS[other][1])}"
            on_settings = [part for part in parts if part.split()[0] in SETTINGS]
            if self.chance(0.5) and on_settings:
                body = "forbid"
            elif len(on_settings) == 1:
                body = self.random.choice((body, f"{body}; locked", f"require {other} any; kept"))
            found.append(f'constraint k{number} of old at "K" {{ {when(parts)}; {body}; because "k"; }}')
        return found

    def mutual(self) -> list[str]:
        """Perhaps two settings that lock each other."""
        if self.chance(0.6):
            return []
        names = self.random.sample(("a", "b", "e"), 2)
        one, other = (f"{name} {self.random.choice(SETTINGS[name][1])}" for name in names)
        not_one, not_other = (" not ".join(each.split()) for each in (one, other))
        bodies = (f"when {one}; require {other}; kept", f"when {not_other}; require {not_one}; locked")
        return [f'constraint m{n} of old at "K" {{ {body}; because "k"; }}' for n, body in enumerate(bodies)]

    def need(self) -> list[str]:
        """Perhaps a value of the effect that must not be."""
        if self.chance(0.5):
            return []
        name, values = EFFECT
        required = f"require {name} not {self.random.choice(values)}"
        return [
            f'constraint need of old at "K" {{ {when(self.conditions(least=1))}; {required}; because "k"; }}'
        ]

    def standing(self) -> list[str]:
        """Perhaps a profile of the operating system, which sets some of its settings at first, or rarely fixes one."""
        if self.chance(0.5):
            return []
        members = self.random.sample(("d", "n", "cpus"), self.random.randint(1, 3))
        columns = self.random.sample(("plain", "lean", "quick"), self.random.randint(1, 3))

        def cell(name: str) -> str:
            value = self.random.choice(SETTINGS[name][1])
            found = self.random.choice((f"initially {value}", f"initially {value}", "free", "_"))
            return value if self.chance(0.05) else found

        rows = [f"{name} {' '.join(cell(name) for _ in columns)};" for name in members]
        default = self.random.choice(("plain", "unknown"))
        return [
            'setting base { title "S"; layer os; values plain, lean, quick; }',
            f'options of old {{ base plain, lean, quick default {default} at "Offer"; }}',
            f'preset "Bases" of old {{ base {" ".join(columns)}; {" ".join(rows)} }}',
        ]

    def action(self) -> list[str]:
        """Perhaps a one-time action, with what it needs or excludes, and a hazard of it."""
        if self.chance(0.5):
            return []
        other = self.random.choice(sorted(SETTINGS))
        needed = self.condition(other, SETTINGS[other][1])
        fixed = self.condition(other, SETTINGS[other][1])
        about = self.random.choice(
            (
                f"when reset not none; require {needed}",
                f"{when([needed])}; require reset {self.random.choice(('none', 'none or some', 'all'))}",
                f"when reset {self.random.choice(('all', 'some or all', 'none'))}, {needed}; forbid",
            )
        )
        only = when(self.conditions(least=0, most=1), " if")
        return [
            'setting reset { title "S"; layer firmware; values some, none, all; once; }',
            f'options of old {{ reset none, some, all default none at "Offer"{only}; }}',
            f'constraint reset-needs of old at "K" {{ {about}; because "k"; }}',
            f'hazard reset-harms of old at "H" {{ when goal fast, reset all, {fixed}; because "h"; }}',
        ]

    def effects(self) -> list[str]:
        """An effect, and hazards on it, on settings and on facts."""
        name, values = EFFECT
        cases = " ".join(
            f"case {self.random.choice(values)} {when(self.conditions(tuple(SETTINGS), least=1))};"
            for _ in range(2)
        )
        otherwise = f" otherwise {self.random.choice(values)};" if self.chance(0.8) else ""
        found = [
            f'effect {name} of old at "E" {{ title "E"; values {", ".join(values)}; {cases}{otherwise} }}'
        ]
        for number in range(self.random.randint(0, 3)):
            parts = self.conditions(tuple(SETTINGS), least=1)
            parts += [f"{name} {self.random.choice(values)}"] if self.chance(0.4) else []
            severity = self.random.choice(("", "severity warning;", "severity error;"))
            source = self.random.choice(SOURCES)
            found.append(f'hazard h{number} of {source} at "H" {{ {when(parts)}; because "h"; {severity} }}')
        return found

    def assumptions(self) -> list[str]:
        """Up to three assumed facts."""
        found = []
        for _ in range(self.random.choice((0, 1, 2, 3))):
            fact = self.random.choice([name for name in FACTS if name != "goal"])
            parts = [
                self.condition(name, FACTS[name])
                for name in self.random.sample([*FACTS], self.random.choice((0, 1, 1, 2)))
            ]
            found.append(f'assume {fact} {self.random.choice(FACTS[fact])} {when(parts)} because "usual";')
        return found
