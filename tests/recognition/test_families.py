"""What the library does not describe is recognized by how makers build names, and planned as far as its family is
known."""

import pytest

from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.citation import Citation
from setpoint.compiler.knowledge.recognition import Family, recognized
from setpoint.compiler.pipeline import knowledge_for, planned, read_text
from setpoint.compiler.plan.model import Plan

SITE = """
source lab { title "Inventory of the lab"; publisher "Example Ltd"; }
family rack-15g of lab at "Names" {
    title "a rack server of the 15th generation";
    pattern platform "FarmNode R#50*";
    implies platform poweredge-15g;
    implies cpu ice-lake;
}
family blade of lab at "Names" {
    title "a blade of the farm";
    pattern platform "FarmBlade #*";
    implies vendor dell;
}
family ice-lake-gold of lab at "Names" {
    title "a Xeon of the farm";
    pattern cpu "Lab Gold 63##*";
    implies cpu ice-lake;
}
goal latency;
"""


def plan_of(text: str) -> tuple[Plan, dict[str, list[str]]]:
    """The plan of a policy for the farm, and the messages of its findings by code."""
    program = read_text(SITE + text)
    (done,) = planned(program, knowledge_for(program))
    found: dict[str, list[str]] = {}
    for each in done.findings:
        found.setdefault(each.code, []).append(each.message)
    assert done.plan is not None, found
    return done.plan, found


def errors_of(text: str) -> list[tuple[str, str]]:
    program = read_text(SITE + text)
    (done,) = planned(program, knowledge_for(program))
    return [(each.code, each.message) for each in done.findings.errors]


def products(plan: Plan) -> list[tuple[str, ...]]:
    return [each.names for each in plan.identity if each.kind == "product"]


# ------------------------------------------------------------------------------------------ patterns


def family(name: str, *patterns: str, implies: str = "poweredge-15g") -> Family:
    return Family(
        name, name, "", "platform", patterns, (("platform", implies),), Citation("lab", "Names"), span=NOWHERE
    )


@pytest.mark.parametrize(
    ("pattern", "fitting", "others"),
    [
        (
            "PowerEdge R650",
            ["PowerEdge R650", "poweredge r650", "R650", "PowerEdge  R650"],
            ["PowerEdge R650xs", "R6500"],
        ),
        (
            "PowerEdge R#50*",
            ["PowerEdge R650", "PowerEdge R750xs", "r750-xa"],
            ["PowerEdge R6500", "PowerEdge R640"],
        ),
        ("PowerEdge [RT]#50", ["PowerEdge R550", "T550"], ["PowerEdge M550", "PowerEdge RT50"]),
        (
            "ThinkSystem SR6[35]0 V2",
            ["ThinkSystem SR650 V2", "sr630-v2", "SR650V2"],
            ["ThinkSystem SR650", "SR650 V3"],
        ),
        ("UCSC-C2[24]0-M6*", ["UCSC-C240-M6SX", "UCSC-C220-M6"], ["UCSC-C240-M60", "C240-M6SX"]),
        (
            "PowerEdge R#50*",
            ["PowerEdge R650 rugged"],
            ["PowerEdge R650\x1b[31m", "PowerEdge R650 " + 200 * "x"],
        ),
        ("OpenShift 4.1#", ["OpenShift 4.18", "openshift-4.16"], ["4.18"]),
        ("X11D*", ["X11DPU", "X11DPi-N(T)"], ["X11SPL", "X110"]),
        ("2288H V5*", ["2288H V5", "2288h-v5"], ["288H V5", "2288H", "12288H V5"]),
        ("8335-GT[AB]", ["8335-GTB"], ["8335-GTC", "8335"]),
    ],
)
def test_a_pattern_fits_names_and_no_others(pattern: str, fitting: list[str], others: list[str]) -> None:
    made = [family("one", pattern)]
    assert [text for text in fitting if recognized(made, "platform", text) is None] == []
    assert [text for text in others if recognized(made, "platform", text) is not None] == []
    assert recognized(made, "cpu", fitting[0]) is None


