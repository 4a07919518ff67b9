"""Random policies for any knowledge base."""

from collections.abc import Mapping
from random import Random

from meaning.advice import STRENGTHS
from meaning.knowledge import Knowledge
from meaning.plan import Policy

PER_CONTEXT = 16
"""Policies with the same facts, since much depends on the facts alone."""

MOST_SETS = (0, 1, 1, 2, 2, 3, 4)


Offered = Mapping[str, tuple[str, ...]]


def facts(knowledge: Knowledge, random: Random, servers: tuple[str, ...] = ()) -> dict[str, str]:
    """Facts that a policy states.

    Any value of a fact can be stated, a model as well as a wider value; the facts may contradict each other. One of the
    facts in `servers` is always stated, the others rarely, since few servers match two of them.
    """
    found = {}
    stated = random.choice(servers) if servers else ""
    often = random.choice((0.1, 0.1, 0.3, 0.6))
    for name, values in sorted(knowledge.facts.items()):
        share = 0.1 if name in servers else often
        if name in ("goal", stated) or random.random() < share:
            found[name] = random.choice(sorted(values))
    return found


def policies(knowledge: Knowledge, random: Random, stated: dict[str, str], offered: Offered) -> list[Policy]:
    """Random policies that state the same facts. Most `set`s are of offered values, some of any value."""
    anything = {name: setting.values for name, setting in knowledge.settings.items()}
    return [
        statements(knowledge, random, stated, offered if offered and random.random() < 0.9 else anything)
        for _ in range(PER_CONTEXT)
    ]


def statements(knowledge: Knowledge, random: Random, stated: dict[str, str], offered: Offered) -> Policy:
    """A policy on these facts with up to four `set`s."""
    names = sorted(offered)
    chosen = random.sample(names, min(random.choice(MOST_SETS), len(names)))
    sets = {name: drawn(knowledge, random, name, random.choice(offered[name])) for name in chosen}
    hazards = sorted(knowledge.hazards)
    accepted = random.sample(hazards, 1) if hazards and random.random() < 0.1 else []
    required = random.choice(STRENGTHS) if random.random() < 0.2 else STRENGTHS[0]
    return Policy(stated, sets, frozenset(accepted), random.random() < 0.25, required)


def drawn(knowledge: Knowledge, random: Random, setting: str, value: str) -> str:
    """A value that a policy can set, for one of the domain: any of the numbers that it stands for."""
    scale = knowledge.scales.get(setting)
    return scale.any_of(random, value) if scale else value


def text(policy: Policy) -> str:
    """A policy to paste."""
    return " ".join(
        (
            *(f"{name} {value};" for name, value in sorted(policy.facts.items())),
            *(f'set {name} {value} because "drawn";' for name, value in sorted(policy.sets.items())),
            *(f'accept {name} because "drawn";' for name in sorted(policy.accepts)),
            *(["manage all;"] if policy.manage else []),
            *(
                [f'require strength {policy.required} because "drawn";']
                if policy.required != STRENGTHS[0]
                else []
            ),
        )
    )
