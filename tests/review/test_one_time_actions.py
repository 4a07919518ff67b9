"""What a comparison says of one-time actions, and what is left to do by hand where no artifact performs them."""

from pathlib import Path

import pytest

from review.sides import compare, only, run, setting, write
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.render.difference import comparison_text
from setpoint.compiler.render.markdown import plan_markdown
from setpoint.compiler.render.plan_text import plan_text
from support.plans import plan_of_text

LAB = """
source lab { title "Bench notes"; publisher "Example Ltd"; }
setting enclave-reset { title "Factory reset of the enclaves"; layer firmware; values off, on; once; }
options of lab when platform poweredge-12g {
    enclave-reset  off "Off", on "On"  default off  menu "System Security"  at "Menu";
}
"""
SERVER = "platform r720;\n"
RESET = 'set enclave-reset on because "another tenant, SEC-12";\n'
AGAIN = 'set enclave-reset on because "another tenant, SEC-14";\n'
LATENCY, EFFICIENCY = f"{LAB}{SERVER}goal latency;\n", f"{LAB}{SERVER}goal efficiency;\n"


@pytest.mark.parametrize(
    ("old", "new", "kind", "says"),
    [
        (LATENCY, LATENCY + RESET, "performs", "off (vendor default) -> on (performed once)"),
        (LATENCY + RESET, LATENCY + AGAIN, "performs", "performed again, since it is another request"),
        (LATENCY + RESET, EFFICIENCY + RESET, "performed", "not performed again where it has been"),
        (LATENCY + RESET, LATENCY, "over", "no longer asked for; what it has done stays: enclave-reset off"),
    ],
)
def test_a_comparison_says_whether_it_is_performed(
    tmp_path: Path, old: str, new: str, kind: str, says: str
) -> None:
    comparison = compare(tmp_path, old, new)
    change = setting(only(comparison), "enclave-reset")
    assert (change.kind, change.acts, change.reboot) == (kind, kind == "performs", kind == "performs")
    assert says in " ".join(comparison_text(comparison, 200).split())
    assert ("enclave-reset" in only(comparison).by_hand) == (kind == "performs")


def test_the_same_request_alone_is_no_change(tmp_path: Path) -> None:
    assert compare(tmp_path, LATENCY + RESET, LATENCY + RESET).differences == ()


def test_a_plan_shows_it_with_a_disposition_of_its_own() -> None:
    judged = judge(plan_of_text(LATENCY + RESET))
    note = "Performed once, and then neither compared nor set back: enclave-reset on."
    assert "set: another tenant, SEC-12; performed once" in " ".join(plan_text(judged, 200).split())
    for text in (plan_text(judged, 200), plan_markdown(judged)):
        assert note in text
    assert "performs nothing" in plan_text(judge(plan_of_text(LATENCY + RESET.replace(" on ", " off "))), 200)


def test_what_no_artifact_performs_is_a_manual_step_and_nowhere_else(tmp_path: Path) -> None:
    folder = write(tmp_path, LATENCY + RESET)
    ran = run("compile", "policy.tune", "-o", "out", folder=folder)
    assert "`enclave-reset` must be set by hand" in ran.err
    steps = (folder / "out" / "manual-steps.md").read_text(encoding="utf-8")
    assert "**: once, set it to **on** (the menu says *On*) at *System Security*." in steps
    assert "do it once on each server, and note where. Afterwards the setting is off again." in steps
    assert "it is to be performed once, and these files keep no record of what was performed" in steps
