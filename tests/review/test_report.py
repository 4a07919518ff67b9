"""report.md: its content for a reviewer who has never seen Setpoint."""

import json
import re

import pytest

from review.rendered import Page, seen
from setpoint.compiler.plan.as_json import plan_json
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.plan.model import Plan
from setpoint.compiler.render.markdown import plan_markdown
from setpoint.compiler.render.plan_text import plan_text as terminal
from setpoint.targets.report import by_hand
from support.plans import plan_of_text

POLICY = """
goal latency; cpu x5670; platform r710; os rhel 6.4; workload comm-bound; interconnect infiniband; sockets 2;
set turbo off because "frequency jitter, PERF-212";
accept c-state-idle-power because "not billed here" until 2027-03-31;
"""


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_of_text(POLICY)


@pytest.fixture(scope="module")
def page(plan: Plan) -> Page:
    return Page(plan_markdown(judge(plan), by_hand(plan)))


def table(page: Page, *heads: str) -> list[list[str]]:
    """The rows of all tables that begin with these columns."""
    return [
        [seen(cell).strip() for cell in cells]
        for rows in page.tables
        if rows[0][: len(heads)] == list(heads)
        for cells in rows[1:]
    ]


def test_it_goes_from_the_intent_to_the_sources(page: Page) -> None:
    assert page.headings == [
        "Server tuning: policy",
        "Firmware",
        "Boot arguments",
        "Operating system",
        "Left to do by hand",
        "Worth knowing",
        "Waivers",
        "Combined effects",
        "Facts about the server",
        "Not set",
        "Sources",
    ]
    assert "Intent: goal latency, workload comm-bound." in page.items


def test_the_intent_is_whatever_the_knowledge_base_declares_as_such() -> None:
    """A site's own kind of intent is one as well."""
    plan = plan_of_text(
        'goal latency; cpu westmere; season summer; fact season { title "Season"; role intent; values summer, winter; }'
    )
    assert "Intent: goal latency, season summer." in Page(plan_markdown(judge(plan), by_hand(plan))).items


def test_each_written_value_has_its_source_and_place(plan: Plan, page: Page) -> None:
    rows = {cells[0].split()[-1]: cells for cells in table(page, "setting", "value", "source")}
    assert list(rows) == [d.setting for d in plan.written]
    for decision in plan.written:
        cause = decision.because[0]
        _, value, who, why, _ = rows[decision.setting]
        assert value == decision.value
        if cause.citation is not None:
            assert who.startswith(f"{cause.citation.source}, {cause.citation.at}")
        else:
            assert who == "this policy"
        assert cause.kind == "default" or cause.because in why


def test_what_was_overridden_is_there_with_who_recommended_it(page: Page) -> None:
    rows = {cells[0].split()[-1]: cells for cells in table(page, "setting", "value", "source")}
    assert rows["turbo"][2:] == [
        "this policy",
        "frequency jitter, PERF-212",
        "on (dell-11g-hpc, Table 6): the policy sets it",
    ]


def test_a_waived_hazard_is_explained(page: Page) -> None:
    assert table(page, "waived") == [
        [
            "c-state-idle-power",
            "an idle server forgoes what C-states save: up to 32% of the idle power",
            "not billed here",
            "until 2027-03-31",
        ]
    ]


def test_a_waiver_that_has_expired_is_not_shown_as_one() -> None:
    late = judge(plan_of_text(POLICY), "2027-04-01")
    assert [cells[-1] for cells in table(Page(plan_markdown(late)), "waived")] == [
        "expired 2027-03-31: no longer in force"
    ]
    assert [w["expired"] for w in plan_json(late)["waivers"]] == [True]


def test_text_and_markdown_name_waivers_in_the_same_way() -> None:
    """In the policy's last days one waiver is valid, one has expired, and one never had an effect."""
    policy = POLICY + 'accept turbo-vs-efficiency because "in case";'
    for today, end, counted in (
        ("2027-03-31", "until 2027-03-31", "1 waiver; 1 waiver without effect."),
        (
            "2027-04-01",
            "expired 2027-03-31: no longer in force",
            "1 waiver without effect; 1 expired waiver.",
        ),
    ):
        plan = judge(plan_of_text(policy), today)
        ends = [end, "no effect: the hazard does not occur here"]
        page = Page(plan_markdown(plan))
        assert [cells[-1] for cells in table(page, "waived")] == ends
        assert counted in page.items
        below = terminal(plan).partition("Waivers\n")[2].splitlines()
        assert all(end in line for end, line in zip(ends, below, strict=False))


def test_manual_steps_say_where(plan: Plan, page: Page) -> None:
    rows = table(page, "setting", "set it to", "where")
    assert [cells[0].split()[-1] for cells in rows] == [d.setting for d in by_hand(plan)]
    assert ["Data Reuse data-reuse", "on (the menu says Enabled)", "Processor Settings > Data Reuse"] in rows


def test_what_waits_for_a_restart(plan: Plan) -> None:
    text = plan_markdown(judge(plan))
    assert "14 settings are set, 11 of which take effect after a restart." in text
    heads = re.findall(r"^## (.+)\n\nTakes effect (.+)$", text, re.MULTILINE)
    assert heads == [
        ("Firmware", "after a restart."),
        ("Boot arguments", "after a restart."),
        ("Operating system", "immediately."),
    ]


def test_every_source_that_is_named_is_written_out(plan: Plan, page: Page) -> None:
    cited = {
        c["source"]
        for s in plan_json(judge(plan))["settings"].values()
        for c in s["because"]
        if "source" in c
    }
    sources = page.text.rpartition("Sources")[2]
    assert cited
    assert all(f"{name}: " in sources for name in cited)


def test_the_weights_are_explained(page: Page) -> None:
    shown = json.dumps(table(page, "setting", "value", "source"))
    for word in ("measured", "vendor", "test-first"):
        assert (f"({word})" in shown) == (f"{word}: " in page.text.partition("What is known")[0])
