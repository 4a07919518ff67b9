"""The figures that `explain` shows: those that support the winning value, then those measured nearest to this server.

It makes no difference whether they come from a table of figures or not.
"""

import re
from pathlib import Path

import pytest

from support.command import setpoint

R720 = "platform r720; os rhel 7"


def measured(policy: str, setting: str) -> str:
    """The output of `explain` below `Measurements of`; "" if it shows no figures."""
    return setpoint("explain", "-e", policy, setting).out.partition(f"\nMeasurements of {setting}\n")[2]


def places(text: str) -> list[str]:
    """The places in sources that figures are shown from, in their order."""
    return re.findall(r"^  \[(.+?)\]", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("policy", "setting", "first"),
    [
        (f"goal throughput; {R720}", "smt", ["dell-12g-tuning, Figure 10", "dell-12g-tuning, Figure 11"]),
        (
            f"goal throughput; {R720}",
            "memory-mode",
            ["dell-12g-tuning, Figure 5", "dell-12g-tuning, Figure 7"],
        ),
        ("goal efficiency; cpu westmere; workload hpc", "turbo", ["dell-11g-hpc, Figure 13"]),
    ],
)
def test_the_figures_that_the_winner_cites_come_first(policy: str, setting: str, first: list[str]) -> None:
    assert places(measured(policy, setting))[: len(first)] == first


def test_figures_of_a_table_are_listed_below_their_common_conditions() -> None:
    assert measured(f"goal throughput; {R720}", "smt").startswith(
        """\
  [dell-12g-tuning, Figure 10] platform poweredge-12g, cpu e5-2600, os sles-11
    on  performance  34 % over smt off  test 445.gobmk
    on  performance  19 % over smt off  test 403.gcc
    on  performance  11 % over smt off  test 456.hmmer
    on  performance  9 % over smt off   test 462.libquantum
    note: Integer workloads of SPECint_rate_base2006.

  [dell-12g-tuning, Figure 11] platform poweredge-12g, cpu e5-2600, os sles-11
    on  performance  22 % over smt off   test 435.gromacs
    on  performance  0 % over smt off    test 470.lbm
    on  performance  -10 % over smt off  test 436.cactusADM
"""
    )


def test_the_nearer_generation_comes_before_the_farther() -> None:
    assert places(measured(f"goal throughput; {R720}", "node-interleaving")) == [
        "dell-12g-tuning, Figure 8",
        "dell-11g-hpc, Figure 6",
    ]


def test_a_figure_of_several_settings_is_shown_with_each_of_them() -> None:
    for setting in ("data-reuse", "dcu-streamer-prefetcher"):
        text = measured("goal performance; cpu x5670; workload fluent", setting)
        assert "dell-11g-hpc, Figure 11" in places(text)
        assert "on  performance  5 % over both off  test Fluent truck_poly_14m" in text


def test_a_figure_that_only_held_the_setting_constant_says_so() -> None:
    text = measured("goal performance; platform c6420; workload hpc", "sub-numa-cluster")
    assert places(text)[-1] == "dell-14g-hpc, Figure 1"
    assert "on, held  bandwidth  195 GB/s  access full system - 36 threads" in text


def test_a_figure_that_varied_another_setting_is_not_shown() -> None:
    assert "turbo-over-infiniband" not in measured("goal latency; cpu x5670; workload hpc", "c-states")


def test_of_a_long_table_a_part_is_shown_nearest_first_and_the_rest_is_counted() -> None:
    text = measured("goal performance; cpu x5570; workload hep", "smt")
    rows = [line for line in text.splitlines() if "SPEC marks  mode" in line]
    assert "[cern-nehalem, Section 8.2.1] os slc-5, sockets 2, turbo on, cpu x5570" in text
    assert rows[0].split()[:3] == ["off", "performance", "118.21"]
    assert rows[1].split()[:3] == ["on", "performance", "151.44"]
    assert len(rows) < 10
    assert re.search(
        r"^  \d+ more, which `setpoint kb show SOURCE` shows: cern-nehalem, ", text, re.MULTILINE
    )


