"""`kb show SOURCE`: the page of a source, with its tables and figures as the paper prints them."""

import re

import pytest

from support.command import setpoint


def page(source: str) -> str:
    """What `kb show` prints of a source."""
    return setpoint("kb", "show", source).out


def block(text: str, title: str) -> list[list[str]]:
    """The lines below a title up to the next empty one, each as its columns."""
    lines = text.split(f"\n{title}", 1)[1].split("\n\n", 1)[0].splitlines()[1:]
    return [re.split(r" {2,}", line.strip()) for line in lines]


def test_a_table_has_the_rows_and_columns_of_the_paper() -> None:
    """Table 2 of the 12G paper: Performance Optimized, Power Efficient, Latency Sensitive."""
    rows = block(page("dell-12g-tuning"), "Table 2, where platform poweredge-12g")
    assert rows[0] == ["goal", "performance or throughput", "efficiency", "latency"]
    assert rows[2] == ["node-interleaving", "off", "off", "off", "if sockets 2 or 4"]
    assert rows[7:10] == [
        ["turbo", "on", "off", "off"],
        ["c1e", "off", "on", "off"],
        ["c-states", "off", "on", "off"],
    ]
    assert any(
        row[0].startswith("turbo, latency: Turbo may be worth its extra latency jitter") for row in rows
    )


def test_what_a_profile_fixes_is_a_table_too() -> None:
    rows = block(page("dell-12g-tuning"), "Table 1, where platform poweredge-12g")
    assert rows[0][:5] == ["system-profile", "dapc", "os", "performance", "dense"]
    assert ["memory-voltage", "auto", "auto", "auto", "1.5v"] in [row[:5] for row in rows]


def test_figures_are_in_the_columns_of_the_paper_with_their_units() -> None:
    rows = block(page("cern-nehalem"), "Section 8.1.1, where os slc-5, sockets 2")
    assert rows[0][-3:] == ["active-power (W)", "apparent-power (VA)", "power-factor"]
    assert rows[1] == ["l5520", "off", "off", "not stated", "idle", "24", "119.029", "133.191", "0.894"]
    assert rows[24] == ["x5570", "on", "on", "not stated", "load", "24", "372.953", "381.667", "0.977"]
    assert rows[25] == ["held: memory-frequency 1066"]


def test_a_figure_in_words_has_what_it_must_not_be_read_without() -> None:
    shown = " ".join(page("dell-14g-hpc").split())
    assert re.search(r"peak-power -16 % [^;]*;[^;]*; held: smt off", shown)
    table = page("dell-14g-hpc").split("\nFigure 1,")[1].split("\n\n")[0]
    assert "held: sub-numa-cluster on" in table and " 195" in table


@pytest.mark.parametrize("source", ["dell-11g-hpc", "dell-12g-tuning"])
def test_a_source_without_figures_says_so(source: str) -> None:
    assert "idle-power no figure stated" in page(source)
    assert not re.search(r"idle-power +%", page(source))


def test_each_entry_is_shown_once() -> None:
    """A cell is in its table and not among the rules, a figure of a table not among those in words."""
    text = page("dell-12g-tuning")
    assert "dell-12g-tuning.table-2" not in text
    assert "dell-12g-tuning.figure-10" not in text
    assert text.count("turbo-for-throughput-12g") == 1
    assert text.count("445.gobmk       on   34") == 1


def test_a_table_by_its_name_shows_its_cells_with_their_conditions() -> None:
    text = setpoint("kb", "show", "dell-12g-tuning.table-2.turbo").out
    assert text.count("\nrule ") == 2
    assert "where goal performance or throughput, platform poweredge-12g" in text
