"""Captured registries against the audit: what a server has, it does not deny, and what a server locks, it tells."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Set
from itertools import islice, zip_longest

import pytest

from audit import audited
from registries.servers import SERVERS, T630
from registries.test_reading import registry
from setpoint.compiler.entries.makers import texts_of_nothing
from setpoint.compiler.registries.model import HIDDEN, READ_ONLY, Attribute, Scalar
from setpoint.compiler.registries.state import state
from support.machines import Machine

MAKERS = {
    "dell": "vendor dell",
    "hpe": "vendor hpe",
    "lenovo": "vendor lenovo",
    "supermicro": "vendor supermicro",
}
WITH_REGISTRY = tuple(machine for machine in SERVERS if machine is not T630)
DENIALS = {"W0913", "E0902", "E0907"}
SLIPPED = {"E0902", "W0913"}
TOLD = {"W0905", "W0908", "E0906", "E0301", "E0401"}
MOST_TEXTS = 20  # of each attribute; only time zones have more


def texts_of(machine: Machine) -> dict[str, list[str]]:
    """The texts that each attribute takes; of numbers the least, of others any. What a server hides whatever is set is
    not its own: a registry can have it for all servers of a maker."""
    shown = filter(is_shown, registry(machine.capture).attributes.values())
    return {
        attribute.name: [choice.text for choice in attribute.choices] or [str(attribute.bounds[0] or 0)]
        for attribute in shown
    }


@pytest.mark.alike
@pytest.mark.parametrize("known", ["model", "maker"])
@pytest.mark.parametrize("machine", WITH_REGISTRY, ids=str)
def test_no_name_or_text_of_a_registry_is_denied(machine: Machine, known: str) -> None:
    facts = {"model": machine.facts, "maker": MAKERS[machine.capture.partition("-")[0]]}
    taken = texts_of(machine)
    for texts in islice(zip_longest(*taken.values()), MOST_TEXTS):
        attributes = {name: text for name, text in zip(taken, texts, strict=True) if text is not None}
        found = audited(json.dumps({"Attributes": attributes}, indent=1), server=facts[known])
        assert [finding.message for finding in found.findings if finding.code in DENIALS] == []


NOT_TOLD = """
SecureBoot     | BootMode, ForceInt10   | what it locks is what it needs, so that both are written together
NvmeMode       | BootMode               | the same
IntelTxt       | LogicalProc, ProcCores | the same
MicrosoftSecuredCoreSupport | BootMode, EnabledCoresPerProc, TpmModeSwitchOperation, TpmVisibility, UefiOptimizedBoot | the same
PasswordStatus | SHA256SystemPassword, SHA256SystemPasswordSalt, SysPassword | it shows a state, which a list has by mistake
"""
"""What a registry makes read-only and an audit does not tell, by what locks it, with the reason."""


def kept_silent() -> set[tuple[str, str]]:
    """What is not told, each with what locks it."""
    rows = ([part.strip() for part in row.split("|")] for row in NOT_TOLD.strip().split("\n"))
    return {(cause, name) for cause, names, _ in rows for name in names.split(", ")}


def wishes_beside(machine: Machine, cause: str, text: Scalar) -> dict[str, str]:
    """What an attribute with a text alone makes read-only, each with a text that somebody would wish: one that does not
    turn it off."""
    described, beside = registry(machine.capture), {}
    for name, locked in state(described, {cause: text}).items():
        attribute = described.attributes.get(name)
        changes = {d.changes for d in described.dependencies if d.attribute == name and d.to is True}
        if attribute is None or READ_ONLY not in locked.flags & changes or not is_shown(attribute, changes):
            continue
        texts = [choice.text for choice in attribute.choices if choice.text not in texts_of_nothing()]
        if texts or not attribute.choices:
            beside[name] = (texts or [str(attribute.bounds[0] or 0)])[-1]
    return beside


def is_shown(attribute: Attribute, changes: Set[str] = frozenset()) -> bool:
    """Whether a server has an attribute: a registry can have what no server of this model ever shows."""
    return HIDDEN not in attribute.flags - changes


def locking() -> Iterator[tuple[Machine, str]]:
    """Each attribute of a registry on which locks of others depend."""
    for machine in WITH_REGISTRY:
        described = registry(machine.capture)
        locks = [d for d in described.dependencies if d.changes == READ_ONLY]
        causes = {c.attribute for d in locks for c in d.conditions} & described.attributes.keys()
        yield from ((machine, cause) for cause in sorted(causes))


@pytest.mark.alike
@pytest.mark.parametrize(("machine", "cause"), list(locking()), ids=str)
def test_what_a_registry_makes_read_only_is_told(machine: Machine, cause: str) -> None:
    silent = {name for by, name in kept_silent() if by == cause}
    for choice in registry(machine.capture).attributes[cause].choices:
        beside = wishes_beside(machine, cause, choice.text)
        beside = {name: text for name, text in beside.items() if name not in silent | {cause}}
        text = json.dumps({"Attributes": {cause: choice.text, **beside}}, indent=1)
        found = audited(text, server=machine.facts).findings
        told = {span.line for f in found if f.code in TOLD for span in (f.at, *(o.span for o in f.others))}
        assert [name for line, name in enumerate(beside, 4) if line not in told] == []


EVERY = 12
"""Of how many names one is written with a slip. All of them take minutes."""

SLIPS: dict[str, Callable[[str], str]] = {
    "in small letters": str.lower,
    "with hyphens": lambda name: re.sub(
        r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name
    ).lower(),
    "a letter twice": lambda name: name[:4] + name[3:],
    "a letter left out": lambda name: name[:3] + name[4:],
}
"""What people write in place of a name."""

OF_SEVERAL_REGISTRIES = [m for m in WITH_REGISTRY if m.capture.startswith(("dell", "hpe"))]
"""Those of makers that have named an attribute alike on servers of several generations: for others a name that nobody
has heard can be right."""


def passed_over(wrong: dict[str, str], machine: Machine) -> list[str]:
    """The names of a list for a server that nothing is said of, beside as many that are right."""
    taken = {name: texts[-1] for name, texts in texts_of(machine).items() if name not in wrong}
    text = json.dumps({"Attributes": {**wrong, **dict(islice(taken.items(), len(wrong) + 1))}}, indent=1)
    findings = audited(text, server=machine.facts).findings
    told = {finding.at.line for finding in findings if finding.code in SLIPPED}
    return [name for line, name in enumerate(wrong, 3) if line not in told]


@pytest.mark.alike
@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("machine", OF_SEVERAL_REGISTRIES, ids=str)
def test_a_slip_in_a_name_is_told(machine: Machine, slip: str) -> None:
    taken = texts_of(machine)
    written = {SLIPS[slip](name): texts[-1] for name, texts in [*taken.items()][::EVERY]}
    assert passed_over({name: text for name, text in written.items() if name not in taken}, machine) == []


UNBOUNDED = {
    "CurrentLimit": "a limit of the power supplies of one model",
    "EnabledCoresPerProc": "as many cores as the processor has",
    **dict.fromkeys(["ProcRapl", "DramRapl", "PcuPMax", "PackagePowerLimitValue"], "power of a processor"),
    **dict.fromkeys(["ProcAmdFmax", "MinimumSevAsid"], "of a processor as well"),
    **dict.fromkeys(["PreferredIOBusNumber", "SnoopResponseHoldOff"], "of one registry alone"),
}
"""The numbers of which no bounds are told, and why."""


@pytest.mark.alike
@pytest.mark.parametrize("step", [-1, 1])
@pytest.mark.parametrize("machine", OF_SEVERAL_REGISTRIES, ids=str)
def test_a_number_beyond_its_bounds_is_told(machine: Machine, step: int) -> None:
    shown = [
        a for a in registry(machine.capture).attributes.values() if is_shown(a) and READ_ONLY not in a.flags
    ]
    bounds = {a.name: a.bounds[step > 0] for a in shown if not a.choices and a.name not in UNBOUNDED}
    beyond = {name: str(int(bound) + step) for name, bound in bounds.items() if bound is not None}
    assert passed_over(beyond, machine) == []
