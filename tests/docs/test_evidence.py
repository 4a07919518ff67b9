"""The page on evidence: its counts are those of the plans, and it compares what it says."""

from collections import Counter

from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.render.words import EVIDENCE, evidence_of
from setpoint.docs.hooks.reference.evidence import FactColumn, compared, evidence_counts, evidence_page
from support.machines import GOALS
from support.plans import planned

SMALL = compared()._replace(
    servers=FactColumn("platform", ("r760", "dl385-gen10-plus-v2")),
    work=FactColumn("workload", ("hpc", "redis")),
)


def counted(server: str, use: str) -> Counter[str]:
    """The firmware values of the plans of a server for a use, by what they rest on."""
    found: Counter[str] = Counter()
    for goal in GOALS:
        plan = planned(f"goal {goal}; platform {server}; workload {use}")
        plan = plan._replace(settings=tuple(each for each in plan.settings if each.layer == "firmware"))
        for each in filter(None, evidence_of(plan).split(", ")):
            number, kind = each.split(" ", 1)
            found[kind] += int(number)
    return found


def said(part: int, total: int) -> str:
    """A share, as the page says it."""
    return f"{part / total:.0%}".replace("%", " %") if part / total >= 0.005 else "< 1 %"


def test_counts_are_those_of_the_plans(knowledge: Knowledge) -> None:
    counts = evidence_counts(knowledge, SMALL)
    for server, by_use in counts.items():
        for use, counter in by_use.items():
            assert counter == counted(server, use), (server, use)
    assert sum(sum(by_use.values(), Counter()).total() for by_use in counts.values()) > 50


def test_shares_are_of_the_number_of_values(knowledge: Knowledge) -> None:
    page = evidence_page(knowledge, SMALL)
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.splitlines()
        if line.startswith("|")
    ]
    of_hpc = next(index for index, row in enumerate(rows) if row[0] == "`hpc`")
    shown = dict(zip(rows[of_hpc - 2], rows[of_hpc], strict=True))
    counter = counted("r760", "hpc")
    assert shown.pop("workload") == "`hpc`"
    assert shown.pop("values") == str(counter.total())
    assert {kind: share for kind, share in shown.items() if share} == {
        kind: said(counter[kind], counter.total()) for kind in EVIDENCE if counter[kind]
    }


def test_twenty_uses_are_compared_on_a_server_of_each_kind_since_2017(knowledge: Knowledge) -> None:
    asked = compared()
    platforms, workloads = (knowledge.values[column.fact] for column in asked)
    assert len(asked.work.values) == 20
    assert set(asked.work.values) <= workloads.keys()
    kinds = {name for name, value in platforms.items() if not value.within}
    found = {platforms[name].within or name for name in asked.servers.values}
    assert kinds - found == {"poweredge-11g", "poweredge-12g", "poweredge-13g"}


MOST = 0.25
"""How much of what plans write may be advice out of scope."""


def test_advice_out_of_scope_is_less_than_a_quarter_on_each_server(knowledge: Knowledge) -> None:
    shares = {}
    for server, by_use in evidence_counts(knowledge, compared()).items():
        counter = sum(by_use.values(), Counter[str]())
        shares[server] = counter["out of scope"] / counter.total()
    assert all(share < MOST for share in shares.values()), shares
