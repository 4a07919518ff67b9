"""Evaluation of Intel's Nehalem architecture (CERN openlab, 2009): its findings on SMT and Turbo, and all its
tables."""

import re
from fractions import Fraction

import pytest

from conformance.cern_appendix import ALICE, CORE_I7_MARKS, MARKS, MIXED, POWER
from conformance.printed import Cell, cells, figure
from setpoint.compiler.knowledge.model import Citation, Knowledge
from support.ask import decision, warnings

PAPER = "cern-nehalem"


# ---------------------------------------------------------------------------------------------------- its findings


@pytest.mark.parametrize("cpu", ["l5520", "e5540", "x5570"])
def test_smt_is_on_for_physics_throughput_and_dells_off_is_shown_as_beaten(cpu: str) -> None:
    decided = decision(f"goal throughput; workload hep; cpu {cpu}; os slc 5", "smt")
    assert decided.value == "on"
    assert decided.because[0].citation == Citation(PAPER, "Final conclusion")
    assert decided.because[0].strength == "measured"
    beaten = {(lost.name, lost.value, lost.reason) for lost in decided.beat}
    assert ("dell-11g-hpc.table-6.smt.performance", "off", "out-of-scope") in beaten
    assert ("dell-11g-hpc-2009.table-6.smt.performance", "off", "withdrawn") in beaten


@pytest.mark.parametrize(
    ("policy", "setting", "value", "at"),
    [
        ("goal throughput; workload hep", "turbo", "on", "Section 4.4.1"),
        ("goal throughput; workload hep", "smt-placement", "loose-no-smt", "Section 5.4.1; Section 5.5"),
        ("goal efficiency; workload hep", "smt", "on", "Section 5.4"),
        # "increased the performance of a real application", and "never a penalizing factor on the energy consumption"
        ("goal performance; workload hep", "smt", "on", "Final conclusion"),
        ("goal balanced; workload hep", "smt", "on", "Section 5.4.2"),
    ],
)
@pytest.mark.parametrize("os", ["slc 5", "rhel 7", "debian 12"])
def test_findings(policy: str, setting: str, value: str, at: str, os: str) -> None:
    decided = decision(f"{policy}; cpu x5570; os {os}", setting)
    assert decided.value == value
    assert decided.because[0].citation == Citation(PAPER, at)
    assert decided.because[0].strength == "measured"


@pytest.mark.parametrize("os", ["slc 5", "rhel 7", "debian 12"])
def test_siblings_are_used_last_since_they_slow_each_other_down(os: str, knowledge: Knowledge) -> None:
    """26 s alone on a core, 42 s beside another job: packing jobs on siblings while cores are free costs time."""
    alone, beside = (
        float(figure(knowledge, PAPER, "Section 5.4.1", "run-time", work=work, smt_placement=placement))
        for work, placement in (
            ("one test40 process on one core", "strict-no-smt"),
            ("two test40 processes on one core", "smt"),
        )
    )
    assert alone < beside < 2 * alone
    for goal in ("throughput", "efficiency"):
        assert (
            decision(f"goal {goal}; workload hep; cpu nehalem; os {os}", "smt-placement").value
            == "loose-no-smt"
        )


def test_nobody_compared_the_energy_of_few_jobs() -> None:
    """Figure 14 has both siblings in use on every core; Figure 10, which has fewer jobs, is a picture."""
    decided = decision("goal efficiency; workload hep; cpu nehalem; os slc 5", "smt-placement")
    assert decided.because[0].citation == Citation(PAPER, "Figure 14")
    assert decided.because[0].strength == "test-first"


@pytest.mark.parametrize(
    ("facts", "value"),
    [
        ("cpu e5540", "on"),
        ("cpu e5540; smt off", "on"),
        ("cpu l5520", "on"),
        ("cpu x5570", "off"),
        ("cpu x5570; smt off", "off"),
    ],
)
def test_turbo_for_energy_is_what_the_appendix_comes_to(facts: str, value: str) -> None:
    """With SMT, which the study advises for energy, unless the policy sets it off."""
    cpu, _, without = facts.partition("; ")
    policy = f"goal efficiency; workload hep; {cpu}" + (f'; set {without} because "bench"' if without else "")
    decided = decision(policy, "turbo")
    assert decided.value == value
    assert decided.because[0].citation == Citation(PAPER, f"{AT_MARKS}; {AT_POWER}")
    assert (decided.because[0].claimed, decided.because[0].strength) == ("measured", "measured")


