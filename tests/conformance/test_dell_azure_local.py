"""Dell's table of firmware values for its nodes of Azure Local clusters: what the library has of it, and what servers
come with.

`TABLE` is typed from there: the name in the menu, the default of a PowerEdge, the value on nodes, and the nodes. What
is about security or about AC power is left out here as well, except for the default of Kernel DMA Protection.
"""

import pytest

from conformance.printed import rows
from setpoint.compiler.knowledge.model import Citation, Knowledge
from support.machines import GOALS
from support.plans import planned

SOURCE = "dell-azure-local"

TABLE = """
Virtualization Technology     | Enabled                     | Enabled     | 640 740xd 650 750 6515 7525 760
x2APIC Mode                   | Enabled                     | Enabled     | 640 740xd 650 750 6515 7525 760
NUMA Nodes Per Socket         | 1                           | 4           | 6515 7525
Dell Controlled Turbo Setting | Disabled                    | Enabled     | 760 750 650
SR-IOV Global Enable          | Disabled                    | Enabled     | 640 740xd 650 750 6515 7525 760
Systems Profile               | Performance Per Watt (DAPC) | Performance | 640 740xd 650 750 6515 7525 760
Kernel DMA Protection         | Disabled                    | Enabled     | 650 750 7525 760
"""

SETTINGS = {
    "Virtualization Technology": "virtualization",
    "x2APIC Mode": "x2apic",
    "NUMA Nodes Per Socket": "numa-nodes-per-socket",
    "Dell Controlled Turbo Setting": "controlled-turbo",
    "SR-IOV Global Enable": "sr-iov",
    "Systems Profile": "system-profile",
    "Kernel DMA Protection": "kernel-dma-protection",
}

VALUES = {
    "Enabled": "on",
    "Disabled": "off",
    "1": "1",
    "4": "4",
    "Performance": "performance",
    "Performance Per Watt (DAPC)": "dapc",
}

SERVERS = {"740xd": "r740", "750": "r750", "760": "r760", "7525": "r7525"}
"""A server of the library for each node that has another one's generation."""

WITH_AMD = {"6515", "7525"}
"""The nodes with AMD processors."""

LEFT_OUT = {"controlled-turbo": "optional there", "kernel-dma-protection": "security"}
"""The settings whose value on nodes is no advice in the library."""

ALONE = {"x2apic"}
"""What is advice for Azure Local alone: other guests need it only on servers with many CPUs, whatever runs there."""

DIFFERING = {("x2apic", "r740"), ("system-profile", "r7525")}
"""Where the library has the value of a captured server, which is not what the page has as the default; and where it
does not offer the default, of whose members nothing is known."""


def test_what_nodes_have_is_advice_for_guests(knowledge: Knowledge) -> None:
    place = Citation(SOURCE, "BIOS Configuration")
    advice = {
        (rule.setting, rule.value, rule.strength, knowledge.box_text(rule.when))
        for rule in knowledge.rules
        if rule.citation == place and not rule.name.endswith("-16g-amd")  # which is beyond what Dell says
    }
    every = "platform poweredge-14g or poweredge-15g or poweredge-15g-amd or poweredge-16g-intel, workload "
    assert advice == {
        (
            name,
            VALUES[value],
            "vendor",
            ("goal performance or throughput, " if value == "Performance" else "")
            + ("platform poweredge-15g-amd, workload " if set(nodes.split()) == WITH_AMD else every)
            + ("azure-stack" if name in ALONE else "virtualized"),
        )
        for label, _, value, nodes in rows(TABLE)
        if (set(SERVERS) <= set(nodes.split()) or set(nodes.split()) == WITH_AMD)
        and (name := SETTINGS[label]) not in LEFT_OUT
    }


@pytest.mark.parametrize("server", SERVERS.values())
def test_plans_for_azure_local_have_it(server: str) -> None:
    for goal in GOALS:
        plan = planned(f"goal {goal}; platform {server}; workload azure-stack")
        assert [plan.value(name) for name in ("virtualization", "x2apic", "sr-iov")] == ["on", "on", "on"], (
            goal
        )
        if goal in ("performance", "throughput"):
            assert plan.value("system-profile") == "performance", goal


@pytest.mark.parametrize("server", SERVERS.values())
def test_for_other_guests_it_is_what_dell_does(server: str) -> None:
    """Of less weight than what Dell says of them."""
    for goal in GOALS:
        plan = planned(f"goal {goal}; platform {server}; workload virtualized")
        assert [plan.value(name) for name in ("virtualization", "sr-iov")] == ["on", "on"], goal
        if goal in ("performance", "throughput"):
            assert plan.value("system-profile") == "performance", goal
        given = {d.setting: d.cause.strength for d in plan.written if d.cause.source == SOURCE}
        assert given["sr-iov"] == "practice", goal
        assert set(given.values()) == {"practice"}, goal
        assert not ALONE & given.keys(), goal


def test_defaults_are_those_of_the_page() -> None:
    found = {
        (SETTINGS[label], server): (decision.default, VALUES[default])
        for label, default, _, nodes in rows(TABLE)
        for node in nodes.split()
        if (server := SERVERS.get(node))
        and (decision := planned(f"goal balanced; platform {server}").setting(SETTINGS[label]))
    }
    assert {case for case, (has, page) in found.items() if has != page} == DIFFERING
    assert len(found) > 12
