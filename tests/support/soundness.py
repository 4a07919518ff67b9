"""What is true of each plan of which the library alone decides the values, however its server and its work are called.

Each rule here is independent of what the compiler and the statements of the library do for it: which values limit idle
states, what takes the IOMMU away and how CPUs are numbered is written here again, from the kernel's sources and the
makers' manuals.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from math import ceil, log2
from typing import NamedTuple

from setpoint.compiler.knowledge.model import Constraint, Knowledge, Rule
from setpoint.compiler.plan.model import ArisingHazard, Decision, Plan
from support.sweep import cores

IDLE_LIMITS = {
    "c-states": {"off", "c1e"},
    "c1e": {"off"},
    "monitor-mwait": {"off"},
    "package-c-state-limit": {"c0-c1", "c2"},
    "data-fabric-c-states": {"off"},
    "intel-idle": {"off"},
    "acpi-idle-limit": {"c1"},
    "idle-poll": {"on"},
}
"""The values that keep idle cores, their package or its fabric from sleeping deeply. Any bound of `force-latency`
does."""

SPARING = ("balanced", "efficiency")
"""The goals under which servers that idle are to save power."""

VFIO = {"nfv", "dpdk", "ran", "flexran"}
"""Work that drives network cards by VFIO (dpdk-linux-guide, the telco profiles of OpenShift)."""

GUESTS = {"virtualized", "vdi", "azure-stack"}

LAST = 255
"""The number that Linux does not use without x2APIC. Two Xeons with 64 cores have a single CPU with it, and none above
(linux/needs.tune)."""

INTELS = re.compile(r"intel[-_ ]|IA32_|MSR_|VT-d|QPI|UPI|SpeedStep|Hyper-?Threading|Sub[- ]?NUMA", re.I)
"""Intel's drivers, registers and features, by name."""

AMDS = re.compile(r"amd[-_ ]|AMD|SVM|xGMI|APBDIS|CCX|CCD|Infinity Fabric|NPS[0-9]|\bSMT Control", re.I)
"""AMD's drivers, registers and features, by name."""


class Fault(NamedTuple):
    """Something that is not true of a plan. `kind` is one of the checks, `what` the hazard or setting, `why` who says
    so."""

    kind: str
    what: str
    why: str


