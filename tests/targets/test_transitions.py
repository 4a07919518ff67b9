"""From the end state of each policy to that of each other, on every server whose BIOS registry is known.

The emulated iDRAC judges by the registry, and the client follows `apply.json` (`support.transitions`). The role does
the same; `test_ansible_transitions` runs it on what needs most.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from idrac import Behaviour, RefusedError
from support.machines import GOALS, MACHINES, R630, R720, R740, R750, Machine
from support.transitions import (
    apply_documents,
    emitted,
    expected,
    requests,
    restarted,
    rules,
    server,
    standing,
)

LAB = 'because "LAB-9"'
OTHERS = {
    R720: (f"goal balanced; set system-profile os {LAB}", f"goal latency; set memory-frequency 1333 {LAB}"),
    R630: (
        f"goal balanced; set system-profile os {LAB}",
        f"goal latency; set turbo-cores-processor-1 2 {LAB}",
        f"goal performance; set virtualization off {LAB}",
    ),
    R740: (
        f"goal performance; set system-profile workstation {LAB}",
        f"goal latency; set memory-frequency 2133 {LAB}; set write-data-crc on {LAB}",
        f"goal latency; set turbo-cores-processor-1 4 {LAB}",
        f"goal performance; set virtualization off {LAB}",
    ),
    R750: (
        f"goal balanced; set system-profile os {LAB}",
        f"goal latency; set dynamic-load-line off {LAB}",
        f"goal performance; set sub-numa-cluster on {LAB}",
        f"goal balanced; set node-interleaving on {LAB}; set sub-numa-cluster off {LAB}",
        f"goal balanced; set logical-processor-idling on {LAB}",
        f"goal performance; set controlled-turbo on {LAB}",
        f"goal efficiency; set virtualization off {LAB}; set x2apic off {LAB}",
    ),
}
"""Policies beside the goals, for what these leave alike: members that a profile keeps, and attributes that lock
others."""

POLICIES = {m: (*(f"goal {goal}" for goal in GOALS), *OTHERS[m]) for m in MACHINES}
PAIRS = [
    pytest.param(machine, *pair, id=f"{machine}: {' -> '.join(pair)}".replace(f" {LAB}", ""))
    for machine in MACHINES
    for pair in permutations(POLICIES[machine], 2)
]
TWICE = {
    R740: {
        ("goal latency", "goal balanced"),
        ("goal latency", "goal performance"),
        ("goal latency", "goal throughput"),
        ("goal latency", "goal efficiency"),
    },
    R630: {
        ("goal latency", "goal density"),
        ("goal performance", "goal density"),
        ("goal throughput", "goal density"),
        ("goal balanced", "goal density"),
    },
}
"""The pairs of goals that need two restarts. On all other servers, one is enough for every pair. Balanced leaves the
R630 the profile that it was captured with.
"""


@pytest.mark.alike
@pytest.mark.parametrize(("machine", "before", "after"), PAIRS)
def test_each_policy_reaches_its_end_state_from_that_of_each_other(
    machine: Machine, before: str, after: str
) -> None:
    bmc = server(machine, standing(machine, before))
    documents = emitted(machine, after)
    restarts = apply_documents(bmc, documents)
    differs = {n: bmc.current[n] for n, value in expected(machine, after).items() if bmc.current[n] != value}
    assert not differs
    if {before, after} <= {f"goal {goal}" for goal in GOALS}:
        twice = (before, after) in TWICE.get(machine, ())
        alike = standing(machine, before).items() >= expected(machine, after).items()
        assert restarts == (2 if twice else 0 if alike else 1)
    if restarts == 2:
        assert not one_restart_would_do(machine, before, after)


def one_restart_would_do(machine: Machine, before: str, after: str) -> bool:
    """Whether some one request leads there: what is written, alone or together with any of what goes first."""
    documents, wanted = emitted(machine, after), expected(machine, after)
    first = documents["apply.json"]["first"]["differs"]
    settings = documents["settings.json"]["Attributes"]
    for count in range(2 ** len(first)):
        body = {**settings, **{name: wanted[name] for at, name in enumerate(first) if count >> at & 1}}
        bmc = server(machine, standing(machine, before))
        try:
            restarted(bmc, {name: value for name, value in body.items() if bmc.current[name] != value})
        except RefusedError:
            continue
        # What the registry leaves open is not relied upon.
        if all(
            len(rules(machine).registry.forced(bmc.current).get(n, (1,))) == 1 or n not in first
            for n in wanted
        ) and (bmc.current.items() >= wanted.items()):
            return True
    return False


def test_a_profile_that_the_server_has_already_sets_nothing_again() -> None:
    """What it has set otherwise cannot be reached, and no restart is spent on it."""
    stubborn = rules(R630)._replace(several="last")
    bmc = Behaviour(standing(R630, "goal latency"), rules=stubborn).machine()
    documents = emitted(R630, "goal density")
    assert apply_documents(bmc, documents) == 2
    differs = {n for n, value in expected(R630, "goal density").items() if bmc.current[n] != value}
    assert differs == {"ProcPwrPerf"}
    assert documents["apply.json"]["along"]["ProcPwrPerf"] == ["SysProfile"]
    assert next(requests(bmc.current, documents), None) is None


def test_a_member_that_a_profile_keeps_is_set_though_the_profile_stands() -> None:
    """As a server was left by whoever wrote the profile alone."""
    left = {**standing(R740, "goal balanced"), "MonitorMwait": "Disabled"}
    bmc = server(R740, left)
    (body,) = requests(left, emitted(R740, "goal balanced"))
    assert body == {"SysProfile": "Custom", "MonitorMwait": "Enabled"}
    assert apply_documents(bmc, emitted(R740, "goal balanced")) == 2
    assert bmc.current.items() >= expected(R740, "goal balanced").items()


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_apply_says_of_each_attribute_when_it_can_be_written(machine: Machine) -> None:
    """Where its conditions hold, the registry does not lock it, and where they do not, it does."""
    for before, after in permutations(POLICIES[machine], 2):
        writable = emitted(machine, after)["apply.json"]["writable"]
        current = standing(machine, before)
        for name in expected(machine, after):
            if name == "IntelTxt":
                continue  # Without a TPM it is locked as well, for which the library has no setting.
            holds = all(
                (current[need["attribute"]] == need.get("is", need.get("is-not"))) is ("is" in need)
                for need in (one["while"] for one in writable if name in one["attributes"])
            )
            lock = rules(machine).registry.lock(name, current)
            assert (lock is None) is holds, (before, after, name, str(lock))


def test_what_the_policy_leaves_alone_is_named() -> None:
    for machine in MACHINES:
        for policy in POLICIES[machine]:
            assumed = emitted(machine, policy)["apply.json"]["assumed"]
            assert not assumed.keys() & expected(machine, policy).keys()
    assert emitted(R750, "goal density")["apply.json"]["assumed"]["SysProfile"] == "PerfPerWattOptimizedDapc"
    assert emitted(R740, "goal balanced")["apply.json"]["assumed"]["CorrEccSmi"] == "Enabled"