def test_the_pattern_with_the_most_fixed_characters_counts() -> None:
    made = [family("wide", "PowerEdge R#50*"), family("narrow", "PowerEdge R250*", implies="r640")]
    assert [
        found.family.name
        for text in ("PowerEdge R650", "PowerEdge R250")
        if (found := recognized(made, "platform", text))
    ] == ["wide", "narrow"]


def test_two_families_that_are_equally_near_recognize_nothing_unless_they_say_the_same() -> None:
    same = [family("a", "PowerEdge R#50"), family("b", "PowerEdge R6#0")]
    assert recognized(same, "platform", "PowerEdge R650") is not None
    unlike = [family("a", "PowerEdge R#50"), family("b", "PowerEdge R6#0", implies="r640")]
    assert recognized(unlike, "platform", "PowerEdge R650") is None


def test_a_name_without_its_brand_is_not_what_machines_print() -> None:
    made = [family("one", "PowerEdge R#50*")]
    assert [
        found.is_printed
        for text in ("PowerEdge R650xs", "R650xs")
        if (found := recognized(made, "platform", text))
    ] == [True, False]


# ------------------------------------------------------------------------------------------ policies


def test_a_model_that_only_its_family_describes_has_a_plan_for_exactly_that_model() -> None:
    plan, found = plan_of('platform "FarmNode R650xs";')
    assert plan.fact("platform") == "poweredge-15g"
    assert plan.fact("cpu") == "ice-lake"
    assert products(plan) == [("FarmNode R650xs",)]
    (message,) = found["W0201"]
    assert message == (
        "`FarmNode R650xs` is not described: planned as a rack server of the 15th generation "
        "(platform poweredge-15g, cpu ice-lake)"
    )


def test_a_name_without_its_brand_is_planned_and_compared_with_nothing() -> None:
    plan, found = plan_of("platform r650xs;")
    assert plan.fact("platform") == "poweredge-15g"
    assert products(plan) == [()]
    assert "W0201" in found


def test_a_family_may_say_nothing_of_the_fact_itself() -> None:
    """The model is still compared."""
    plan, _ = plan_of('platform "FarmBlade 7x";')
    assert plan.fact("platform") == ""
    assert plan.fact("vendor") == "dell"
    assert products(plan) == [("FarmBlade 7x",)]


def test_a_narrower_fact_of_the_policy_counts() -> None:
    plan, _ = plan_of('platform "FarmNode R650xs"; cpu "Lab Gold 6338X";')
    assert plan.fact("cpu") == "ice-lake"
    plan, _ = plan_of('platform "FarmNode R650xs"; cpu xeon-gold-6338;')
    assert plan.fact("cpu") == "xeon-gold-6338"


def test_a_fact_that_contradicts_the_family_is_an_error() -> None:
    found = errors_of('platform "FarmNode R650xs"; cpu skylake;')
    assert ("E0204", "cpu skylake contradicts cpu ice-lake") in found


def test_what_no_family_has_stays_unknown() -> None:
    assert [code for code, _ in errors_of('platform "FarmNode R6500";')] == ["E0202"]
    assert [code for code, _ in errors_of("cpu gold-6338;")] == ["E0202"]  # a described one, misspelt
    assert [code for code, _ in errors_of('platform "Someone else\'s R650";')] == ["E0202"]


def test_a_pattern_that_cannot_be_read_is_an_error() -> None:
    for pattern in ("*Node", "R#**", "R[", "R[9-1", "R*a*b*c*", "Node\u00e9", "6338", "63-38#"):
        with pytest.raises(SetpointError) as caught:
            knowledge_for(read_text(SITE.replace("FarmNode R#50*", pattern)))
        assert {each.code for each in caught.value.diagnostics} == {"K07"}
