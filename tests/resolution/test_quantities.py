"""Numbers and lists of CPUs as values: what a policy may write, what decides it, and what stays the same in a cell."""

import re
from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.knowledge.build import LayeredFile, build
from setpoint.compiler.knowledge.load import trees
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.quantity import CpuLists, Numbers, WrongQuantityError, is_cell
from setpoint.compiler.language.parse import parse
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from setpoint.compiler.plan.model import Decision, Plan
from support.effort import examples
from support.plans import plan_of_text

SITE = """
source lab { title "Notes on our servers"; publisher "Our lab"; }
setting power-limit { title "Power limit"; layer firmware; values none; range 100 to 400 step 10 in W; }
setting fan-step { title "Fan step"; layer firmware; range 1 to 9; }
setting irq-delay { title "Delay of interrupts"; layer os; values off; range 1 to 1000 in us; }
setting isolated { title "Isolated CPUs"; layer boot; values none, cpu-list; }
options of lab when platform r740 {
    power-limit none "No limit", 100 to 300W step 20 "limited to *", 350W "Most" default none at "Run 1";
    fan-step    1 to 9 default 3 at "Run 1";
    isolated    none, cpu-list "isolcpus=*" default none at "Run 2";
}
options of lab when os debian-12 { irq-delay off "0", 1us to 500us "*" default off at "Run 3"; }
rule slower-when-limited of lab at "Run 4" {
    when goal latency, power-limit below 200W;
    use irq-delay 0030us;
    because "the limit costs more than the interrupts";
}
constraint fans-for-power of lab at "Run 5" {
    when power-limit above 280W;
    require fan-step 5 to 7;
    because "below that the server throttles";
}
hazard odd-limit of lab at "Run 6" {
    when power-limit 140 to 180W or 240W, goal any;
    because "our racks trip there";
    severity warning;
}
hazard shared-cpu of lab at "Run 7" { when isolated 2-3, goal any; because "these are the daemon's"; severity warning; }
"""
FACTS = "goal latency; cpu skylake; platform r740; os debian-12;"


@cache
def site() -> Knowledge:
    """The library with these statements."""
    files = [LayeredFile(tree, "stdlib") for tree in trees()]
    return build([*files, LayeredFile(parse(SourceText("site.tune", SITE)), "site")])


def plan(*sets: str, text: str = SITE, facts: str = FACTS) -> Plan:
    policy = facts + "".join(f'set {each} because "a test";' for each in sets)
    if text != SITE:
        return plan_of_text(text + policy)
    (one,) = planned(program_of_text(policy), site())
    if one.plan is None:
        raise SetpointError(*one.findings)
    return one.plan


def decided(plan: Plan, setting: str) -> Decision:
    decision = plan.setting(setting)
    assert decision is not None
    return decision


def refused(*sets: str, text: str = SITE) -> Diagnostic:
    with pytest.raises(SetpointError) as error:
        plan(*sets, text=text)
    return error.value.diagnostics.errors[0]


# --------------------------------------------------------------------------------- what a policy writes


@pytest.mark.parametrize("written", ["240W", "240 W", "0240W"])
def test_a_number_is_shown_with_its_unit_and_its_label_without(written: str) -> None:
    decision = decided(plan(f"power-limit {written}"), "power-limit")
    assert (decision.value, decision.label) == ("240W", "limited to 240")


