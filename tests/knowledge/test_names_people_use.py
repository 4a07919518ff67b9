"""A name that Setpoint does not use leads to the one that it uses: attributes, kernel arguments, marketing names.

Titles, menu labels and the names that servers report are in the knowledge base anyway; `aliases` adds the others.
"""

import tomllib
from pathlib import Path

import pytest

from setpoint.compiler.diagnostics import Diagnostic, SetpointError
from setpoint.compiler.diagnostics.source import NOWHERE
from setpoint.compiler.knowledge.interfaces import INTERFACES
from setpoint.compiler.knowledge.load import standard, with_site
from setpoint.compiler.knowledge.lookup import printed_value, setting_meant
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import knowledge_for, planned
from setpoint.compiler.plan.model import Plan, PolicyPlaces
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
        ("rx-usecs", "rx-interrupt-delay"),
        ("adaptive-rx", "adaptive-rx-coalescing"),
        ("trubo", "turbo"),
        ("EIST", "speedstep"),
        ("LOM", "latency-optimized-mode"),
        ("hwpm_enable", "hardware-p-states"),
        ("cpu_energy_performance", "energy-performance-bias"),
    ],
)
def test_a_setting_is_found_by_other_names(called: str, setting: str) -> None:
    help_ = finding(f'set {called} off because "x"').help[0]
    assert help_.startswith(f"did you mean `{setting}`"), help_


def test_each_token_of_a_bios_policy_leads_to_its_setting() -> None:
    knowledge = standard()
    tokens = {
        (offer.citation.at, setting)
        for setting, offers in knowledge.offers.items()
        for offer in offers
        if offer.citation.source == "cisco-bios-tokens"
    }
    assert len(tokens) > 40
    assert sorted(each for each in tokens if each[1] not in setting_meant(knowledge, each[0])) == []


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
    assert finding("kernel 5.15").help == ("did you mean `os` (Operating system)?",)
    assert finding("application web").help == ("did you mean `workload` (What runs on it)?",)


def test_a_value_is_found_by_the_label_of_the_menu() -> None:
    assert finding('set smt Disabled because "x"').help[0] == "did you mean `off`?"


@pytest.mark.parametrize(
    ("stated", "meant"),
    [
        ("workload database", "io-bound"),
        ("workload kvm", "virtualized"),
        ("workload hft", "trading"),
        ("workload nginx", "web"),
        ("workload abap", "sap-netweaver"),
        ("workload mariadb", "mysql"),
        ("workload k8s", "kubernetes-node"),
        ("workload cuda", "accelerated"),
        ("workload vran", "ran"),
        ("network-card XL710", "intel-700"),
        ("network-card ice", "intel-800"),
        ("network-card sfc", "solarflare"),
        ("platform PowerEdge R740", "r740"),
        ("platform PowerEdge R740xd", "poweredge-14g"),  # a model by its generation, which reports it
        ("cpu xeon-x5670", "x5670"),
        ("cpu 6150", "xeon-gold-6150"),
        ("cpu Intel Xeon Gold 6150 CPU", "xeon-gold-6150"),
    ],
)
def test_a_value_is_found_by_other_names(stated: str, meant: str) -> None:
    help_ = finding(stated).help[0]
    assert help_.startswith(f"did you mean `{meant}`"), help_


def test_every_option_of_syscfg_leads_back_to_its_setting() -> None:
    table = tomllib.loads((ROOT / "targets/syscfg/options.toml").read_text(encoding="utf-8"))
    pairs = [(name, row["option"]) for rows in table["options"].values() for name, row in rows.items()]
    assert len(pairs) > 3
    assert [(name, word) for name, word in pairs if name not in setting_meant(standard(), word)] == []


def test_every_name_that_an_interface_has_leads_back_to_its_setting() -> None:
    pairs = [
        (name, word)
        for name, spellings in standard().spellings.items()
        for spelling in spellings
        if INTERFACES[spelling.interface].has_texts
        for word in spelling.names
    ]
    assert len(pairs) > 100
    assert [(name, word) for name, word in pairs if name not in setting_meant(standard(), word)] == []


# ------------------------------------------------------------------------------------------ a site's own

SITE = """
source lab { title "Bench notes"; publisher "Example Ltd"; }
setting fan-offset { title "Fan offset"; layer firmware; values low, high; }
aliases fan-offset "ThermalBias", "fan curve";
aliases workload io-bound "duckdb";
aliases workload memory-bound "duckdb";
"""