@pytest.mark.parametrize("facts", ["cpu nehalem", 'cpu l5520; set smt off because "bench"'])
def test_turbo_for_energy_is_no_advice_where_the_appendix_has_none(facts: str) -> None:
    """Its models differ, so that it says nothing of all; and on the L5520 without SMT, Turbo mostly cost energy."""
    decided = decision(f"goal efficiency; workload hep; {facts}", "turbo")
    assert decided.value == "off"
    assert all(cause.source != PAPER for cause in decided.because)


@pytest.mark.parametrize(
    ("workload", "value"), [("", "off"), ("; workload hpc", "off"), ("; workload java", "on")]
)
def test_a_throughput_gain_in_physics_says_nothing_of_other_work(workload: str, value: str) -> None:
    decided = decision(f"goal throughput; cpu nehalem{workload}", "smt")
    assert (decided.value, decided.written) == (value, value == "off")  # on is the vendor's default
    assert all(cause.citation and cause.citation.source != PAPER for cause in decided.because)


def test_a_throughput_gain_never_argues_with_latency() -> None:
    decided = decision("goal latency; workload hep; cpu nehalem", "smt")
    assert (decided.value, decided.written) == ("on", False)  # the vendor's default
    assert all(lost.citation and lost.citation.source != PAPER for lost in decided.beat)


def test_on_other_processors_it_is_cited_with_a_warning() -> None:
    policy = "goal throughput; workload hep; cpu westmere"
    assert (decision(policy, "smt").value, decision(policy, "smt").because[0].strength) == (
        "on",
        "out-of-scope",
    )
    assert any("`cern-nehalem` does not cover this server or use" in w for w in warnings(policy, "W0301"))


# --------------------------------------------------------------------------------------------- gains in the text