def test_a_number_that_is_offered_by_itself_has_its_own_label() -> None:
    assert decided(plan("power-limit 350W"), "power-limit").label == "Most"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("2-31,34-63", "2-31,34-63"),
        ("4,2-3,8-9", "2-4,8-9"),
        ("7,5,6", "5-7"),
        ("1,1-2,2", "1-2"),
        ("0", "0"),
    ],
)
def test_lists_of_cpus_are_sorted_and_merged(written: str, shown: str) -> None:
    decision = decided(plan(f"isolated {written}"), "isolated")
    assert (decision.value, decision.label) == (shown, f"isolcpus={shown}")


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("power-limit 240", "`240` has no unit: it is in W"),
        ("power-limit 240kW", "`240kW` has the wrong unit: it is in W"),
        ("fan-step 3W", "`3W` has the wrong unit: it is a plain number"),
        ("power-limit 90W", "`90W` is below 100W"),
        ("power-limit 410W", "`410W` is above 400W"),
        ("power-limit 245W", "`245W` is not on a step of 10 from 100W"),
        ("power-limit 2.5W", "`2.5W` is not a whole number of W"),
        (f"fan-step {'9' * 5000}", f"`{'9' * 5000}` is not a whole number"),
        ("fan-step 1,2", "`1,2` is not a whole number"),
        ("isolated 5-2", "`5-2` runs backwards: the lower CPU is first, `2-5`"),
        ("isolated 1-2-3", "`1-2-3` is not a list of CPUs such as `2-31,34-63`"),
        ("isolated 1-", "`1-` is not a list of CPUs such as `2-31,34-63`"),
        ("isolated 2-99999", "no server has a CPU 99999: the highest number is 8191"),
    ],
)
def test_a_wrong_quantity_is_refused_with_what_is_taken(written: str, reason: str) -> None:
    error = refused(written)
    name = written.split()[0]
    assert (error.code, error.message) == ("E0212", f"`{name}` cannot have this value: {reason}")
    assert error.others[0].text == "declared here"
    assert error.help == (f"`{name}` takes {', '.join(site().settings[name].values)}",)


def test_two_commas_are_no_list() -> None:
    assert refused("isolated 1,,2").code == "E0101"


@pytest.mark.parametrize(
    "written", ["power-limit 310W", "power-limit 110W", "power-limit 360W", "irq-delay 501us"]
)
def test_a_number_that_is_not_offered_here_is_refused_with_the_source(written: str) -> None:
    error = refused(written)
    assert error.code == "E0502"
    (note,) = error.notes
    assert note in (
        "offered: none, 100W to 300W step 20, 350W [lab, Run 1]",
        "offered: off, 1us to 500us [lab, Run 3]",
    )


@pytest.mark.parametrize("written", ["power-limit off", "isolated all", "irq-delay on"])
def test_an_unknown_name_is_answered_with_the_ranges_in_words(written: str) -> None:
    error = refused(written)
    name = written.split()[0]
    assert error.code == "E0202"
    assert error.help[-1] == f"values of `{name}`: {', '.join(site().settings[name].values)}"


def test_a_quantity_cannot_be_set_to_a_cell_or_to_any_list() -> None:
    assert refused("isolated cpu-list").code == "E0202"


# ------------------------------------------------------------------------------------ what decides


@pytest.mark.parametrize(("limit", "delay"), [("180W", "30us"), ("200W", "off"), ("none", "off")])
def test_conditions_compare(limit: str, delay: str) -> None:
    assert decided(plan(f"power-limit {limit}"), "irq-delay").value == delay


@pytest.mark.parametrize(
    ("limit", "arises"), [("120W", False), ("140W", True), ("180W", True), ("200W", False), ("240W", True)]
)
def test_a_range_includes_its_ends(limit: str, arises: bool) -> None:
    assert ("odd-limit" in {h.hazard for h in plan(f"power-limit {limit}").hazards}) == arises


def test_without_a_set_the_lowest_offered_number_of_what_is_left_is_taken() -> None:
    text = SITE.replace("require fan-step 5 to 7", "require fan-step above 7").replace(
        "1 to 9 default 3", "2 to 8 step 3 default 2"
    )
    assert decided(plan("power-limit 300W", text=text), "fan-step").value == "8"
    assert decided(plan("power-limit 300W"), "fan-step").value == "5"


def test_a_number_that_a_constraint_excludes_has_the_nearest_as_repair() -> None:
    with pytest.raises(SetpointError) as stopped:
        plan("swappiness 150", facts="goal latency; os rhel-8;")
    error = stopped.value.diagnostics.errors[0]
    assert error.code == "E0301"
    assert error.help[1].startswith("`set swappiness 100` instead of 150 (verified")
    assert [fix.edits[0].text for fix in error.fixes] == ["", "100", "60"]


def test_a_list_of_cpus_is_never_chosen() -> None:
    text = (
        SITE.partition("hazard shared-cpu")[0]
        + 'constraint own of lab at "Run 8" { when goal latency; require isolated cpu-list; because "ours"; }'
    )
    assert refused(text=text).code == "E0306"
    assert decided(plan("isolated 5", text=text), "isolated").value == "5"


# --------------------------------------------------------------------------------------- the domain


