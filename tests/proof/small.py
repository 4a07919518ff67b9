"""A small knowledge base, for the findings of a check in it."""

from collections.abc import Iterable

from setpoint.compiler.diagnostics import Diagnostic
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.results import Proof
from setpoint.compiler.language.parse import parse
from setpoint.compiler.proof.prove import prove

BASE = """
fact goal { title "Goal"; role intent; required; values fast, cool; }
fact model { title "Model"; values m1, m2; }
fact rack { title "Rack"; values front, back; }
source paper { title "Paper"; publisher "P"; }
setting boost { title "Boost"; layer firmware; values on, off; }
setting fans { title "Fans"; layer firmware; values low, mid, high; }
setting mode { title "Mode"; layer os; values a, b, c; }
options of paper {
    boost on, off default on at "Menu";
    fans low, mid, high default low at "Menu";
    mode a, b, c default a at "Menu";
}
"""


FIRST = BASE.count("\n") + 2
"""The line of the first statement that is added to the base; each has a line of its own."""


def knowledge(*statements: str, base: str = BASE) -> Knowledge:
    """The small knowledge base with these statements."""
    tree = parse(SourceText("small.tune", "\n".join([base, *statements])))
    return build([LayeredFile(tree, "stdlib")])


def with_site(library: Iterable[str], site: Iterable[str]) -> Proof:
    """The result of the checks if a site adds its statements to those of a library."""
    texts = SourceText("small.tune", "\n".join([BASE, *library])), SourceText("site.tune", "\n".join(site))
    layered = zip(map(parse, texts), ("stdlib", "site"), strict=True)
    return prove(build(LayeredFile(tree, layer) for tree, layer in layered))


def rule(name: str, use: str, when: str, more: str = "", source: str = "paper") -> str:
    """A rule, with what does not matter here filled in: the goal, and the figure behind one that is measured."""
    every = "" if "goal" in when else ", goal any"
    figure = f'measurement {name} of {source} at "Table 1" {{ hold {use}; }}' if "measured" in more else ""
    body = f'when {when}{every}; use {use}; {more} because "the paper says so";'
    return f'rule {name} of {source} at "Table 1" {{ {body} }} {figure}'


def constraint(name: str, when: str, body: str) -> str:
    """A constraint, with what does not matter here filled in."""
    return f'constraint {name} of paper at "Note" {{ when {when}; {body}; because "the hardware refuses"; }}'


def hazard(name: str, when: str, more: str = "") -> str:
    """A hazard, with what does not matter here filled in."""
    return f'hazard {name} of paper at "Figure 1" {{ when {when}; {more} because "it defeats the goal"; }}'


def findings(*statements: str, base: str = BASE) -> list[Diagnostic]:
    """What the checks find in the small knowledge base with these statements."""
    return list(prove(knowledge(*statements, base=base)).findings)


def example(finding: Diagnostic) -> str:
    """The policy that a finding shows."""
    (text,) = (
        note.removeprefix("for example: ") for note in finding.notes if note.startswith("for example: ")
    )
    return text
