"""A setting is offered, absent, or not covered: what a plan, an error and an audit say of each."""

import pytest

from setpoint.compiler.audit.check import audit
from setpoint.compiler.binding.levels import subjects
from setpoint.compiler.diagnostics.source import SourceText
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import knowledge_for
from support.chunks import plan_errors
from support.plans import plan_of_text

KNOWLEDGE = """
source lab { title "Bench notes"; publisher "Example Ltd"; }
setting fans { title "Fans"; layer firmware; values low, high; }
options of lab when vendor dell { fans low "Low", high "High" default low at "Menu"; }
options of lab when platform poweredge-13g { fans absent at "Menus of the 13th generation"; }
options of lab when platform r630 { fans high "Loud" default high at "Menu of the R630"; }
rule loud of lab at "Run 1" { when goal latency; use fans high; because "it is hot"; }
"""

OFFERED = "platform poweredge-14g;"
ABSENT = "platform poweredge-13g;"
NOT_COVERED = "platform sr670-v2;"


@pytest.mark.parametrize(
    ("server", "value"),
    [
        (OFFERED, "high"),
        (ABSENT, None),
        ("platform r630;", "high"),  # a model has what its generation lacks
        ("platform t630;", None),
        (NOT_COVERED, None),
    ],
)
def test_the_narrowest_offer_says_whether_a_server_has_a_setting(server: str, value: str | None) -> None:
    decision = plan_of_text(f"{KNOWLEDGE} goal latency; {server}").setting("fans")
    assert (decision and decision.value) == value


@pytest.mark.parametrize(
    ("server", "code", "message", "note"),
    [
        (
            ABSENT,
            "E0501",
            "`fans` does not exist here",
            "source: lab, Menus of the 13th generation",
        ),
        (
            NOT_COVERED,
            "E0508",
            "`fans` is not covered here: no source says whether this server has it",
            "covered where: platform r630; or vendor dell",
        ),
    ],
)
def test_a_set_of_what_is_absent_and_of_what_is_not_covered(
    server: str, code: str, message: str, note: str
) -> None:
    text = f'{KNOWLEDGE} goal latency; {server} set fans low because "it is loud";'
    (error,) = plan_errors(SourceText("policy.tune", text))
    assert (error.code, error.message, error.notes[0]) == (code, message, note)


@pytest.mark.parametrize(
    ("server", "says"),
    [(ABSENT, "does not exist on this server"), (NOT_COVERED, "is not covered on this server")],
)
def test_an_expectation_of_either(server: str, says: str) -> None:
    text = f'{KNOWLEDGE} goal latency; {server} expect fans high because "it is hot";'
    (finding,) = plan_errors(SourceText("policy.tune", text))
    assert finding.message == f"expected `fans high`, but `fans` {says}"


# The kernel arguments that guides of network functions give for Enterprise Linux 7 and 8: their kernels take them all.
GUIDE = (
    "isolcpus=2-19 nohz_full=2-19 intel_pstate=disable mce=ignore_ce mitigations=off tsc=reliable iommu=pt "
    "intel_iommu=on clocksource=tsc nosmt"
)


def found(text: str, server: str) -> dict[str, str]:
    """The codes of what an audit says of single arguments, by the argument."""
    (subject,) = subjects(program_of_text(server).body, "policy", frozenset())
    done = audit(knowledge_for(program_of_text(server)), subject, [SourceText("cmdline", text)])
    return {
        each.message.split("`")[1]: each.code for each in done.findings if each.code in ("W0904", "W0910")
    }


@pytest.mark.parametrize("release", ["rhel 7", "rhel 8", "rhel 9"])
def test_arguments_of_enterprise_linux_are_read(release: str) -> None:
    assert found(GUIDE, f"os {release}; cpu skylake;") == {}


@pytest.mark.parametrize(
    ("argument", "server", "code"),
    [
        ("amd_pstate=passive", "os debian 12; cpu skylake;", "W0904"),  # the driver says for whom it is
        (
            "isolcpus=managed_irq,2-19",
            "os rhel 7; cpu skylake;",
            "W0904",
        ),  # a text that its kernel does not have
        ("cpuidle.governor=teo", "os rhel 8; cpu skylake;", ""),  # backported
        ("mitigations=off", "os linux; cpu skylake;", ""),  # no release, as for a server that is set up today
        ("mitigations=off", "os linux-4.12; cpu skylake;", "W0910"),  # one from 4.12 on
    ],
)
def test_what_is_absent_has_no_effect_and_what_is_not_covered_is_not_checked(
    argument: str, server: str, code: str
) -> None:
    assert found(argument, server).get(argument, "") == code