def test_the_domain_has_what_is_mentioned_and_the_gaps() -> None:
    assert site().variables["fan-step"].values == ("1", "2", "3", "4", "5", "6", "7", "8", "9")
    assert site().variables["irq-delay"].values == (
        *("off", "1us", "2us to 29us", "30us", "31us to 499us", "500us", "501us to 999us", "1000us"),
    )
    assert site().variables["isolated"].values == ("none", "2-3", "other cpu-list")


@given(low=st.integers(0, 50), count=st.integers(1, 60), step=st.integers(1, 7), data=st.data())
def test_every_number_belongs_to_one_value(low: int, count: int, step: int, data: st.DataObject) -> None:
    scale = Numbers(low, low + count * step, step, "x")
    numbers = range(low, low + count * step + 1, step)
    mentioned = data.draw(st.sets(st.sampled_from(numbers)))
    domain = scale.domain(mentioned)
    found = []
    for value in domain:
        ends = [scale.number(end) for end in value.split(" to ")]
        found += [number for number in numbers if ends[0] <= number <= ends[-1]]
    assert found == list(numbers)
    assert {scale.text(number) for number in mentioned} <= {*domain}


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 5)), min_size=1, max_size=6))
def test_a_list_of_cpus_names_the_same_cpus_in_its_canonical_form(parts: list[tuple[int, int]]) -> None:
    text = ",".join(f"{first}-{first + more}" if more else f"{first}" for first, more in parts)

    def cpus(text: str) -> set[int]:
        ends = [part.split("-") for part in text.split(",")]
        return {cpu for each in ends for cpu in range(int(each[0]), int(each[-1]) + 1)}

    canonical = CpuLists().canonical(text)
    assert cpus(canonical) == cpus(text)
    assert CpuLists().canonical(canonical) == canonical
    assert len(canonical.split(",")) == len([cpu for cpu in cpus(text) if cpu - 1 not in cpus(text)])


QUANTITIES = ("power-limit", "fan-step", "irq-delay", "swappiness", "cores-per-processor")


@given(data=st.data())
@settings(max_examples=examples(60), deadline=None)
def test_a_plan_is_that_of_the_cell_but_for_the_number(data: st.DataObject) -> None:
    """Two numbers of one cell, both offered, decide everything else alike."""
    setting = data.draw(st.sampled_from(QUANTITIES))
    variable = site().variables[setting]
    scale = variable.scale
    assert isinstance(scale, Numbers)
    cell = data.draw(
        st.sampled_from([value for value in variable.values if is_cell(value)] or variable.values)
    )
    ends = [scale.number(end) for end in cell.split(" to ") if variable.is_quantity(end)]
    assume(ends)
    numbers = st.sampled_from(range(ends[0], min(ends[-1], ends[0] + 500) + 1, scale.step))
    first, second = data.draw(numbers), data.draw(numbers)
    goal = data.draw(st.sampled_from(site().variables["goal"].values))
    other = data.draw(st.sampled_from(["", "power-limit 300W", "fan-step 6", "swappiness 10"]))
    assume(not other.startswith(setting))
    sides: list[object] = []
    codes: list[str] = []
    for number in (first, second):
        sets = [f"{setting} {scale.text(number)}", *([other] if other else [])]
        try:
            found = plan(*sets, facts=FACTS.replace("latency", goal))
        except SetpointError as error:
            codes += (here := sorted(d.code for d in error.diagnostics.errors))
            sides.append(here)
        else:
            assert decided(found, setting).value == scale.text(number)
            sides.append(_without_the_number(found, setting))
    assume("E0502" not in codes)  # an offer may have a step of its own
    assert sides[0] == sides[1]


def _without_the_number(plan: Plan, setting: str) -> str:
    settings = tuple(
        d._replace(value="", label="", spelled=()) if d.setting == setting else d for d in plan.settings
    )
    return PLACE.sub("", repr(plan._replace(settings=settings, advisories=())))


PLACE = re.compile(r"Span\([^)]*\)")


def test_a_wrong_number_of_a_scale_says_why() -> None:
    with pytest.raises(WrongQuantityError, match="no number is above 9"):
        Numbers(1, 9, 1, "").alternative("above 9")
    with pytest.raises(WrongQuantityError, match="is not a range"):
        Numbers(1, 9, 1, "").alternative("7 to 3")
