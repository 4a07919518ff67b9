"""What a profile inherits: merged as tuned merges, and what an audit says of it.

The real tuned merges the same profiles, where it is installed: its release is that of Debian 12.
"""

from __future__ import annotations

from configparser import RawConfigParser
from pathlib import Path

import pytest

from audit import DEBIAN, audited, codes, messages, values
from consumers.tuned_lint import lint, require_tuned
from setpoint.compiler.audit.inherited import parents_of
from setpoint.compiler.captures.profiles import (
    ENABLED,
    MAIN,
    OF_UNITS,
    VARIABLES,
    merged,
    options_of,
    profiles_in,
)
from setpoint.compiler.entries.variables import expanded, values_of
from setpoint.compiler.knowledge.shipped import shipped

OF_DEBIAN_12 = "2.20.0"


def merged_options(profile: str, release: str = OF_DEBIAN_12) -> dict[str, dict[str, str]]:
    """The options of each section of a profile with those that it inherits."""
    own = options_of(profile)
    lines = [one for one in own if (one.section, one.name) == (MAIN, "include")]
    names = [name for line in lines for name in profiles_in(line.text)]
    found = parents_of(shipped(), release, names, own[0])
    assert found is not None
    options = merged([*found[0], [one for one in own if one not in lines]])
    variables = values_of((one.name, one.text) for one in options if one.section == VARIABLES)
    sections: dict[str, dict[str, str]] = {}
    for one in options:
        if one.name not in OF_UNITS and one.section not in (MAIN, VARIABLES):
            sections.setdefault(one.section, {})[one.name] = expanded(one.text, variables)
    return sections


LATENCY = {
    "cpu": {
        "force_latency": "cstate.id_no_zero:1|3",
        "governor": "performance",
        "energy_perf_bias": "performance",
        "min_perf_pct": "100",
    },
    "sysctl": {"vm.dirty_ratio": "10", "vm.dirty_background_ratio": "3", "vm.swappiness": "10"},
}

MERGED = [
    # a profile, and what it has of the sections of latency-performance
    ("[main]\ninclude=latency-performance\n", LATENCY),
    (
        "[main]\ninclude=latency-performance\n[sysctl]\nreplace=1\nvm.swappiness=1\n",
        LATENCY | {"sysctl": {"vm.swappiness": "1"}},
    ),
    # `on` is not true for tuned: the section is merged
    (
        "[main]\ninclude=latency-performance\n[sysctl]\nreplace=on\nvm.swappiness=1\n",
        LATENCY | {"sysctl": LATENCY["sysctl"] | {"vm.swappiness": "1"}},
    ),
    (
        "[main]\ninclude=latency-performance\n[sysctl]\ndrop=vm.dirty_ratio, vm.dirty_background_ratio\n",
        LATENCY | {"sysctl": {"vm.swappiness": "10"}},
    ),
    (
        "[main]\ninclude=latency-performance\n[variables]\nshare=20\n[sysctl]\nvm.dirty_ratio=${share}\n",
        LATENCY | {"sysctl": LATENCY["sysctl"] | {"vm.dirty_ratio": "20"}},
    ),
]


@pytest.mark.parametrize(("profile", "expected"), MERGED)
def test_sections_are_merged(profile: str, expected: dict[str, dict[str, str]]) -> None:
    assert merged_options(profile) == expected


def test_the_last_of_several_profiles_takes_precedence() -> None:
    found = merged_options("[main]\ninclude=throughput-performance, latency-performance\n")
    assert found["sysctl"]["vm.dirty_ratio"] == "10"
    assert found["disk"] == {"readahead": ">4096"}


def test_isolated_cores_reach_the_boot_line() -> None:
    found = merged_options("[main]\ninclude=cpu-partitioning\n[variables]\nisolated_cores=2-19\n")
    (line,) = (text for name, text in found["bootloader"].items() if name == "cmdline_cpu_part")
    assert "nohz_full=2-19 rcu_nocbs=2-19" in line
    assert "tuned.non_isolcpus=${f:cpulist2hex:" in line  # which CPUs there are, the server knows


@pytest.mark.parametrize(("profile", "_expected"), MERGED)
def test_the_real_tuned_merges_alike(
    profile: str, _expected: dict[str, dict[str, str]], tmp_path: Path
) -> None:
    require_tuned()
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "tuned.conf").write_text(profile)
    found = lint(tmp_path / "lab")
    real = {name: dict(unit.options) for name, unit in found.units.items() if unit.options}
    assert merged_options(profile) == real