@pytest.mark.parametrize(
    ("printed", "at", "metric", "vary", "where"),
    [
        ("1 to 12", "Section 4.4.1", "performance", "turbo on from off", {}),
        ("19 to 30", "Section 4.4.1", "performance", "smt on from off", {}),
        ("15 to 20", "Final conclusion", "performance", "smt on from off", {}),
        ("58.4", "Final conclusion", "performance", "cpu l5520 from harpertown-5410", {}),
        ("36", "Section 4.4.1", "energy-efficiency", "cpu l5520 from harpertown-5410", {}),
        ("140", "Figures 5 and 7", "performance", "", {"cpu": "l5520"}),
        ("150", "Figures 5 and 7", "performance", "", {"cpu": "e5540"}),
        ("170", "Figures 5 and 7", "performance", "", {"cpu": "x5570"}),
        ("0.411", "Figure 8", "energy-efficiency", "", {"cpu": "l5520"}),
        ("0.393", "Figure 8", "energy-efficiency", "", {"cpu": "e5540"}),
        ("0.389", "Figure 8", "energy-efficiency", "", {"cpu": "x5570"}),
        ("0.295", "Figure 8", "energy-efficiency", "", {"cpu": "core-i7-965"}),
        ("60.76", "Section 4.4.1, reference system", "performance", "", {"cpu": "harpertown-5410"}),
        ("200", "Section 4.4.1, reference system", "power", "", {"cpu": "harpertown-5410"}),
        ("0.303", "Section 4.4.1, reference system", "energy-efficiency", "", {"cpu": "harpertown-5410"}),
        ("15", "Section 4.4.1, compilers", "performance", "", {"mode": "32 bit", "bios": "SMT on, Turbo off"}),
        ("5", "Section 4.4.1, compilers", "performance", "", {"mode": "64 bit", "bios": "SMT on, Turbo off"}),
        ("32", "Section 4.4.2", "run-time", "", {"program": "test40, one run", "unit": "s", "cpu": "harpertown-e5472"}),
        ("34", "Section 4.4.2", "run-time", "", {"program": "test40, one run", "unit": "s", "cpu": "e5540"}),
        ("0.47", "Section 4.4.2", "run-time", "",
         {"program": "tbb, real fit time a track", "unit": "us", "cpu": "harpertown-e5472"}),
        ("0.51", "Section 4.4.2", "run-time", "",
         {"program": "tbb, real fit time a track", "unit": "us", "cpu": "e5540"}),
        ("95", "Section 4.4.2, throughput and cycles", "ratio", "", {"quantity": "test40 throughput, of the E5472"}),
        ("10.4", "Section 4.4.2, throughput and cycles", "ratio", "",
         {"quantity": "test40 cycles saved over the E5472"}),
        ("20 to 40", "Section 4.4.2", "energy-efficiency", "cpu e5540 from harpertown-e5472",
         {"benchmark": "test40, throughput per watt"}),
        ("3 to 10", "Section 4.4.2", "energy-efficiency", "cpu e5540 from harpertown-e5472",
         {"benchmark": "tbb, throughput per watt"}),
        ("780", "Section 4.4.2, 16 threads", "energy-efficiency", "",
         {"program": "test40", "against": "of E5472 with 1 thread", "smt": "on", "turbo": "on"}),
        ("18.75", "Section 4.4.2, 16 threads", "energy-efficiency", "",
         {"program": "test40", "against": "over E5472 with 8 threads"}),
        ("542", "Section 4.4.2, 16 threads", "energy-efficiency", "",
         {"program": "tbb", "against": "of E5472 with 1 thread", "smt": "on", "turbo": "on"}),
        ("1.84", "Section 4.4.2, 16 threads", "energy-efficiency", "",
         {"program": "tbb", "against": "over E5472 with 8 threads"}),
        ("26", "Section 5.4.1", "run-time", "", {"work": "one test40 process on one core"}),
        ("52", "Section 5.4.1", "run-time", "", {"work": "two test40 processes on one core", "smt_placement": "strict-no-smt"}),
        ("42", "Section 5.4.1", "run-time", "", {"work": "two test40 processes on one core", "smt_placement": "smt"}),
        ("20 to 25", "Figure 11", "performance", "smt-placement smt from strict-no-smt", {}),
        ("15", "Figure 11", "energy-efficiency", "smt-placement smt from strict-no-smt", {}),
        ("38.9", "Section 5.4.2", "run-time", "",
         {"smt_placement": "strict-no-smt", "physical_cores": "2", "threads": "2"}),
        ("34.2", "Section 5.4.2", "run-time", "",
         {"smt_placement": "smt", "physical_cores": "2", "threads": "4"}),
        ("2.033", "Section 5.4.2", "energy", "", {"smt_placement": "strict-no-smt"}),
        ("1.917", "Section 5.4.2", "energy", "", {"smt_placement": "smt"}),
        ("12", "Figure 14", "performance", "smt-placement smt from strict-no-smt", {}),
        ("1 to 7", "Figure 14", "energy-efficiency", "smt-placement smt from strict-no-smt", {}),
        ("15", "Section 5.5", "performance", "smt-placement smt from strict-no-smt", {}),
        ("17", "Figure 15", "performance", "smt on from off", {"cpu": "irwindale"}),
        ("29", "Figure 16", "performance", "smt-placement smt from strict-no-smt", {"cpu": "irwindale"}),
        ("545.737", "Section 5.6.1", "run-time", "", {"logical_cores": "2", "physical_cores": "2"}),
        ("769.933", "Section 5.6.1", "run-time", "", {"logical_cores": "2", "physical_cores": "1"}),
        ("2.61", "Section 5.7.1", "performance", "",
         {"benchmark": "test40 beside tbb on each core, against test40 alone"}),
        ("-1.28", "Section 5.7.1", "performance", "",
         {"benchmark": "tbb beside test40 on each core, against tbb alone"}),
    ],
)  # fmt: skip
def test_figures(
    printed: str, at: str, metric: str, vary: str, where: dict[str, str], knowledge: Knowledge
) -> None:
    assert figure(knowledge, PAPER, at, metric, vary, **where) == printed


# ------------------------------------------------------------------------------------------------------- its tables

METRICS = {
    "Active Power [W]": "active-power",
    "Apparent Power [W]": "apparent-power",
    "Power Factor": "power-factor",
    "Runtime AVG(m)": "run-time",
    "CPU-time AVG(m)": "cpu-time",
    "Runtime AVG (s)": "run-time",
    "CPU-time AVG (s)": "cpu-time",
    "Throughput": "throughput",
}


