"""The policy that a captured host fulfils: what it is, and a `set` for each value that it shows.

A small and plain counterpart of verification: it reads a value where verification compares one, so that an unmutated
host has to be as planned. Settings that nothing shows stay as the library advises; the boot line has none of the
advised arguments, so each is set to its default.
"""

from functools import cache
from typing import NamedTuple

from setpoint.compiler.captures.model import Capture
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.pipeline import planned, read_text
from setpoint.compiler.plan.model import Decision, Plan
from setpoint.compiler.verification.host import Host
from setpoint.compiler.verification.observed import observed_setting, shown_values
from setpoint.compiler.verification.questions import PlanQuestions, plan_bits, questions
from setpoint.compiler.verification.texts import shown
from verification.hosts import captured

SERVERS = {
    "bdwde0": "",
    "bdwep0": "platform r730;",
    "bdwex0-nocpuidle": "sockets 4;",
    "bdwup0": "",
    "clx2s0": "platform r740;",
    "clx4s0": "platform thinksystem-v1; sockets 4;",
    "clxap1": "platform r740; cpu cascade-lake;",
    "cpx0": "",
    "cwf0": "",
    "dnv0": "",
    "emr0": "platform r760;",
    "emr9": "platform r760;",
    "genoa0": "platform r7625;",
    "gnr0": "platform r770;",
    "gnr3": "platform ucs-m8-intel; cpu granite-rapids;",
    "gnrd0": "cpu granite-rapids; sockets 1;",
    "hswep0": "platform r730;",
    "hswex0": "sockets 4;",
    "icx2s0": "platform r750;",
    "icx2s3": "platform r650;",
    "icxd0": "",
    "ivbep1": "platform r720;",
    "knl0": "",
    "knm0-n0": "",
    "mhl0": "",
    "milan0": "platform dl385-gen10-plus-v2;",
    "rome0": "platform ucs-m6-amd;",
    "skld0": "",
    "sklep0": "platform r740;",
    "snr0": "",
    "spr-nomwait": "",
    "spr1": "platform r860; sockets 4;",
    "srf2": "platform r770;",
    "srf8": "platform r670;",
    "turin0": "platform ucs-m8-amd;",
}
"""A server of the library with the processors of each host; none where the library has no server with them. The hosts
are development systems of makers of processors, of which nothing else is known."""


class FoundHost(NamedTuple):
    """A host, the plan that it fulfils, and the settings whose value it shows."""

    capture: Capture
    plan: Plan
    asked: PlanQuestions
    seen: frozenset[str]


@cache
def found_host(name: str) -> FoundHost:
    """A host with its plan."""
    capture = captured(name)
    assert capture.host is not None
    host = Host(capture.host)
    server = SERVERS[name]
    model = "" if "cpu " in server else f'cpu "{_model(capture)}";'
    sockets = "" if "sockets" in server else f"sockets {_packages(capture)};"
    head = f"goal latency; {model} {server} {sockets} os debian 13;"
    first = _plan(head)
    bits = plan_bits(first, standard())
    sets = {d.setting: v for d in first.settings if (v := _value(host, d, bits))}
    seen = frozenset(sets)
    sets |= {d.setting: _default(d) for d in first.settings if d.layer == "boot"}
    while True:
        text = head + "".join(f' set {name} {value} because "found";' for name, value in sorted(sets.items()))
        program = read_text(text)
        (done,) = planned(program, standard())
        if done.plan is not None:
            break
        wrong = {
            name
            for name in sets
            for d in done.findings.errors
            if f"`{name} " in d.message or f"`{name}`" in d.message
        }
        wrong |= {
            name
            for name in sets
            for d in done.findings.errors
            for one in (d.at, *(o.span for o in d.others))
            if text[one.column - 1 :].startswith((f"set {name} ", f"{name} "))
        }
        assert wrong, [d.message for d in done.findings.errors]
        sets = {name: value for name, value in sets.items() if name not in wrong}
    return FoundHost(capture, done.plan, questions(done.plan, standard()), seen & frozenset(sets))


def _plan(text: str) -> Plan:
    (done,) = planned(read_text(text), standard())
    assert done.plan is not None, [d.message for d in done.findings.errors]
    return done.plan


def _model(capture: Capture) -> str:
    assert capture.host is not None
    info = capture.host.text("/proc/cpuinfo") or ""
    return next(line.partition(":")[2].strip() for line in info.splitlines() if line.startswith("model name"))


def _packages(capture: Capture) -> int:
    assert capture.host is not None
    return (capture.host.text("/proc/cpuinfo") or "").count("physical id")


def _value(host: Host, decision: Decision, bits: dict[str, int]) -> str:
    """The value that a host shows for a setting; "" if it shows none, or several."""
    values = shown_values(host, observed_setting(standard(), decision.setting, bits))
    if len(values) == 1:
        return values.pop()
    if values or decision.layer != "os":
        return ""
    for spelled in decision.spelled:
        by_text = {text.partition("|")[0]: value for value, text in spelled.texts}
        for name in spelled.names if spelled.interface == "sysfs" else ():
            texts = {shown(reading.text) for reading in host.at(name)}
            if len(texts) == 1 and (value := by_text.get(text := texts.pop()) or _number(decision, text)):
                return value
    return ""


def _number(decision: Decision, text: str) -> str:
    return text if text.isdecimal() and decision.setting == "min-perf-pct" else ""


def _default(decision: Decision) -> str:
    """The value of a boot setting that needs no argument."""
    if not decision.written:
        return decision.value
    return {"skew-tick": "off", "idle-poll": "off", "intel-idle": "on", "acpi-idle-limit": "none"}.get(
        decision.setting, "kernel-default"
    )
