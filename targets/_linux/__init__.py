"""What the targets for Linux share: data beside the code, templates, and the reason of a value as a comment.

How a release spells a setting is data: TOML beside the code that reads it, with tables by OS. A plan
names its OS as far as it knows it, so a table holds for all that lies within its OS, and the nearest
one counts: `nearest(table, ("slc-5", "rhel-5", "linux"))`.
"""

import os
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from setpoint.compiler.plan import Decision, Plan
from setpoint.compiler.render.words import reason_of
from setpoint.compiler.target import cite, one_line

Value = TypeVar("Value")


@cache
def spelling(folder: str, name: str = "spelling.toml") -> dict[str, Any]:
    """The data of the package in `folder` (its `__path__[0]`)."""
    with open(os.path.join(folder, name), "rb") as file:
        return tomllib.load(file)


def nearest(table: Mapping[str, Value], lineage: Iterable[str]) -> Value | None:
    """The entry for the first of the names that has one."""
    return next((table[name] for name in lineage if name in table), None)


def reason(plan: Plan, decision: Decision) -> str:
    """The value and why, for a comment of one line: `Swappiness: 10 (tuned-profiles, [sysctl] vm.swappiness)`.

    It never ends with a character that a policy or a source wrote: a reader that takes a backslash at the end of
    a line for a continuation (ktune's does, in comments too) finds none.
    """
    why = reason_of(decision.because[0])
    text = f"{decision.title}: {decision.value}" + (f"; {why}" if why else "")
    return f"{one_line(text)} ({cite(plan, decision.setting)})"


@cache
def _environment(folder: str) -> Environment:
    # Shell and INI, no HTML: there is nothing to escape but what the models' patterns have let through.
    return Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )


def render(folder: str, template: str, **values: object) -> str:
    """A template of the package in `folder`, with `values`."""
    return _environment(folder).get_template(template).render(values)