class Soundness:
    """Finds what is wrong with plans of a knowledge base."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    def faults(self, plan: Plan) -> Iterator[Fault]:
        """What is not true of a plan, with the statement that is responsible."""
        yield from self._warnings(plan)
        yield from self._idle_limits(plan)
        yield from self._needs(plan)
        yield from self._foreign_words(plan)
        yield from self._unasked(plan)

    # ---------------------------------------------------------------------- no plan warns of its own advice

    def _warnings(self, plan: Plan) -> Iterator[Fault]:
        for hazard in plan.hazards:
            advised = [d for d in self._behind(plan, hazard) if is_advised(d)]
            if advised and not self._knowledge.hazards[hazard.hazard].asks:
                yield Fault("warns of its own advice", hazard.hazard, ", ".join(map(advice, advised)))

    def _behind(self, plan: Plan, hazard: ArisingHazard) -> Iterator[Decision]:
        """The decisions on the settings that the condition of a hazard names, by itself or in an effect."""
        for name, _ in self._knowledge.hazards[hazard.hazard].when:
            effect = self._knowledge.effects.get(name)
            names = [n for _, box in effect.cases for n, _ in box] if effect else [name]
            yield from filter(None, map(plan.setting, dict.fromkeys(names)))

    # --------------------------------------------------------------- nothing limits idle states unless asked

    def _idle_limits(self, plan: Plan) -> Iterator[Fault]:
        goal = plan.fact("goal")
        if goal not in SPARING:
            return
        limits = [d for d in plan.settings if limits_idle(d)]
        asked = {d.setting for d in limits if any(self._is_for(rule, goal) for rule in self._rules(d))}
        for decision in limits:
            follows = any(name in asked for rule in self._rules(decision) for name, _ in rule.when)
            if decision.setting not in asked and not follows:
                yield Fault(f"limits idle states under {goal}", decision.setting, advice(decision))

    def _rules(self, decision: Decision) -> list[Rule]:
        return [self._by_name[cause.name] for cause in decision.because if cause.name in self._by_name]

    @cached_property
    def _by_name(self) -> dict[str, Rule]:
        return {rule.name: rule for rule in self._knowledge.rules}

    def _is_for(self, rule: Rule, goal: str) -> bool:
        """Whether a rule is for a goal, and not for all."""
        goals = self._knowledge.variables["goal"]
        return any(
            name == "goal" and mask & goals.bit(goal) and mask & goals.everything != goals.everything
            for name, mask in rule.when
        )

    # --------------------------------------------------------------------------- nothing takes a need away

    def _needs(self, plan: Plan) -> Iterator[Fault]:
        gone = dict(_taken(plan))
        workload, goal = plan.fact("workload"), plan.fact("goal")
        telco = workload in VFIO or (workload == "kubernetes-node" and goal == "latency")
        if telco or plan.fact("device-access") == "vfio":
            yield from (
                Fault("unmet need", "devices by VFIO", gone[n]) for n in ("translation",) if n in gone
            )
        if workload in GUESTS and plan.value("virtualization") == "off":
            yield Fault("unmet need", "guests", "virtualization off")
        if highest_number(self._knowledge, plan) > LAST:
            yield from (
                Fault("unmet need", "CPUs above number 255", gone[n]) for n in ("remapping",) if n in gone
            )

    # ------------------------------------------------------------------ nothing of the other maker's processors

    def _foreign_words(self, plan: Plan) -> Iterator[Fault]:
        foreign = {"amd": INTELS, "intel": AMDS}.get(plan.fact("cpu-vendor"))
        if foreign is None:
            return
        for decision in plan.settings:
            for text in (decision.setting, decision.label, *_spelled(decision)):
                if foreign.search(text):
                    yield Fault(
                        f"names the other maker's on {plan.fact('cpu-vendor')}", decision.setting, text
                    )
        for hazard in plan.hazards:
            for text in (hazard.hazard, hazard.what, hazard.help, hazard.condition):
                if foreign.search(text):
                    yield Fault(f"names the other maker's on {plan.fact('cpu-vendor')}", hazard.hazard, text)

    # --------------------------------------------------------------------------- nothing is written unasked

    def _unasked(self, plan: Plan) -> Iterator[Fault]:
        reached = {d.setting for d in plan.settings if d.cause.kind == "set" or is_advised(d)}
        waiting = {d.setting: d for d in plan.settings if d.setting not in reached}
        while more := {name for name, d in waiting.items() if self._is_led_to(plan, d, reached)}:
            reached |= more
            waiting = {name: d for name, d in waiting.items() if name not in more}
        yield from (Fault("written unasked", name, advice(d)) for name, d in waiting.items() if d.written)

    def _is_led_to(self, plan: Plan, decision: Decision, reached: set[str]) -> bool:
        """Whether a value follows from one of these settings, which are asked for: by a constraint, a lock or a
        profile."""
        name, noted = decision.setting, {note.kind for note in decision.notes}
        for constraint in self._constraints.get(name, ()):
            if decision.cause.name == constraint.name or "required" in noted:
                others = _named(constraint) & {d.setting for d in plan.settings} - {name}
                if not others or others & reached:
                    return True
        opened = (d for d in plan.settings if any(lock.setting == name for lock in d.locks))
        members = (d for d in plan.settings if d.setting in decision.governs)
        governors = (d for d in plan.settings if name in d.governs and d.value != d.default)
        ways = ((opened, "opens" in noted), (members, True), (governors, True))
        return any(d.setting in reached for way, is_open in ways if is_open for d in way)

    @cached_property
    def _constraints(self) -> dict[str, list[Constraint]]:
        """The constraints by the settings that they name."""
        by_name: dict[str, list[Constraint]] = {}
        for constraint in self._knowledge.constraints:
            for name in _named(constraint):
                by_name.setdefault(name, []).append(constraint)
        return by_name


def is_advised(decision: Decision) -> bool:
    """Whether a recommendation decided a value, by itself or by its profile."""
    return any(cause.strength for cause in decision.because)


def advice(decision: Decision) -> str:
    """A value, and the statement that decided it."""
    return f"{decision.setting} {decision.value} ({decision.cause.name or decision.cause.because}, {decision.cause.source})"


def limits_idle(decision: Decision) -> bool:
    """Whether a plan has a server's idle states limited by this value."""
    is_limit = decision.value in IDLE_LIMITS.get(decision.setting, ())
    is_bound = decision.setting == "force-latency" and decision.value != "none"
    return (is_limit or is_bound) and (decision.written or decision.is_set_by_profile)


def _named(constraint: Constraint) -> set[str]:
    """The settings and facts that a constraint names."""
    return {name for name, _ in constraint.when} | ({constraint.require[0]} if constraint.require else set())


def _spelled(decision: Decision) -> Iterator[str]:
    for spelled in decision.spelled if decision.written else ():
        yield from (*spelled.names, spelled.text or "")


def _taken(plan: Plan) -> Iterator[tuple[str, str]]:
    """What the values of a plan take away of the IOMMU: the translation of what devices do, and the remapping of
    interrupts."""
    is_amd = plan.fact("cpu-vendor") == "amd"
    if plan.value("iommu") == "off":
        yield "translation", "iommu off"
        yield "remapping", "iommu off"
    if plan.fact("vendor") == "dell" and not is_amd and plan.value("virtualization") == "off":
        yield "translation", "virtualization off"
        yield "remapping", "virtualization off"
    if plan.value("intel-iommu") == "off" and not is_amd:
        yield "translation", "intel-iommu off"
    for name in ("interrupt-remapping", "x2apic"):
        if plan.value(name) == "off":
            yield "remapping", f"{name} off"


def highest_number(knowledge: Knowledge, plan: Plan) -> int:
    """The highest number that a CPU's APIC has at least: each socket, core and thread begins at a power of two. 0 if
    unknown."""
    number = cores(knowledge.values["cpu"][plan.fact("cpu")]) if plan.fact("cpu") else 0
    sockets = plan.fact("sockets")
    if not number or not sockets:
        return 0
    threads = 2 if plan.value("smt") in ("on", "auto") else 1
    thread_bits = ceil(log2(number)) + threads - 1
    return ((int(sockets) - 1) << thread_bits) + number * threads - 1
