"""Servers of which a policy states no processor: what does not depend on the processor does not wait for it.

Where the plans for all processors that a server takes have a value for the same reason, the plan for the server alone
has it too. The reasons of a profile that follows from its members are those of the members, which may differ.
"""

import pytest

from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.knowledge.model import lineage
from setpoint.compiler.plan.model import Decision
from support.plans import planned

WORK = (
    "goal latency;",
    "goal latency; workload kubernetes-node; os rhel 9;",
    "goal performance; workload hpc; os sles 15.6;",
    "goal throughput; workload oltp;",
    "goal efficiency; workload web; os ubuntu 24.04;",
    "goal balanced; workload virtualized;",
)


def servers() -> dict[str, tuple[str, ...]]:
    """The servers that take several generations of processors, with these."""
    knowledge = standard()
    found = {}
    for name in knowledge.values["platform"]:
        implied = [each for value in lineage(knowledge, "platform", name) for each in value.implies]
        cpu = dict(implied).get("cpu", "")
        if cpu and (taken := knowledge.values["cpu"][cpu].one_of):
            found[name] = taken
    return found


def decided(decision: Decision) -> tuple[str, str, str]:
    """The value, the rule and its strength."""
    return decision.value, decision.cause.name, decision.cause.strength


@pytest.mark.alike
@pytest.mark.parametrize(("server", "taken"), servers().items(), ids=servers())
def test_what_is_so_for_all_processors_is_so_for_the_server(server: str, taken: tuple[str, ...]) -> None:
    for work in WORK:
        each = [
            {
                d.setting: decided(d)
                for d in planned(f"{work} platform {server}; cpu {cpu};").settings
                if d.cause.kind != "preset"
            }
            for cpu in taken
        ]
        same = {
            name: value for name, value in each[0].items() if all(other.get(name) == value for other in each)
        }
        alone = {d.setting: decided(d) for d in planned(f"{work} platform {server};").settings}
        assert {name: alone[name] for name in same} == same, work


def test_there_are_such_servers() -> None:
    assert servers()["r760"] == ("emerald-rapids", "sapphire-rapids")
    assert len(servers()) > 50
