"""The disputes between the sources of the standard library, of which `explain` shows each."""

import re

import pytest

from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.results import Dispute
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned
from setpoint.compiler.proof.disputes import disputes
from setpoint.compiler.render.explanation import explanation
from support.proven import library_memory


@pytest.fixture(scope="module")
def found(knowledge: Knowledge) -> tuple[Dispute, ...]:
    return disputes(knowledge, library_memory()).disputes


def test_known_disputes_are_found(found: tuple[Dispute, ...]) -> None:
    """Who says what, typed from the sources; then what plans have, and why the other loses."""
    listed = {
        (
            dispute.setting,
            *((side.source, side.value) for side in dispute.sides),
            outcome.value,
            *(loss.reason for loss in outcome.losses),
        )
        for dispute in found
        for outcome in dispute.outcomes
    }
    dell, hpe, weka = "dell-bios-registries", "hpe-com-cmdlets", "weka-bios-tool"
    prefetch, limit = "adjacent-cache-line-prefetch", "force-latency"
    first, paper = "dell-11g-hpc-2009", "dell-11g-hpc"
    assert listed >= {
        (prefetch, ("dell-12g-tuning", "on"), (dell, "off"), "off", "broader"),
        (prefetch, ("dell-12g-tuning", "on"), (dell, "off"), "off", "exception"),
        ("smt", (dell, "on"), (weka, "off"), "on", "weaker-evidence"),
        ("workload-profile", (hpe, "low-latency"), (weka, "io-throughput"), "low-latency", "weaker-evidence"),
        (limit, (paper, "none"), ("tuned-profiles", "c1"), "none", "broader"),
        ("cpu-power-management", (paper, "system-dbpm"), (first, "os-dbpm"), "system-dbpm", "superseded"),
    }


def test_explain_shows_each_with_its_policy(knowledge: Knowledge, found: tuple[Dispute, ...]) -> None:
    for dispute in found:
        for outcome in dispute.outcomes:
            (one,) = planned(program_of_text(outcome.policy), knowledge)
            assert one.context is not None
            assert one.plan is not None
            shown = " ".join(explanation(knowledge, one.context, one.plan, dispute.setting, 110).split())
            said = shown.partition("Sources that cover this server disagree: ")[2]
            sentence = re.split(r"\.(?= |$)", said, maxsplit=1)[0]  # `tuned-2.25` has a full stop of its own
            by_value = {}
            for part in sentence.split("; "):
                sources, value = re.split(" recommends? ", part)
                by_value[value] = sources.split(" and ")
            for side in dispute.sides:
                assert side.source in by_value[side.value], (dispute, shown)
