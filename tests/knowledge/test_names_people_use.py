"""A name that Setpoint does not use leads to the one that it uses: attributes, kernel arguments, marketing names.

Titles, menu labels and the names that servers report are in the knowledge base anyway; `aliases` adds the others.
"""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.knowledge.load import standard, with_site
from setpoint.compiler.knowledge.lookup import setting_meant
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import knowledge_for, planned
from support.command import ROOT, setpoint


def finding(text: str) -> Diagnostic:
    """The one error of a policy."""
    program = program_of_text(f"goal latency; {text}")
    (each,) = planned(program, knowledge_for(program))
    (found,) = each.findings.errors
    return found


@pytest.mark.parametrize(
    ("called", "setting"),
    [
        ("LogicalProc", "smt"),
        ("hyperthreading", "smt"),
        ("HyperThreading", "smt"),
        ("hyper-threading", "smt"),
        ("thp", "transparent-hugepages"),
        ("transparent_hugepage", "transparent-hugepages"),
        ("vm.swappiness", "swappiness"),
        ("intel_idle.max_cstate", "intel-idle"),
        ("scaling_governor", "governor"),
        ("SNC", "sub-numa-cluster"),
        ("trubo", "turbo"),
    ],
)
def test_a_setting_is_found_by_other_names(called: str, setting: str) -> None:
    help_ = finding(f'set {called} off because "x"').help[0]
    assert help_.startswith(f"did you mean `{setting}`"), help_


def test_several_settings_that_a_name_may_mean_are_shown_with_titles() -> None:
    assert finding('set epb performance because "x"').help == (
        "did you mean `energy-perf-bias` (Energy/performance bias) or `energy-performance-bias` (Energy Efficient Policy)?",
    )


def test_a_setting_that_is_not_covered_is_not_guessed() -> None:
    help_ = finding('set fan-curve low because "x"').help
    assert help_ == (
        f"the knowledge base has {len(standard().settings)} settings; `setpoint kb list settings` lists them",
    )


def test_a_setting_written_as_a_fact_gets_its_statement() -> None:
    assert finding("hyperthreading disabled").help == ('`smt` is a setting: `set smt off because "…";`',)


def test_a_fact_is_found_by_other_names() -> None:
    assert finding("processor x5670").help == ("did you mean `cpu` (Processor)?",)
    assert finding("server r740").help == ("did you mean `platform` (Server)?",)


def test_a_value_is_found_by_the_label_of_the_menu() -> None:
    assert finding('set smt Disabled because "x"').help[0] == "did you mean `off`?"


@pytest.mark.parametrize(
    ("stated", "meant"),
    [
        ("workload database", "io-bound"),
        ("workload kvm", "virtualized"),
        ("workload trading", "latency-bound"),
        ("platform PowerEdge R740", "r740"),
        ("platform PowerEdge R740xd", "poweredge-14g"),  # a model by its generation, which reports it
        ("cpu xeon-x5670", "x5670"),
        ("cpu 6150", "xeon-gold-6150"),
        ("cpu Intel Xeon Gold 6150 CPU", "xeon-gold-6150"),
        ("os centos 7", "rhel-7"),
        ("os rocky 8.6", "rhel-8"),
    ],
)
def test_a_value_is_found_by_other_names(stated: str, meant: str) -> None:
    help_ = finding(stated).help[0]
    assert help_.startswith(f"did you mean `{meant}`"), help_


def spelled(file: str, *keys: str) -> Iterator[tuple[str, str]]:
    """The settings of a target's table, each with the names that the target has for it."""

    def names(entry: Any) -> Iterator[str]:
        for key, value in entry.items() if isinstance(entry, dict) else ():
            if key in ("attribute", "add", "remove", "option"):
                yield value.partition("=")[0]
            elif key == "options":
                yield from value
            else:
                yield from names(value)

    tables = tomllib.loads((ROOT / "targets" / file).read_text(encoding="utf-8"))
    for key in keys:
        tables = tables[key]
    yield from {(setting, name) for setting, entry in tables.items() for name in names(entry)}


@pytest.mark.parametrize(
    "table",
    [
        ("_bios/attributes.toml", "settings"),
        ("_kernel/spelling.toml", "arguments"),
        ("_tuned/spelling.toml", "profile"),
        ("syscfg/options.toml", "options", "poweredge-11g"),
    ],
    ids=lambda table: table[0],
)
def test_every_spelling_that_a_target_writes_leads_back_to_its_setting(table: tuple[str, ...]) -> None:
    pairs = sorted(spelled(*table))
    assert len(pairs) > 3
    astray = [(s, name) for s, name in pairs if s not in setting_meant(standard(), name)]
    assert astray == []


# ------------------------------------------------------------------------------------------ a site's own

SITE = """
source lab { title "Bench notes"; publisher "Example Ltd"; }
setting fan-offset { title "Fan offset"; layer firmware; values low, high; }
aliases fan-offset "ThermalBias", "fan curve";
aliases workload io-bound "clickhouse";
aliases workload memory-bound "clickhouse";
"""


def test_a_site_adds_aliases_for_its_own_settings_and_the_librarys_values() -> None:
    assert finding(f'{SITE} set thermal-bias low because "x"').help == (
        "did you mean `fan-offset` (Fan offset)?",
    )
    assert finding(f"{SITE} workload ClickHouse").help[0] == (
        "did you mean `io-bound` (Bound by disk or network I/O: databases, mail) or "
        "`memory-bound` (Bound by memory bandwidth)?"
    )


def test_an_alias_decides_nothing() -> None:
    plain = standard()
    site = with_site(program_of_text('aliases smt "SMT threads";').site)
    assert [a.texts for a in site.aliases if a.name == "smt"] == [
        ("HT", "SMT threads", "hyperthreading", "logicproc")
    ]
    assert site._replace(aliases=(), site=frozenset(), measurements=()) == plain._replace(aliases=())


@pytest.mark.parametrize(
    ("statement", "code", "message"),
    [
        ('aliases trubo "x"', "E0201", "unknown fact or setting `trubo`"),
        ('aliases workload nosuch "x"', "E0202", "unknown workload `nosuch`"),
        ('aliases smt maybe "x"', "E0202", "`smt` has no value `maybe`"),
        ('aliases smt "-"', "K07", "the alias is empty"),
    ],
)
def test_an_alias_belongs_to_something(statement: str, code: str, message: str) -> None:
    program = program_of_text(statement)
    with pytest.raises(SetpointError) as caught:
        with_site(program.site)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == (code, message)


# ---------------------------------------------------------------------------------------- the command line


@pytest.mark.parametrize(
    ("called", "meant"),
    [
        ("hyperthreading", "`smt`"),
        ("PowerEdge R740", "`r740`"),
        ("6150", "`xeon-gold-6150`"),
        ("database", "`io-bound`"),
        ("turbo-vs-eficiency", "`turbo-vs-efficiency`"),
    ],
)
def test_kb_show_knows_other_names(called: str, meant: str) -> None:
    ran = setpoint("kb", "show", called)
    assert (ran.status, ran.err) == (
        2,
        f"setpoint: the knowledge base has no `{called}`; did you mean {meant}?\n",
    )


def test_kb_show_lists_the_aliases() -> None:
    assert "  also known as HT, hyperthreading, " in setpoint("kb", "show", "smt").out
    assert "  also known as  " in setpoint("kb", "show", "io-bound").out


def test_explain_knows_other_names() -> None:
    ran = setpoint("explain", "-e", "goal latency", "thp")
    assert (ran.status, ran.err) == (
        2,
        "setpoint: unknown setting `thp`; did you mean `transparent-hugepages`?\n",
    )