@pytest.mark.parametrize("cell", cells(POWER), ids=str)
def test_appendix_power(cell: Cell, knowledge: Knowledge) -> None:
    state, configuration = cell.row.split(", ")
    cpu, smt, turbo, speedstep = re.fullmatch(  # type: ignore[union-attr]
        r"(.+) SMT-(\w+) turbo-(\w+)(?: SpeedStep=(off))?", configuration
    ).groups()
    where = {"cpu": cpu.lower().replace(" ", "-"), "state": state.lower(), "smt": smt, "turbo": turbo}
    if cpu == "Core i7 965":
        at, where["memory_gb"], where["memory_frequency"] = "Section 8.1.2", "6", "1333"
    else:
        at, where["memory_gb"], where["memory_frequency"] = "Section 8.1.1", "24", "1066"
        where["speedstep"] = speedstep or "not stated"
    assert figure(knowledge, PAPER, at, METRICS[cell.column], **where) == cell.text


@pytest.mark.parametrize(
    ("unstated", "without", "smt", "state"),
    [
        ("117.232", "130.809", "off", "idle"),
        ("129.266", "148.379", "on", "idle"),
        ("292.483", "317.111", "off", "load"),
        ("316.216", "319.316", "on", "load"),
    ],
)
def test_power_without_speedstep_is_shown_with_the_setting_that_fixes_the_clock(
    unstated: str, without: str, smt: str, state: str, knowledge: Knowledge
) -> None:
    """SpeedStep off is the frequency at its maximum: `cpu-power-management max-performance` on a PowerEdge.

    Of the other rows the appendix does not say how the frequency was governed, and neither does the knowledge base.
    """
    where = {"cpu": "e5540", "smt": smt, "turbo": "off", "state": state}
    at, metric = "Section 8.1.1", "active-power"
    held = {"speedstep": "off", "cpu_power_management": "max-performance"}
    assert figure(knowledge, PAPER, at, metric, **where, **held) == without
    assert figure(knowledge, PAPER, at, metric, **where, speedstep="not stated") == unstated


def test_power_management_is_given_where_the_appendix_names_speedstep_alone(knowledge: Knowledge) -> None:
    for m in knowledge.measurements:
        if m.citation == Citation(PAPER, "Section 8.1.1"):
            governed = "cpu-power-management" in {name for name, _ in (*m.held, *m.when)}
            assert governed == (dict(m.labels)["speedstep"] == "off")


def test_a_comparison_of_compilers_is_not_a_figure_about_a_setting(knowledge: Knowledge) -> None:
    """ICC over GCC was measured with SMT on and Turbo off throughout."""
    compilers = [
        m for m in knowledge.measurements if m.citation == Citation(PAPER, "Section 4.4.1, compilers")
    ]
    assert len(compilers) == 2
    for m in compilers:
        assert m.varied is None
        assert not {"smt", "turbo"} & {name for name, _ in (*m.held, *m.when)}


@pytest.mark.parametrize(
    ("configuration", "cell"), [(c, cell) for c in MARKS for cell in cells(MARKS[c])], ids=str
)
def test_appendix_marks(configuration: str, cell: Cell, knowledge: Knowledge) -> None:
    at = "Section 8.2.1"
    where = {"cpu": cell.column.lower(), "memory_frequency": "1066"}
    assert figure(knowledge, PAPER, at, "performance", **where, **_run(configuration, cell.row)) == cell.text


@pytest.mark.parametrize("cell", cells(CORE_I7_MARKS), ids=str)
def test_appendix_marks_of_the_core_i7(cell: Cell, knowledge: Knowledge) -> None:
    where = {"cpu": "core-i7-965", "memory_frequency": "1333"}
    assert (
        figure(knowledge, PAPER, "Section 8.2.2", "performance", **where, **_run(cell.column, cell.row))
        == cell.text
    )


# -------------------------------------------------------------------------------- work for each watt, from the appendix

AT_MARKS, AT_POWER = "Section 8.2.1", "Section 8.1.1"

MARKS_BY = {
    (cell.column, configuration, cell.row): Fraction(cell.text)
    for configuration, table in MARKS.items()
    for cell in cells(table)
}
WATTS = {cell.row: Fraction(cell.text) for cell in cells(POWER) if cell.column == "Active Power [W]"}


def work_per_watt(cpu: str, configuration: str, row: str) -> Fraction:
    """SPEC marks for each watt of 20 % idle and 80 % load (Section 3)."""
    machine = f"{cpu} {configuration.replace('Turbo', 'turbo')}"
    mix = WATTS[f"Idle, {machine}"] / 5 + WATTS[f"Load, {machine}"] * 4 / 5
    return MARKS_BY[cpu, configuration, row] / mix