def test_the_table_is_what_the_package_ships() -> None:
    """The options of each profile that the table has are those of its file."""
    require_tuned()
    for name in shipped().profiles:
        options = shipped().options(name, OF_DEBIAN_12)
        path = Path("/usr/lib/tuned", name, "tuned.conf")
        if options is None or not path.exists():
            continue
        parser = RawConfigParser(delimiters=("=",), inline_comment_prefixes=("#",), strict=False)
        parser.optionxform = str  # type: ignore[assignment,method-assign]
        parser.read(path)
        for section, option, text in options:
            assert " ".join(parser.get(section, option).split()) == text, (name, section, option)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("${f:cpulist_unpack:1-3,5}", "1,2,3,5"),
        ("${f:cpulist_unpack:0-5,^3,!1}", "0,2,4,5"),
        ("${f:cpulist_pack:1,2,3,5}", "1-3,5"),
        ("${f:cpulist2hex:0-3}", "0000000f"),
        ("${f:cpulist2hex:32}", "00000001,00000000"),
        ("${f:cpulist2devs:1-3,5}", "cpu1,cpu2,cpu3,cpu5"),
        ("${f:hex2cpulist:00000007}", "0,1,2"),
        ("${f:strip:  foo :bar  }", "foo bar"),
        ("${f:kb2s:4}", "8"),
        ("${f:s2kb:8}", "4"),
        ("${f:regex_search_ternary:2-7:\\s*[0-9]: isolcpus=2-7:}", " isolcpus=2-7"),
        ("${f:cpulist2hex:${f:cpulist_unpack:0-1}}", "00000003"),
        # what the server decides stays as it is
        ("${f:cpulist_invert:1}", "${f:cpulist_invert:1}"),
        ("${f:exec:uname}", "${f:exec:uname}"),
        ("${undefined}", "${undefined}"),
        # an expression that some texts make slow is not tried
        ("${f:regex_search_ternary:aaaa:(a+)+b:x:y}", "${f:regex_search_ternary:aaaa:(a+)+b:x:y}"),
    ],
)
def test_functions(text: str, expected: str) -> None:
    assert expanded(text, {}) == expected


def test_variables_that_double_do_not_fill_the_memory() -> None:
    pairs = [("v0", "x" * 9)] + [(f"v{n + 1}", f"${{v{n}}}${{v{n}}}") for n in range(60)]
    assert max(map(len, values_of(pairs).values())) <= 10_000


# --------------------------------------------------------------------------------------- what is said

RHEL = "os rhel 9"


def test_files_contradict_what_a_profile_inherits() -> None:
    found = audited(
        "transparent_hugepage=never",
        "[main]\ninclude=hpc-compute\n",
        "kernel.numa_balancing = 1\nvm.zone_reclaim_mode = 0\n",
        server=RHEL,
    )
    assert codes(found) == ["E0906"] * 3
    assert all("include=hpc-compute" in message for message in messages(found, "E0906"))


def test_a_section_that_is_replaced_contradicts_nothing() -> None:
    profile = "[main]\ninclude=latency-performance\n[cpu]\nno_turbo=1\n[sysctl]\nreplace=1\nvm.swappiness=1\n"
    found = audited(profile, "vm.dirty_ratio = 40\n", server=f"{RHEL}; platform r750")
    assert messages(found, "E0906") == []
    assert values(found)["dirty-ratio"] == "40"
    assert values(found)["turbo"] == "off"
    assert "dirty-background-ratio" not in values(found)


OF_PROFILES = sorted(name for name in shipped().profiles if shipped().options(name, OF_DEBIAN_12) is not None)
DEFAULTS = {"kernel.numa_balancing": "1", "vm.zone_reclaim_mode": "0", "kernel.nmi_watchdog": "1"}


@pytest.mark.alike
@pytest.mark.parametrize("profile", OF_PROFILES)
def test_what_a_profile_sets_is_never_called_redundant_beside_it(profile: str) -> None:
    """Left out, the profile's value would stand."""
    include = f"[main]\ninclude={profile}\n"
    found = audited(include, "".join(f"{name} = {text}\n" for name, text in DEFAULTS.items()))
    called = " ".join(messages(found, "W0905"))
    assert [name for name in merged_options(include).get("sysctl", {}) if f"`{name} =" in called] == []


def test_what_every_kind_of_machine_gets_is_inherited() -> None:
    """The profile includes one of two others, as the machine is; both have the swappiness of a third, or a larger
    one."""
    found = audited("[main]\ninclude=openshift\n")
    assert values(found)["readahead"] == "4096"
    assert "swappiness" not in values(found)


def test_what_the_profile_has_already_is_redundant() -> None:
    found = audited("[main]\ninclude=latency-performance\n[sysctl]\nvm.swappiness=10\n")
    assert codes(found) == ["W0905"]
    assert "a profile that `include=latency-performance` brings has it" in found.findings[0].message


def test_a_profile_of_the_site_is_not_read() -> None:
    found = audited("[main]\ninclude=lab-base\n")
    assert codes(found) == ["W0903"]


def test_several_profiles_are_read() -> None:
    found = audited("[main]\ninclude=latency-performance, hpc-compute\n", server=DEBIAN)
    assert codes(found) == []
    assert values(found)["transparent-hugepages"] == "always"


def test_only_some_texts_switch_a_section_on() -> None:
    assert values(
        audited("[vm]\nenabled=yes\ntransparent_hugepages=never\n[cpu]\ngovernor=performance\n")
    ) == {"governor": "performance"}
    assert ENABLED in OF_UNITS


def test_a_release_that_lacks_a_profile_does_not_count() -> None:
    """Of those of Enterprise Linux 8, the first has no hpc-compute."""
    found = audited("[main]\ninclude=hpc-compute\n", server="os rhel 8")
    assert codes(found) == []
    assert values(found)["transparent-hugepages"] == "always"
