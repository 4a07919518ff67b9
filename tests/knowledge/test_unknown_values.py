"""The help for unknown values: the value that was probably meant, but never another machine."""

import pytest

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.knowledge.chains import MOST_LEVELS
from setpoint.compiler.knowledge.load import with_site
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import planned

COVERED = "covered: "
ALL_OF_THE_PLATFORMS = (
    "covered: as-1115cs-tnr, dl360-gen10, dl360-gen10-plus, dl380a-gen11, dl385-gen10-plus-v2, poweredge-11g, poweredge-12g, poweredge-13g, poweredge-14g, "
    "poweredge-15g, poweredge-15g-amd, poweredge-16g-amd, poweredge-16g-intel, poweredge-17g-intel, proliant-gen11-intel, sr670-v2, sys-821ge-tnhr, thinksystem-v1, thinksystem-v3-amd, "
    "thinksystem-v3-intel, ucs-m5, ucs-m6-amd, ucs-m6-intel, ucs-m7, ucs-m8-amd, ucs-m8-intel, and 67 narrower values; if "
    "yours is not listed, state the one of these that it belongs to; `setpoint kb show platform` lists all"
)
RELEASES = "known releases: rhel-5, rhel-6, rhel-7, rhel-8, rhel-9, rhel-10"
GROUPS = (
    "state `linux` (Linux) or `linux-4.12` (Linux with kernel 4.12 or later) or `linux-5.3` (Linux with kernel 5.3 or later)"
    " or `modern-linux` (Linux with kernel 5.6 or later)"
)
"""The values that they lie within, however far."""


def help_for(fact: str) -> str:
    """The help of the one finding on a fact."""
    program = program_of_text(f"{fact};")
    (each,) = planned(program, with_site(()))
    (found,) = each.findings
    assert found.code == "E0202"
    return found.help[0]


@pytest.mark.parametrize(
    ("fact", "meant"),
    [
        ("goal latncy", "latency"),
        ("cpu westmer", "westmere"),
        ("cpu e5-2690v4", "e5-2690-v4"),
        ("platform r-710", "r710"),
        ("os windows 2008 r2", "windows-server-2008-r2"),
        ("os rhel 6.", "rhel-6"),
        ("interconnect inifniband", "infiniband"),
    ],
)
def test_a_typing_mistake_is_corrected(fact: str, meant: str) -> None:
    assert help_for(fact) == f"did you mean `{meant}`?"


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("oracle", "`oracle-database`"),  # not `storage`, which has more of its letters
        ("hana", "`sap-hana` or `sap-hana-netapp`"),
        ("storge", "`storage`"),
        ("elastic", "`elasticsearch`"),
    ],
)
def test_a_value_of_a_condition_is_rather_one_with_the_same_words(value: str, meant: str) -> None:
    rule = f'rule one of lab at "1" {{ when workload {value}; use turbo on; because "b"; }}'
    with pytest.raises(SetpointError) as caught:
        with_site(program_of_text(f'source lab {{ title "Notes"; publisher "Our lab"; }} {rule}').site)
    (found,) = caught.value.diagnostics
    assert found.help == (f"did you mean {meant}?",)


@pytest.mark.parametrize(
    ("fact", "what_is_covered"),
    [
        ("platform dl380-of-1998", COVERED),
        ("cpu e5-2690-v5", COVERED),
        ("cpu z5671", COVERED),
        ("cpu 5670", COVERED),
        ("os solaris 11", "covered: linux, windows, and 27 narrower values; "),
    ],
)
def test_an_unlisted_value_never_becomes_another_machine(fact: str, what_is_covered: str) -> None:
    assert help_for(fact).startswith(what_is_covered)


@pytest.mark.parametrize("fact", ["os rhel", "os rhel 11", "os rhel 66", "os rhel-6.99"])
def test_of_a_release_that_is_not_listed_the_help_names_the_others(fact: str) -> None:
    assert help_for(fact) == f"{RELEASES}; for another, {GROUPS}"


def test_what_other_releases_lie_within_is_named_by_its_title() -> None:
    """Ubuntu 18.04 has 4.15, which is in none of the groups of the releases that are listed, but in a wider one."""
    assert help_for("os ubuntu 18.04") == (
        f"known releases: ubuntu-20.04, ubuntu-22.04, ubuntu-24.04, ubuntu-26.04; for another, {GROUPS}"
    )


@pytest.mark.parametrize(
    ("fact", "end"),
    [
        ("goal latency cpu westmere", "goal latency"),
        ("os rhel 6.4 cpu westmere", "os rhel 6.4"),
        ("goal latency workload hpc cpu westmere", "goal latency"),
    ],
)
def test_two_facts_in_one_lack_a_semicolon(fact: str, end: str) -> None:
    assert help_for(fact) == f"is a `;` missing after `{end}`?"


def test_the_help_lists_the_covered_values() -> None:
    assert help_for("platform dl380-of-1998") == ALL_OF_THE_PLATFORMS


def test_all_values_of_a_small_fact_are_listed() -> None:
    assert help_for("dimm-voltage 1.2v") == "known: 1.35v, 1.5v"
    assert help_for("goal speedy").startswith("known: balanced, density, efficiency, latency, ")


def refused(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(SetpointError) as caught:
        with_site(program_of_text(text).site)
    return caught.value.diagnostics


def test_unknown_values_in_knowledge_get_the_same_help() -> None:
    (known, unlisted) = refused("cpu a1 { within westmer; } cpu a2 { within e5-2690-v5; }")
    assert known.help == ("did you mean `westmere`?",)
    assert unlisted.help[0].startswith("covered: a1, broadwell, cascade-lake, core-i7-965, ")
    assert "e5-2690-v5" not in unlisted.help[0]


def tower(levels: int) -> str:
    """Values that each lie within the one before."""
    return 'cpu v0 { title "x"; }' + "".join(f"cpu v{i} {{ within v{i - 1}; }}" for i in range(1, levels + 1))


def test_values_may_lie_deep_within_one_another() -> None:
    cpu = with_site(program_of_text(tower(MOST_LEVELS)).site).variables["cpu"]
    assert len(cpu.names(cpu.below("v0"))) == MOST_LEVELS + 1


def test_values_that_lie_too_deep_are_reported_once() -> None:
    (found,) = refused(tower(3_000))
    assert (found.code, found.message) == (
        "K07", f"`v{MOST_LEVELS + 1}` lies within others, more than {MOST_LEVELS} levels deep",
    )  # fmt: skip


def test_a_long_circle_is_found() -> None:
    ring = "".join(f"cpu v{i} {{ within v{(i + 1) % 3_000}; }}" for i in range(3_000))
    assert refused(ring)[0].message == "`v0` lies within itself"


@pytest.mark.parametrize("name", ["rhel-5..6", "rhel-5.", "rhel-" + "9" * 5_000])
def test_a_name_that_only_looks_like_a_release_is_not_one(name: str) -> None:
    program = program_of_text(f"os {name} {{ within linux; }} os rhel 99;")
    (each,) = planned(program, with_site(program.site))
    (found,) = (f for f in each.findings if f.code == "E0202")
    assert found.help[0].startswith("known releases: rhel-5, rhel-6, ")
    assert name not in found.help[0].split("; ")[0].split(", ")


def test_a_version_of_absurd_length_is_unknown() -> None:
    """It would be looked up from its end, as many times as it has parts. The help still names the release."""
    assert help_for("os rhel 9" + ".1" * 10) == "did you mean `rhel-9` (Red Hat Enterprise Linux 9)?"