@pytest.mark.parametrize(("cpu", "configuration", "row"), MARKS_BY, ids=str)
def test_work_per_watt_is_computed_from_the_cells(
    cpu: str, configuration: str, row: str, knowledge: Knowledge
) -> None:
    """Five significant digits, or four where the marks have no more (`112.5`, `92.57`)."""
    found = figure(
        knowledge,
        PAPER,
        f"{AT_MARKS}; {AT_POWER}",
        "energy-efficiency",
        cpu=cpu.lower(),
        memory_frequency="1066",
        **_run(configuration, row),
    )
    marks = next(c.text for c in cells(MARKS[configuration]) if (c.column, c.row) == (cpu, row))
    digits = len(marks.replace(".", ""))
    assert len(found.removeprefix("0.")) == digits
    assert abs(Fraction(found) - work_per_watt(cpu, configuration, row)) <= Fraction(1, 2 * 10**digits)


def test_work_per_watt_of_the_core_i7_is_computed_too(knowledge: Knowledge) -> None:
    for cell in cells(CORE_I7_MARKS):
        machine = f"Core i7 965 {cell.column.replace('Turbo', 'turbo')}"
        mix = WATTS[f"Idle, {machine}"] / 5 + WATTS[f"Load, {machine}"] * 4 / 5
        where = {"cpu": "core-i7-965", **_run(cell.column, cell.row)}
        found = figure(knowledge, PAPER, "Section 8.2.2; Section 8.1.2", "energy-efficiency", **where)
        assert abs(Fraction(found) - Fraction(cell.text) / mix) <= Fraction(1, 20_000)


@pytest.mark.parametrize(
    ("cpu", "smt", "gains"),
    [("E5540", "on", 6), ("E5540", "off", 5), ("L5520", "on", 6), ("L5520", "off", 1), ("X5570", "on", 1), ("X5570", "off", 0)],
)  # fmt: skip
def test_how_many_of_six_runs_gain_by_turbo(cpu: str, smt: str, gains: int) -> None:
    found = [
        row
        for row in {row for _, _, row in MARKS_BY}
        if work_per_watt(cpu, f"SMT-{smt} Turbo-on", row) > work_per_watt(cpu, f"SMT-{smt} Turbo-off", row)
    ]
    assert len(found) == gains


def test_derived_figures_say_what_they_are_computed_from(knowledge: Knowledge) -> None:
    derived = [m for m in knowledge.measurements if m.computed and m.citation.source == PAPER]
    assert len(derived) == 72 + 24
    assert {m.computed.partition(", the divisor")[0] for m in derived} == {
        "performance / (0.2 active-power (state idle) + 0.8 active-power (state load))"
    }


def _run(configuration: str, row: str) -> dict[str, str]:
    """`SMT-off Turbo-on` and `32 bit, Gcc 4.1.2` as facts, settings and labels."""
    smt, turbo = (word.split("-")[1] for word in configuration.split())
    mode, compiler = row.split(", ")
    return {"smt": smt, "turbo": turbo, "mode": mode, "compiler": compiler}


@pytest.mark.parametrize("cell", cells(ALICE), ids=str)
def test_alice_framework(cell: Cell, knowledge: Knowledge) -> None:
    where = dict(
        zip(("disks", "processes", "physical_cores", "logical_cores"), cell.row.split(", "), strict=True)
    )
    assert figure(knowledge, PAPER, "Section 5.5", METRICS[cell.column], **where) == cell.text


@pytest.mark.parametrize("cell", cells(MIXED), ids=str)
def test_mixed_jobs(cell: Cell, knowledge: Knowledge) -> None:
    where = dict(
        zip(("run", "threads", "physical_cores", "logical_cores"), cell.row.split(", "), strict=True)
    )
    where["run"] = where["run"].replace("(only)", "only")
    assert figure(knowledge, PAPER, "Section 5.7.1", METRICS[cell.column], **where) == cell.text


def test_the_tables_have_no_figure_more(knowledge: Knowledge) -> None:
    sections = ("Section 8.1.1", "Section 8.1.2", "Section 8.2.1", "Section 8.2.2")
    ours = [m for m in knowledge.measurements if m.citation.source == PAPER and m.citation.at in sections]
    marks = [cell for table in MARKS.values() for cell in cells(table)]
    assert len(ours) == len(cells(POWER)) + len(marks) + len(cells(CORE_I7_MARKS))
