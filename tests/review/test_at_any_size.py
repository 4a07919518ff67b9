"""A comparison plans only what can have changed. It finds what it would find by planning everything."""

import tempfile
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from review.sides import TODAY, Files, compare, only, setting, write
from setpoint.compiler.comparison import artifacts, planner
from setpoint.compiler.comparison import differences as comparing
from setpoint.compiler.comparison.differences import differences
from setpoint.compiler.comparison.sides import side
from setpoint.compiler.pipeline import plan_subject
from setpoint.compiler.render.difference_json import comparison_json
from support.effort import examples

STATEMENTS = (
    "goal latency",
    "goal efficiency",
    "goal",  # a syntax error
    "cpu westmere",
    "cpu skylake",
    'set turbo on because "REASON"',  # stops the build under goal efficiency
    'set turbo off because "REASON"',
    'set smt off because "REASON"',
    'set nothing on because "REASON"',
    'accept turbo-vs-efficiency because "REASON" until 2030-01-01',
    'accept turbo-vs-efficiency because "REASON" until 2020-01-01',
    'accept override of turbo because "REASON"',
    'require strength vendor because "REASON"',
    'expect turbo on because "REASON"',
    "manage all",
)


def _bodies(*first: str) -> st.SearchStrategy[str]:
    more = st.lists(st.sampled_from(STATEMENTS), unique=True, max_size=3)
    return more.map(lambda more: "".join(f"{each};\n" for each in (*first, *more)))


def _perhaps(block: str) -> st.SearchStrategy[str]:
    return st.just("") | _bodies().map(lambda body: block.replace("BODY", body))


SERVER = _bodies("goal latency", "cpu westmere")
KINDS = st.tuples(
    SERVER | SERVER | _bodies() | st.just('include "common.tune";'),
    _perhaps("for group login { BODY }"),
    _perhaps("for host c042 { BODY }"),
    _perhaps("policy base { BODY } policy web extends base { }"),
).map("".join)
"""What a file can say; few of them, so that several files say the same."""

NAMES = st.sampled_from(("a.tune", "b.tune", "c.tune", "d.tune"))


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    kinds=st.lists(KINDS, min_size=1, max_size=3),
    common=st.lists(SERVER, min_size=2, max_size=2),
    data=st.data(),
)
def test_as_if_everything_were_planned(kinds: list[str], common: list[str], data: st.DataObject) -> None:
    texts = st.builds(
        lambda kind, reason: kind.replace("REASON", reason), st.sampled_from(kinds), st.sampled_from("xyz")
    )
    folders = st.dictionaries(NAMES, texts, max_size=4)
    same = data.draw(folders)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("old", "new"):
            files = {**same, **data.draw(folders), "common.tune": data.draw(st.sampled_from(common))}
            write(Path(folder, name), files)
        old, new = (str(Path(folder, name)) for name in ("old", "new"))
        found = differences(side(old, "", TODAY), side(new, "", TODAY))
        with (
            patch.object(comparing, "says_the_same", lambda *_: False),
            patch.object(artifacts, "_without_words", lambda plan: plan),
        ):
            everything = differences(side(old, "", TODAY), side(new, "", TODAY))
    assert comparison_json(found) == comparison_json(everything)
    assert found == everything


def _fleet(changed: range = range(0)) -> dict[str, str]:
    """Forty policies with reasons of their own, of which some change."""
    return {
        f"p{n}.tune": "goal efficiency; cpu westmere; "
        + f'set turbo on because "deadline of {"May" if n in changed else "April"}, OPS-{n}"; '
        + f'accept turbo-vs-efficiency because "power is {"cheap" if n in changed else "not billed"}, FIN-{n}";'
        for n in range(40)
    }


@pytest.mark.parametrize(
    ("old", "new", "plans"),
    [
        (_fleet(), _fleet(), 1),  # all say the same: it is enough to know that one of them compiles
        (_fleet(), _fleet(changed=range(10, 20)), 20),  # ten change, on both sides
        ("goal latency; cpu westmere;", "# as before\ngoal latency; cpu westmere;", 1),
    ],
)
def test_of_policies_that_say_the_same_those_that_change_are_planned(
    tmp_path: Path, old: Files, new: Files, plans: int
) -> None:
    with patch.object(planner, "plan_subject", wraps=plan_subject) as planned:
        compare(tmp_path, old, new)
    assert planned.call_count == plans


def test_the_artifacts_of_policies_with_the_same_values_are_made_once(tmp_path: Path) -> None:
    def fleet(turbo: str) -> dict[str, str]:
        policy = 'goal latency; cpu westmere; set turbo {} because "measured, LAB-{}";'
        return {f"p{n}.tune": policy.format(turbo, n) for n in range(9)}

    artifacts._emitted.cache_clear()
    found = compare(tmp_path, fleet("on"), fleet("off")).differences
    assert len(found) == 9
    assert {each.artifacts for each in found} == {found[0].artifacts}
    assert {carrier.settings for carrier in found[0].artifacts} == {("turbo",)}
    assert artifacts._emitted.cache_info().misses == 2


def test_each_has_its_own_reasons(tmp_path: Path) -> None:
    found = compare(tmp_path, _fleet(), _fleet(changed=range(12, 14)))
    for number, each in zip((12, 13), found.differences, strict=True):
        change, (hazard,) = setting(each, "turbo"), each.hazards
        assert (each.policy, change.kind, hazard.kind) == (f"p{number}", "reason", "reworded")
        assert change.old and change.old.cause.because == f"deadline of April, OPS-{number}"
        assert change.new and change.new.cause.because == f"deadline of May, OPS-{number}"
        assert hazard.old.because == f"power is not billed, FIN-{number}"
        assert hazard.new.because == f"power is cheap, FIN-{number}"


def test_a_file_that_others_include_changes_them(tmp_path: Path) -> None:
    policies = {f"p{n}.tune": f'include "site.tune"; goal latency; sockets {n};' for n in (1, 2, 4)}
    old, new = ({**policies, "site.tune": f"cpu {cpu};"} for cpu in ("westmere", "skylake"))
    assert [each.policy for each in compare(tmp_path, old, new).differences] == ["p1", "p2", "p4"]


def test_knowledge_that_changes_is_planned_with(tmp_path: Path) -> None:
    lab = 'source lab {{ title "Lab"; publisher "Lab"; }} rule lab-smt of lab at "1" {{ when goal latency; use smt {}; because "x"; }}'
    policy = 'include "lab.tune"; goal latency; cpu westmere;'
    old, new = ({"p.tune": policy, "lab.tune": lab.format(value)} for value in ("on", "off"))
    change = setting(only(compare(tmp_path, old, new)), "smt")
    assert (change.old and change.old.value, change.new and change.new.value) == ("on", "off")