def test_figures_of_a_site_that_are_not_shown_are_where_its_file_is(tmp_path: Path) -> None:
    rows = "".join(f'    row "run {number}" on {number};\n' for number in range(1, 9))
    (tmp_path / "lab.tune").write_text(
        'source lab { title "Bench notes"; publisher "Us"; }\n'
        'measurements "Night 1" of lab when cpu skylake {\n    label run;\n    metric latency in "us";\n'
        f"    columns run data-reuse latency;\n{rows}}}\n"
    )
    policy = tmp_path / "p.tune"
    policy.write_text('include "lab.tune";\ngoal latency; cpu x5670;\n')
    out = setpoint("explain", "p.tune", "data-reuse", cwd=tmp_path).out
    assert re.search(r"^  2 more, .*: lab \(in \S*lab.tune\)$", out, re.MULTILINE)


def test_a_measurement_without_a_figure_says_so() -> None:
    text = measured("goal latency; platform r720; os rhel 7", "intel-idle")
    assert "on against off  idle-power  no figure stated  benchmark idle" in text


def test_a_ratio_is_shown_as_a_plain_number() -> None:
    text = measured("goal throughput; cpu x5570; os slc 5; workload hep", "smt")
    assert re.search(r"power-factor +0\.976  ", text)


def test_power_under_load_comes_before_power_at_rest() -> None:
    """Section 8.1.1, X5570 with SMT: 356.214 and 372.953 W under load; the text has 133.288 and 133.136 W idle
    first."""
    text = measured("goal throughput; workload hep; cpu x5570; os slc 5", "turbo")
    rows = [line.split() for line in text.splitlines() if "active-power" in line]
    assert [(row[0], row[2]) for row in rows][:2] == [("off", "356.214"), ("on", "372.953")]
    assert "not stated, state idle" not in text


@pytest.mark.parametrize(
    ("policy", "setting"),
    [
        ("goal throughput; workload hep; cpu x5570; os slc 5", "turbo"),
        ("goal efficiency; cpu x5670; workload hpc", "turbo"),
        ("goal performance; cpu x5570; workload hep", "smt"),
    ],
)
def test_a_figure_is_shown_with_its_counterpart(policy: str, setting: str) -> None:
    """Each row of the appendix with one value of the setting has one with the other; none is cut off from it."""
    found: dict[str, set[str]] = {}
    for group in measured(policy, setting).split("\n\n"):
        if "Section 8." not in group:
            continue
        for line in group.splitlines()[1:]:
            columns = re.split(r" {2,}", line.strip())
            if columns[0] in ("on", "off"):
                same = f"{group.splitlines()[0]} {columns[1]} {columns[-1]}"
                found.setdefault(same, set()).add(columns[0])
    assert found
    assert all(values == {"on", "off"} for values in found.values()), found


def test_each_source_is_named_once_with_title_and_address() -> None:
    out = setpoint("explain", "-e", "goal latency; cpu e5-2680; os debian 12", "governor").out
    assert out.count("https://github.com/redhat-performance/tuned") == 1
    assert out.count("TuneD: the shipped profiles (profiles/NAME/tuned.conf), Red Hat") == 1
    listed = out.partition("\nSources\n")[2]
    assert re.findall(r"^  (\S+) ", listed, re.MULTILINE) == ["tuned-profiles"]
    turbo = setpoint("explain", "-e", "goal efficiency; cpu x5670; workload hpc", "turbo").out
    names = re.findall(r"^  (\S+)  ", turbo.partition("\nSources\n")[2], re.MULTILINE)
    assert names == ["cern-nehalem", "dell-11g-hpc"]


def test_the_position_in_the_order_of_decision_is_relative_to_the_plan() -> None:
    """`c-states` is the third of all settings, and the second of those that an R710 has."""
    out = setpoint("explain", "-e", "goal latency; platform r710; cpu x5670", "c-states").out
    assert re.match(r"c-states = off    C-States, firmware, decided 2nd of 113\n", out)
