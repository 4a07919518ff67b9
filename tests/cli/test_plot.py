"""`explain --plot`: the measurements of a setting as a picture, which shows the figures that the text lists."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as Xml

import matplotlib
import pytest

from setpoint.compiler.cli import OK, OUTSIDE, USAGE, explain
from setpoint.compiler.knowledge.load import measurements
from setpoint.compiler.knowledge.model import Knowledge, Measurement
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.language.written import quote
from setpoint.compiler.pipeline import knowledge_for, planned
from setpoint.compiler.render.drawing import COLOURS, PlotPanel
from setpoint.compiler.render.plot import IN_LABEL, panels, plot
from setpoint.compiler.resolution.figures import relevant
from setpoint.docs.hooks.reference.source_plots import source_panels, source_plots
from support.command import ROOT, setpoint

OLD = "goal balanced; cpu e5504; numa unaware"
SVG = "{http://www.w3.org/2000/svg}"


def drawn(policy: str, setting: str) -> str:
    program = program_of_text(policy)
    (one,) = planned(program, knowledge_for(program))
    assert one.plan is not None
    decision = one.plan.setting(setting)
    assert decision is not None
    return plot(one.knowledge, one.plan, decision)


def texts(picture: str) -> list[str]:
    return texts_of(Xml.fromstring(picture))


def texts_of(part: Xml.Element) -> list[str]:
    return ["".join(each.itertext()) for each in part.iter(f"{SVG}text")]


@pytest.fixture(scope="module")
def interleaving() -> str:
    return drawn(OLD, "node-interleaving")


def test_it_has_a_panel_for_each_place_with_what_was_varied_and_what_was_held(interleaving: str) -> None:
    assert [text for text in texts(interleaving) if not re.fullmatch(r"-?[\d.]+", text)] == [
        "performance in %",
        "on against off: benchmark three of nine",
        "benchmarks on one server",
        "2 to 4",
        "on against off: benchmark four of nine",
        "benchmarks on one server",
        "-13 to -4",
        "performance in % over node-interleaving off",
        "on: test STREAM, memory bandwidth",
        "on: test SPECint_rate_base2006, os sles-11",
        "on: test SPECfp_rate_base2006, os sles-11",
        "idle-power in %",
        "off, held: benchmark idle cluster of 16",
        "nodes",
        "no figure stated",
        "Measurements of node-interleaving (Node Interleaving)",
        "policy has on: dell-11g-hpc, Node Interleaving (Performance), third case (vendor)",
        "No figure was measured on this hardware (cpu e5504, platform poweredge-11g). The nearest: platform r610, cpu x5570",
        "[dell-11g-hpc, Figure 6].",
        "dell-11g-hpc, Figure 6",
        "platform r610, cpu x5570, sockets 2, os rhel-5, workload hpc",
        "dell-12g-tuning, Figure 8",
        "platform poweredge-12g, cpu e5-2600",
        "note: The text says almost 25% for bandwidth.",
        "dell-11g-hpc, Figure 4",
        "platform m610, cpu x5570, sockets 2, os rhel-5",
        "held: turbo off, c-states off, node-interleaving off, smt off",
        "note: no number is given: about the same under all three profiles, so choose one by the power under load",
    ]


def test_figures_are_drawn_where_the_scale_has_them(interleaving: str) -> None:
    """The ranges of Figure 6: 2 to 4 % and -13 to -4 %, read from the picture by the labels of its scale."""
    first, *_ = (each for each in Xml.fromstring(interleaving).iter() if each.get("id") == "axes_1")
    scale = {
        float("".join(each.itertext())): float(each.attrib["x"])
        for each in first.iter(f"{SVG}text")
        if re.fullmatch(r"-?[\d.]+", "".join(each.itertext()))
    }
    (low, at_low), *_, (high, at_high) = sorted(scale.items())
    points = [float(use.attrib["x"]) for use in first.iter(f"{SVG}use") if COLOURS[0] in use.attrib["style"]]
    values = [low + (x - at_low) * (high - low) / (at_high - at_low) for x in points]
    assert values == pytest.approx([2, 4, -13, -4], abs=0.01)


def test_equal_figures_are_equally_long() -> None:
    """Figures 18 to 20 of a paper, each a panel: what Turbo gains in three benchmarks. A picture has one scale for
    them."""
    picture = Xml.fromstring(drawn("goal latency; platform r650", "turbo"))
    gains = {}
    for axes in picture.iter():
        if (axes.get("id") or "").startswith("axes_") and "performance in %" in texts_of(axes):
            at_zero = min(
                float(use.attrib["x"]) for use in axes.iter(f"{SVG}use") if "0.8" in use.attrib["style"]
            )
            point = max(
                float(use.attrib["x"]) for use in axes.iter(f"{SVG}use") if COLOURS[0] in use.attrib["style"]
            )
            gains[texts_of(axes)[-1]] = point - at_zero
    one = gains["6"] / 6
    assert {text: length / one for text, length in gains.items()} == pytest.approx(
        {"6": 6, "9": 9, "14": 14, "1 to 12": 12}, abs=0.01
    )


@pytest.mark.parametrize(
    ("policy", "note"),
    [
        ("goal efficiency; platform r620", ""),
        (
            "goal latency; platform r650",
            "No figure was measured on this hardware (cpu ice-lake, platform r650). "
            "The nearest: platform poweredge-12g, cpu e5-2600 [dell-12g-tuning, Figure 18].",
        ),
        (
            "goal latency; cpu x5670",
            "No figure was measured on this hardware (cpu x5670, platform poweredge-11g). "
            "The nearest: platform m610, cpu x5570 [dell-11g-hpc, Figure 9].",
        ),
    ],
)
def test_it_says_where_no_figure_is_of_this_hardware(policy: str, note: str) -> None:
    listed = " ".join(setpoint("explain", "-e", policy, "turbo").out.split())
    page = " ".join(setpoint("plan", "-e", policy, "--format", "html").out.split())
    picture = " ".join(texts(drawn(policy, "turbo")))
    said = "No figure was measured"
    assert (note in listed and note in picture and note in page) if note else said not in listed + picture


def test_it_has_every_figure_that_the_text_lists() -> None:
    policy, setting = "goal performance; cpu x5570; workload hep", "smt"
    listed = setpoint("explain", "-e", policy, setting).out.partition("\nMeasurements of")[2]
    numbers = re.findall(r"  (-?\d[\d.]*(?: to -?\d[\d.]*)?) (?:%|SPEC marks|W|VA)", listed)
    shown = texts(drawn(policy, setting))
    assert len(numbers) > 8
    assert [number for number in numbers if number not in shown] == []


def test_values_of_the_setting_have_colours() -> None:
    program = program_of_text("goal performance; cpu skylake; workload weka")
    knowledge = knowledge_for(program)
    (one,) = planned(program, knowledge)
    assert one.plan is not None
    decision = one.plan.setting("smt")
    assert decision is not None
    found: list[PlotPanel] = [
        *panels(knowledge, "smt", relevant(knowledge, one.plan, decision, measurements()).first)
    ]
    power = next(panel for panel in found if panel.scale == "active-power in W")
    assert [(row.label[0].partition(":")[0], row.figure, row.marks[0].colour) for row in power.rows] == [
        ("off", "262.687", COLOURS[1]),
        ("on", "273.54", COLOURS[0]),
    ]


def test_the_bytes_depend_on_no_style_and_no_date(interleaving: str) -> None:
    with matplotlib.rc_context({"lines.linewidth": 9, "axes.grid": True, "svg.fonttype": "path"}):
        assert drawn(OLD, "node-interleaving") == interleaving
    assert not re.search(r"date|matplotlib v|20\d\d-\d\d-\d\d", interleaving, re.IGNORECASE)


HOSTILE = '$\\frac{1}{2}$ <script>alert(1)</script> & "x" ' + "w" * 200


def test_texts_stay_texts() -> None:
    """No formula and no markup; and a long word does not leave the picture."""
    site = f"""
    source lab {{ title "Lab"; publisher "Us"; }}
    measurement mine of lab at {quote("Run $1_2$")} {{
        vary turbo on from off; metric performance in "%"; benchmark {quote(HOSTILE)}; value 7;
        note "one <two>";
    }}
    """
    picture = drawn(f"{site} goal latency; cpu skylake", "turbo")
    shown = texts(picture)
    assert "lab, Run $1_2$" in shown
    assert "on against off: benchmark $\\frac{1}{2}$" in shown
    assert any(text.startswith("<script>alert(1)</script> & ") for text in shown)
    assert "note: one <two>" in shown
    assert not list(Xml.fromstring(picture).iter(f"{SVG}script"))
    assert max(len(text) for text in shown if "www" in text) <= IN_LABEL


# ------------------------------------------------------------------------------------- the command


def test_it_is_written_beside_the_explanation(tmp_path: Path) -> None:
    ran = setpoint("explain", "-e", OLD, "node-interleaving", "--plot", "n.svg", cwd=tmp_path)
    assert ran == setpoint("explain", "-e", OLD, "node-interleaving", cwd=tmp_path)
    assert (tmp_path / "n.svg").read_text(encoding="utf-8") == drawn(OLD, "node-interleaving")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-e", OLD, "turbo", "--plot", "x.png"], "--plot x.png: the name of the picture must end in .svg"),
        (["-e", OLD, "turbo", "--plot", ""], "--plot : the name of the picture must end in .svg"),
        (["E0101", "--plot", "x.svg"], "--plot: name a policy and a setting"),
        (["-e", OLD, "node-interleaving-x", "--plot", "x.svg"], "unknown setting"),
        (
            ["-e", OLD, "determinism", "--plot", "x.svg"],
            "--plot: `determinism` has no value on this server",
        ),
        (
            ["-e", "goal latency; cpu skylake; os debian 12", "skew-tick", "--plot", "x.svg"],
            "--plot: there is no measurement of `skew-tick` for this policy",
        ),
        (
            [str(ROOT / "examples/hpc-fleet/fleet.tune"), "turbo", "--plot", "x.svg"],
            "--plot: choose one policy with --policy or --group: fleet-compute, fleet-login",
        ),
    ],
)
def test_what_cannot_be_drawn(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        status = explain.run(words)
    except SystemExit as end:
        status = int(end.code or 0)
    assert (status, message in capsys.readouterr().err) == (USAGE, True)
    assert list(tmp_path.iterdir()) == []


def test_without_its_library_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert explain.run(["-e", OLD, "turbo", "--plot", str(tmp_path / "x.svg")]) == OUTSIDE
    assert capsys.readouterr().err == (
        "error: `--plot` needs the library matplotlib\n"
        "help: install Setpoint with its extra `plots`; from a checkout: `pipx install '.[plots]'`\n"
    )


def test_without_a_picture_it_is_not_loaded() -> None:
    code = (
        "import sys; from setpoint.compiler.cli.explain import run;"
        f"assert run(['-e', {OLD!r}, 'turbo']) == {OK}; print('matplotlib' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(ROOT / ".dev")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.endswith("False\n")


# -------------------------------------------------------------------------------- by source, for the manual


def of_place(source: str, at: str) -> tuple[Measurement, ...]:
    return tuple(each for each in measurements() if (each.citation.source, each.citation.at) == (source, at))


def test_settings_that_differ_are_series(knowledge: Knowledge) -> None:
    """CERN's watts (Section 8.1.1): a row for each processor and load, and a point for each setting of SMT and
    Turbo."""
    figures = [each for each in of_place("cern-nehalem", "Section 8.1.1") if len(each.held) == 1]
    first, *_ = source_panels(knowledge, tuple(figures), (("os", "slc-5"), ("sockets", "2")))
    assert first.scale == "active-power in W"
    assert [name for name, _ in first.legend] == [
        "smt off, turbo off",
        "smt off, turbo on",
        "smt on, turbo off",
        "smt on, turbo on",
    ]
    assert len(first.rows) == 6
    (row,) = (each for each in first.rows if " ".join(each.label).startswith("x5570, not stated, load"))
    assert [mark.high for mark in row.marks] == [325.632, 359.091, 356.214, 372.953]
    assert [mark.colour for mark in row.marks] == [colour for _, colour in first.legend]
    assert row.figure == "325.632 to 372.953"


def test_an_effect_says_what_was_changed_and_what_was_held(knowledge: Knowledge) -> None:
    """CERN's gain of busy siblings: 20 to 25 % (Figure 11)."""
    one, other = source_plots(knowledge, of_place("cern-nehalem", "Figure 11"))
    assert (one.held, other.held) == ("smt on, turbo on", "smt on, turbo on")
    assert one.common.startswith("cpu x5570, os slc-5, sockets 2, workload hep, benchmark test40")
    shown = texts(one.picture)
    assert "20 to 25" in shown
    assert "smt-placement smt against" in shown
    assert one.note.startswith("Grows linearly")


def test_every_number_of_a_source_is_drawn(knowledge: Knowledge) -> None:
    figures = [each for each in measurements() if each.citation.source == "dell-12g-tuning" and each.low]
    count = sum(
        len(row.marks)
        for each in figures
        for panel in source_panels(knowledge, (each,), ())
        for row in panel.rows
    )
    assert count == len(figures) > 30
    assert len({each.citation.at for each in figures}) == len(
        {plot.at for plot in source_plots(knowledge, figures)}
    )
