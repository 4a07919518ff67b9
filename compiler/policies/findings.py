"""Findings as a run shows them: each once, with commands that can be pasted.

A plan is made without knowing what its policy is called on a command line, and of many plans each has its own findings.
What several have in common is one finding for the reader of the run: the first stands for all, and names the other
places.
"""

import os
import re
from collections.abc import Iterable, Iterator

from setpoint.compiler.binding.levels import Subject
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, Label
from setpoint.compiler.language.program import INLINE, Program
from setpoint.compiler.language.syntax import Policy
from setpoint.compiler.resolution.advisories import EXPLAIN

COMMAND = EXPLAIN.rpartition(" ")[0]

OF_A_GROUP = re.compile(rf"(?<=`{COMMAND} )((?:--policy \S+ )?)--group (?:'[^']*'|\S+) ")
"""How a command names a group."""

MOST_PLACES = 5
"""How many further places of a finding are shown."""

MOST_OF_A_TEXT = 300
"""How long a policy given as a text may be to be repeated in a command."""


def policy_words(program: Program, subject: Subject) -> str:
    """The words that name a subject on a command line: `--group web fleet.tune`. Options come first."""
    from shlex import quote  # only wanted where something is shown

    words = ["--policy", subject.policy] if any(isinstance(s, Policy) for s in program.body) else []
    words += ["--group", subject.group] if subject.group else []
    words += ["--host", subject.host] if subject.host else []
    if program.root and program.root != (os.path.dirname(program.path) or "."):
        words += ["--root", program.root]
    if program.path:
        words.append(os.path.join(".", program.path) if program.path.startswith("-") else program.path)
    else:
        text = program.sources.get(INLINE, "")
        words += ["-e", " ".join(text.split())] if len(text) <= MOST_OF_A_TEXT and "#" not in text else ["-"]
    return " ".join(map(quote, words))


def pasteable(text: str, words: str) -> str:
    """A text in which commands name the policy by these words."""
    return text.replace(f"`{EXPLAIN} ", f"`{COMMAND} {words} ")


def with_commands(findings: Iterable[Diagnostic], program: Program, subject: Subject) -> Iterator[Diagnostic]:
    """The findings of a subject, with commands that can be pasted."""
    words = ""
    for finding in findings:
        if any(EXPLAIN in text for text in finding.help):
            words = words or policy_words(program, subject)
            yield finding._replace(help=tuple(pasteable(text, words) for text in finding.help))
        else:
            yield finding


def with_inventory(finding: Diagnostic, name: str) -> Diagnostic:
    """A finding on the hosts of an inventory, which its commands name in place of a group: it has the facts."""
    if not any(COMMAND in text for text in finding.help):
        return finding
    from shlex import quote  # only wanted where something is shown

    def on_hosts(match: re.Match[str]) -> str:
        return f"`{COMMAND} {match[1]} --inventory {quote(name)}`"

    command = rf"`{COMMAND} ([^`]+)`"
    return finding._replace(
        help=tuple(re.sub(command, on_hosts, OF_A_GROUP.sub(r"\1", text)) for text in finding.help)
    )


def once(findings: Iterable[Diagnostic]) -> Diagnostics:
    """Findings of a run, in the order of the text. Warnings that differ only in their places are one, with all places.

    Commands in their help may differ, too: those of the first stay.
    """
    alike: dict[object, list[Diagnostic]] = {}
    for finding in Diagnostics.of(findings):
        is_alone = finding.severity == "error"
        help_ = tuple(text for text in finding.help if COMMAND not in text)
        key = finding if is_alone else (finding.code, finding.message, finding.notes, help_)
        alike.setdefault(key, []).append(finding)
    return Diagnostics.of(_together(group) for group in alike.values())


def _together(findings: list[Diagnostic]) -> Diagnostic:
    first, *rest = findings
    places = list(dict.fromkeys(finding.at for finding in rest if finding.at != first.at))
    if not places:
        return first
    labels = (Label(at, "here, too") for at in places[:MOST_PLACES])
    more = len(places) - MOST_PLACES
    notes = (f"and in {more} more place{'s' * (more > 1)}",) if more > 0 else ()
    return first._replace(others=(*first.others, *labels), notes=(*first.notes, *notes))