def test_a_site_adds_aliases_for_its_own_settings_and_the_librarys_values() -> None:
    assert finding(f'{SITE} set thermal-bias low because "x"').help == (
        "did you mean `fan-offset` (Fan offset)?",
    )
    assert finding(f"{SITE} workload DuckDB").help[0] == (
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
        ("database", "`io-bound` or `relational-database`"),
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


# --------------------------------------------------------------------------- as machines print them


@pytest.mark.parametrize(
    ("fact", "printed", "value"),
    [
        ("platform", "PowerEdge R740", "r740"),
        ("platform", "poweredge r740", "r740"),
        ("platform", "POWEREDGE  R730xd", "r730xd"),
        ("platform", "r740", "r740"),
        ("cpu", "Intel(R) Xeon(R) Gold 6150 CPU @ 2.70GHz", "xeon-gold-6150"),
        ("cpu", "Intel(R) Xeon(R) CPU           X5670  @ 2.93GHz", "x5670"),
        ("cpu", "Intel(R) Xeon(R) CPU E5-2630 0 @ 2.30GHz", "e5-2630"),
        ("cpu", "Intel(R) Xeon(R) CPU E5-2650 v4 @ 2.20GHz", "e5-2650-v4"),
        ("cpu", "Intel(R) Xeon(R) CPU E7- 4870  @ 2.40GHz", "e7-4870"),
        ("cpu", "INTEL(R) XEON(R) GOLD 6130", "xeon-gold-6130"),
        ("goal", "Performance", "performance"),
    ],
)
def test_a_value_in_quotes_is_the_same_as_its_name(fact: str, printed: str, value: str) -> None:
    others = "" if fact == "goal" else "goal latency; "
    by_name, by_print = (
        planned_one(f"{others}cpu westmere; {fact} {text}" if fact == "goal" else f"{others}{fact} {text}")
        for text in (value, f'"{printed}"')
    )
    assert by_print == by_name
    assert next(f for f in by_print.facts if f.name == fact)[:3] == (fact, value, value)


SEEN = """
Intel(R) Xeon(R) CPU E5-1607 0 @ 3.00GHz   | e5-1607
Intel(R) Xeon(R) CPU E5-1607 v2 @ 3.00GHz  | e5-1607-v2
Intel(R) Xeon(R) CPU E5-1620 v3 @ 3.50GHz  | e5-1620-v3
Intel(R) Xeon(R) CPU E5-1620 v4 @ 3.50GHz  | e5-1620-v4
Intel(R) Xeon(R) CPU E5-1630 v3 @ 3.70GHz  | e5-1630-v3
Intel(R) Xeon(R) CPU E5-1650 0 @ 3.20GHz   | e5-1650
Intel(R) Xeon(R) CPU E5-1650 v2 @ 3.50GHz  | e5-1650-v2
Intel(R) Xeon(R) CPU E5-1650 v3 @ 3.50GHz  | e5-1650-v3
Intel(R) Xeon(R) CPU E5-1650 v4 @ 3.60GHz  | e5-1650-v4
Intel(R) Xeon(R) CPU E5-1660 v3 @ 3.00GHz  | e5-1660-v3
Intel(R) Xeon(R) CPU E5-1660 v4 @ 3.20GHz  | e5-1660-v4
Intel(R) Xeon(R) CPU E5-1680 v2 @ 3.00GHz  | e5-1680-v2
Intel(R) Xeon(R) CPU E5-2403 0 @ 1.80GHz   | e5-2403
Intel(R) Xeon(R) CPU E5-2403 v2 @ 1.80GHz  | e5-2403-v2
Intel(R) Xeon(R) CPU E5-2407 0 @ 2.20GHz   | e5-2407
Intel(R) Xeon(R) CPU E5-2407 v2 @ 2.40GHz  | e5-2407-v2
Intel(R) Xeon(R) CPU E5-2420 v2 @ 2.20GHz  | e5-2420-v2
Intel(R) Xeon(R) CPU E5-2430 0 @ 2.20GHz   | e5-2430
Intel(R) Xeon(R) CPU E5-2448L 0 @ 1.80GHz  | e5-2448l
Intel(R) Xeon(R) CPU E5-2603 v2 @ 1.80GHz  | e5-2603-v2
Intel(R) Xeon(R) CPU E5-2603 v4 @ 1.70GHz  | e5-2603-v4
Intel(R) Xeon(R) CPU E5-2609 v2 @ 2.50GHz  | e5-2609-v2
Intel(R) Xeon(R) CPU E5-2609 v4 @ 1.70GHz  | e5-2609-v4
Intel(R) Xeon(R) CPU E5-2620 v3 @ 2.40GHz  | e5-2620-v3
Intel(R) Xeon(R) CPU E5-2620 v4 @ 2.10GHz  | e5-2620-v4
Intel(R) Xeon(R) CPU E5-2630 v3 @ 2.40GHz  | e5-2630-v3
Intel(R) Xeon(R) CPU E5-2630L 0 @ 2.00GHz  | e5-2630l
Intel(R) Xeon(R) CPU E5-2630L v3 @ 1.80GHz | e5-2630l-v3
Intel(R) Xeon(R) CPU E5-2640 0 @ 2.50GHz   | e5-2640
Intel(R) Xeon(R) CPU E5-2640 v4 @ 2.40GHz  | e5-2640-v4
Intel(R) Xeon(R) CPU E5-2650 0 @ 2.00GHz   | e5-2650
Intel(R) Xeon(R) CPU E5-2650 v2 @ 2.60GHz  | e5-2650-v2
Intel(R) Xeon(R) CPU E5-2650 v4 @ 2.20GHz  | e5-2650-v4
Intel(R) Xeon(R) CPU E5-2660 v4 @ 2.00GHz  | e5-2660-v4
Intel(R) Xeon(R) CPU E5-2665 0 @ 2.40GHz   | e5-2665
Intel(R) Xeon(R) CPU E5-2667 v2 @ 3.30GHz  | e5-2667-v2
Intel(R) Xeon(R) CPU E5-2667 v3 @ 3.20GHz  | e5-2667-v3
Intel(R) Xeon(R) CPU E5-2670 0 @ 2.60GHz   | e5-2670
Intel(R) Xeon(R) CPU E5-2670 v3 @ 2.30GHz  | e5-2670-v3
Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz  | e5-2680-v3
Intel(R) Xeon(R) CPU E5-2682 v4 @ 2.50GHz  | e5-2682-v4
Intel(R) Xeon(R) CPU E5-2683 v3 @ 2.00GHz  | e5-2683-v3
Intel(R) Xeon(R) CPU E5-2687W v3 @ 3.10GHz | e5-2687w-v3
Intel(R) Xeon(R) CPU E5-2689 0 @ 2.60GHz   | e5-2689
Intel(R) Xeon(R) CPU E5-2690 0 @ 2.90GHz   | e5-2690
Intel(R) Xeon(R) CPU E5-2690 v2 @ 3.00GHz  | e5-2690-v2
Intel(R) Xeon(R) CPU E5-2695 v2 @ 2.40GHz  | e5-2695-v2
Intel(R) Xeon(R) CPU E5-2695 v3 @ 2.30GHz  | e5-2695-v3
Intel(R) Xeon(R) CPU E5-2695 v4 @ 2.10GHz  | e5-2695-v4
Intel(R) Xeon(R) CPU E5-2696 v2 @ 2.50GHz  | e5-2696-v2
Intel(R) Xeon(R) CPU E5-2696 v3 @ 2.30GHz  | e5-2696-v3
Intel(R) Xeon(R) CPU E5-2697 v3 @ 2.60GHz  | e5-2697-v3
Intel(R) Xeon(R) CPU E5-2697A v4 @ 2.60GHz | e5-2697a-v4
Intel(R) Xeon(R) CPU E5-2698 v3 @ 2.30GHz  | e5-2698-v3
Intel(R) Xeon(R) CPU E5-2699 v3 @ 2.30GHz  | e5-2699-v3
Intel(R) Xeon(R) CPU E5-2699 v4 @ 2.20GHz  | e5-2699-v4
Intel(R) Xeon(R) CPU E5-4620 0 @ 2.20GHz   | e5-4620
Intel(R) Xeon(R) CPU E5-4620 v3 @ 2.00GHz  | e5-4620-v3
Intel(R) Xeon(R) CPU E5-4627 v2 @ 3.30GHz  | e5-4627-v2
Intel(R) Xeon(R) CPU E5-4650 0 @ 2.70GHz   | e5-4650
Intel(R) Xeon(R) CPU E7-L8867  @ 2.13GHz   | e7-l8867
"""
"""Every Xeon E5 and E7 of reports of lscpu from computers at work (linuxhw/LsCPU at b0dfbec), and its name here."""


def test_every_xeon_e5_and_e7_that_was_seen_is_recognised() -> None:
    knowledge = standard()
    for line in SEEN.strip().splitlines():
        printed, _, name = line.partition("|")
        assert printed_value(knowledge, "cpu", printed.strip()) == (name.strip(),), printed


def planned_one(text: str) -> Plan:
    """The plan of a text, without the places in it."""
    program = program_of_text(text)
    (each,) = planned(program, knowledge_for(program))
    assert each.plan is not None, [d.message for d in each.findings]
    advisories = tuple(d._replace(at=NOWHERE) for d in each.plan.advisories)
    return each.plan._replace(places=PolicyPlaces(), advisories=advisories)


@pytest.mark.parametrize(
    ("statement", "message", "help_"),
    [
        (
            'platform "NorthEdge R745"',
            "unknown platform `NorthEdge R745`",
            "covered: as-1115cs-tnr, dl360-gen10, dl360-gen10-plus",
        ),
        ('cpu "Intel(R) Xeon(R) Gold 9199 CPU @ 2.70GHz"', "unknown cpu `Intel(R)", "covered: "),
        ('cpu "Xeon 6150"', "unknown cpu `Xeon 6150`", "did you mean `xeon-gold-6150`?"),
        ('cpu "Intel(R) CPU"', "unknown cpu", ""),
        ('cpu ""', "unknown cpu ``", "covered: "),
        ('workload "duckdb"', "unknown workload `duckdb`", ""),
        ('workload "database"', "unknown workload `database`", "did you mean `io-bound`"),
    ],
)
def test_what_no_machine_prints_is_an_error_with_a_suggestion(
    statement: str, message: str, help_: str
) -> None:
    """No number is guessed, and an alias is not accepted in quotes either."""
    found = finding(statement)
    assert found.code == "E0202"
    assert found.message.startswith(message)
    assert found.help[0].startswith(help_)


RACKS = """
source lab { title "Bench notes"; publisher "Our lab"; }
fact rack { title "Rack"; ignore "Rack", "No.", "[*]" of lab at "Door"; ignore "(seen*)" of lab at "Window"; }
rack a-1 { title "Hall A, 1"; }
rack a-2 { title "Hall A, 2"; }
rack b-1 { title "Twin"; }
rack b-2 { title "twin"; }
goal latency; cpu westmere;
"""


@pytest.mark.parametrize(
    "printed",
    [
        "Rack A 1",
        "RACK No. A-1 [x86]",
        "hall a 1",
        "[left] a-1 [right]",
        "A-1 (seen by two; at night)",  # another statement's, and more than a word
    ],
)
def test_a_fact_says_what_does_not_matter(printed: str) -> None:
    program = program_of_text(f'{RACKS} rack "{printed}";')
    (each,) = planned(program, knowledge_for(program))
    assert each.context is not None
    assert each.context.facts["rack"].value == "a-1"


def test_what_several_values_are_printed_as_is_an_error_that_names_them() -> None:
    program = program_of_text(f'{RACKS} rack "TWIN";')
    (each,) = planned(program, knowledge_for(program))
    (error,) = each.findings.errors
    assert (error.code, error.help) == ("E0202", ("state `rack b-1` or `rack b-2`",))
    assert error.message == "several values of `rack` are printed as `TWIN`"


@pytest.mark.parametrize("text", ["", " ", "*", "* *"])
def test_to_ignore_everything_or_nothing_is_an_error(text: str) -> None:
    with pytest.raises(SetpointError) as raised:
        with_site(program_of_text(RACKS.replace("[*]", text)).site)
    assert [d.code for d in raised.value.diagnostics] == ["K07"]


def test_a_site_that_cites_no_source_for_it_may(tmp_path: Path) -> None:
    (tmp_path / "site.tune").write_text(RACKS.replace(' of lab at "Door"', "").partition("goal")[0])
    assert setpoint("check", "site.tune", cwd=tmp_path).status == 0
