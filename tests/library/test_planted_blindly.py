"""Forty defects that were written down before anybody had looked at what the checks find.

The other table, `test_planted_defects`, grew with the checks, and knows them. These were thought of with the manual and
the library alone, as slips of contributors and of sites: each with what is wrong and who would suffer, which is what a
finding has to tell. Eleven passed unnoticed at first. Three of these taught the checks something (K17 looks at the
place that a rule cites, K09 at facts of a site that nothing reads), and four are found by checks that came later (K23,
K26, and K10 of warnings); the others are of kinds that docs/proof.md lists under "What is not proven".

A sample is tried, all of them with `--complete` (see `planted`).
"""

import re
from typing import NamedTuple

import pytest
from proof.planted import OUT_OF_REACH, beside_the_library, edited, sample

from setpoint.compiler.knowledge.load import stdlib_text


class Slip(NamedTuple):
    """A mistake in the library: in each file the texts to replace, each once; `why` it is wrong, and for whom."""

    code: str
    changes: tuple[tuple[str, str, str], ...]
    why: str


class Page(NamedTuple):
    """A file of a site."""

    code: str
    text: str
    why: str


LAB = 'source lab { title "Bench notes"; publisher "Example Ltd"; }\n'

LIBRARY = {
    "wrong goal in a rule": Slip(
        "K23",
        (
            (
                "sources/dell-11g-hpc",
                """rule turbo-off-for-efficiency of dell-11g-hpc at "Figure 13" {
    when platform poweredge-11g, goal efficiency, workload hpc;""",
                """rule turbo-off-for-efficiency of dell-11g-hpc at "Figure 13" {
    when platform poweredge-11g, goal performance, workload hpc;""",
            ),
        ),
        "the rule is about work per watt; clusters that want speed lose their turbo",
    ),
    "forgotten column of profiles": Slip(
        "K12",
        (
            ("firmware/poweredge-12g", "performance      dense        custom;", "performance      custom;"),
            ("firmware/poweredge-12g", "max-performance  system-dbpm  free;", "max-performance  free;"),
            ("firmware/poweredge-12g", "maximum          maximum      free;", "maximum          free;"),
            (
                "firmware/poweredge-12g",
                "turbo                      on           on        on               off          free;",
                "turbo on on on free;",
            ),
            (
                "firmware/poweredge-12g",
                "c1e                        on           on        off              on           free;",
                "c1e on on off free;",
            ),
            (
                "firmware/poweredge-12g",
                "c-states                   on           on        off              on           free;",
                "c-states on on off free;",
            ),
            (
                "firmware/poweredge-12g",
                "monitor-mwait              on           on        on               on           free;",
                "monitor-mwait on on on free;",
            ),
            ("firmware/poweredge-12g", "standard         extended     free;", "standard         free;"),
            ("firmware/poweredge-12g", "1x               2x           free;", "1x               free;"),
            ("firmware/poweredge-12g", "auto             1.5v         free;", "auto             free;"),
            ("firmware/poweredge-12g", "off              off          free;", "off              free;"),
        ),
        "the paper prints Dense Configuration; whoever chooses it is not told what it fixes",
    ),
    "contradictory pair": Slip(
        "K01",
        (
            (
                "sources/dell-12g-tuning",
                "",
                """
rule smt-quiet-12g of dell-12g-tuning at "Logical Processor" {
    when goal density or balanced, platform poweredge-12g;
    use smt off;
    because "fewer threads take less power";
}
""",
            ),
        ),
        "the same conditions, the other value: every balanced 12G policy is refused as a tie",
    ),
    "rule for a processor of another server": Slip(
        "K04",
        (
            (
                "sources/dell-11g-hpc",
                "when platform poweredge-11g, cpu westmere, workload io-bound, goal any;",
                "when platform poweredge-11g, cpu skylake, workload io-bound, goal any;",
            ),
        ),
        "no 11G server takes a Skylake; I/O-bound servers lose the QPI advice",
    ),
    "value that is not offered": Slip(
        "K04",
        (
            (
                "sources/dell-12g-tuning",
                """use qpi-speed maximum;
    because "a slower""",
                """use qpi-speed 9.6;
    because "a slower""",
            ),
        ),
        "12G has no 9.6 GT/s; the advice is never taken",
    ),
    "profile with an empty cell": Slip(
        "K12",
        (
            (
                "firmware/poweredge-14g",
                """maximum          maximum          free;
    energy""",
                """maximum          _                free;
    energy""",
            ),
        ),
        "Workstation fixes the uncore clock; its users' wishes are reported as unwritten for no reason",
    ),
    "profile without a row": Slip(
        "K02",
        (
            (
                "firmware/poweredge-13g",
                "    energy-efficient-turbo     on                    on                    off              off                     free;\n",
                "",
            ),
        ),
        "the profiles fix energy-efficient turbo; a plan would write a locked setting or leave it without a value",
    ),
    "assumption that cannot be": Slip(
        "K04",
        (
            (
                "hardware/sandy-bridge",
                "assume sockets 4 when platform r820 or m820 because",
                "assume sockets 4 when platform r620 or m620 because",
            ),
        ),
        "an R620 has two sockets; an R820 is no longer taken for a four-socket server",
    ),
    "two offers that tie": Slip(
        "K06",
        (
            (
                "linux/tuning",
                "options of linux-thp when os linux-4.12, os not rhel-8 or ubuntu-20.04 or ubuntu-22.04 or ubuntu-24.04 or ubuntu-26.04 {",
                "options of linux-thp when os linux-4.12, os not rhel-8 or ubuntu-20.04 or ubuntu-22.04 {",
            ),
        ),
        "both offers apply on Ubuntu 24.04 and differ in the default; every policy for it fails",
    ),
    "effect cases in the wrong order": Slip(
        "K11",
        (
            (
                "linux/c1e",
                "    case unused when cpu-vendor not amd, idle-poll on;\n",
                """    case used when c1e on;
    case unused when cpu-vendor not amd, idle-poll on;
""",
            ),
        ),
        "C1E on in the menu says used before polling is looked at; latency policies are stopped by a hazard that is none",
    ),
    "effect case behind a wider one": Slip(
        "K11",
        (
            (
                "linux/idle",
                """    case unused when idle-poll on;
    case unused when force-latency c1 or 1us;
    case unused when c-states off, intel-idle not on;
""",
                """    case unused when idle-poll on;
    case unused when force-latency c1 or 1us;
    case used when c-states off;
    case unused when c-states off, intel-idle not on;
""",
            ),
        ),
        "two cases behind the wider one never count; idle states that are off are called used",
    ),
    "hazard for everybody": Slip(
        "K10",
        (
            (
                "sources/dell-12g-tuning",
                """when platform poweredge-12g, goal latency, c-states on;
    because "C-states are known""",
                """when platform poweredge-12g, c-states on or off;
    because "C-states are known""",
            ),
        ),
        "every 12G build is stopped, whatever it wants and does",
    ),
    "constraint against the default": Slip(
        "K09",
        (
            (
                "firmware/poweredge-12g",
                """when platform poweredge-12g, monitor-mwait off;
    require c-states off;""",
                """when platform poweredge-12g, monitor-mwait on;
    require c-states off;""",
            ),
        ),
        "DAPC, the default, has both on: it and two more profiles become impossible for all 12G servers",
    ),
    "follows the wrong way": Slip(
        "K10",
        (
            (
                "hardware/platforms",
                """follows poweredge-12g;
    implies vendor dell;
    allows cpu-vendor intel;
    allows cpu skylake-or-cascade-lake;
    reported as
        product "PowerEdge C4140\"""",
                """follows poweredge-15g;
    implies vendor dell;
    allows cpu-vendor intel;
    allows cpu skylake-or-cascade-lake;
    reported as
        product "PowerEdge C4140\"""",
            ),
            ("hardware/platforms", '15th generation";\n    follows poweredge-14g;', '15th generation";'),
        ),
        "15G was studied by nobody: 14G no longer has the 12G paper's advice, and 15G has none",
    ),
    "model in the wrong family": Slip(
        "K26",
        (
            (
                "hardware/nehalem-westmere",
                'cpu x5650 of dell-11g-hpc at "Figure 11" { title "Intel Xeon X5650"; within westmere; }',
                'cpu x5650 of dell-11g-hpc at "Figure 11" { title "Intel Xeon X5650"; within nehalem; }',
            ),
        ),
        "owners of an X5650 are not offered data reuse and QPI priority, and get Nehalem's measurements as theirs",
    ),
    "exception to another setting": Slip(
        "K07",
        (
            (
                "sources/dell-12g-tuning",
                """exception to dell-12g-tuning.table-2.node-interleaving;
    because "memory larger""",
                """exception to dell-12g-tuning.table-2.smt;
    because "memory larger""",
            ),
        ),
        "the exception takes nothing back of what it argues with; large processes keep interleaving off",
    ),
    "exception that never meets": Slip(
        "K15",
        (
            (
                "sources/dell-12g-tuning",
                "exception to dell-12g-tuning.table-2.monitor-mwait.latency;",
                "exception to dell-12g-tuning.table-2.monitor-mwait.efficiency;",
            ),
        ),
        "the rule is for latency, the cell for efficiency: they never meet, and SMT runs with Monitor/Mwait off",
    ),
    "table number that is not there": Slip(
        "K07",
        (
            (
                "sources/dell-11g-hpc",
                'table "Table 6" of dell-11g-hpc when',
                'table "Table 7" of dell-11g-hpc when',
            ),
        ),
        "the paper ends with Table 6; nobody finds the source",
    ),
    "figure number of another figure": Slip(
        "K17",
        (
            (
                "sources/dell-11g-hpc",
                'rule apc-for-communication of dell-11g-hpc at "Figure 12"',
                'rule apc-for-communication of dell-11g-hpc at "Figure 11"',
            ),
        ),
        "Figure 11 is about prefetchers; a reviewer finds no support for the rule",
    ),
    "measurement of another setting": Slip(
        "K17",
        (
            (
                "sources/dell-12g-tuning",
                "    columns  c-states  c1e  idle-power;",
                "    columns  turbo     c1e  idle-power;",
            ),
        ),
        "66 % of idle power are ascribed to turbo; explain shows the figure beside the wrong setting",
    ),
    "firmware rule reads a boot argument": Slip(
        "K07",
        (
            (
                "sources/dell-11g-hpc",
                """when platform poweredge-11g, goal not efficiency, c-states off;
    use c1e off;""",
                """when platform poweredge-11g, goal not efficiency, intel-idle off;
    use c1e off;""",
            ),
        ),
        "firmware is decided before boot arguments; the rule cannot be evaluated in its layer",
    ),
    "measured without a figure": Slip(
        "K17",
        (
            (
                "sources/dell-12g-tuning",
                """use execute-disable on;
    because""",
                """use execute-disable on;
    strength measured;
    because""",
            ),
        ),
        "the paper has no figure on Execute Disable; the claim outranks vendor advice without evidence",
    ),
    "strength forgotten": Slip(
        OUT_OF_REACH,
        (
            (
                "firmware/poweredge-14g",
                """workload hpc;
    use smt off;
    strength test-first;
""",
                """workload hpc;
    use smt off;
""",
            ),
        ),
        "the menu says `may` and `test`; HPC sites get a guess at the weight of a recommendation",
    ),
    "renamed value left over": Slip(
        "E0202",
        (("facts", "workload comm-bound { title", "workload communication-bound { title"),),
        "rules, models and hazards still say comm-bound: a policy can state neither",
    ),
    "unit slip": Slip(
        OUT_OF_REACH,
        (("sources/dell-14g-hpc", 'metric peak-power in "%";', 'metric peak-power in "W";'),),
        "16 W is not 16 %; a reader judges the saving by the wrong figure",
    ),
    "direction of a measurement": Slip(
        OUT_OF_REACH,
        (
            (
                "sources/dell-12g-tuning",
                "    row      off       off  66;",
                "    row      on        on   66;",
            ),
        ),
        "the figure now says that C-states raise idle power by 66 %, against the rule that rests on it",
    ),
    "wrong vendor default": Slip(
        OUT_OF_REACH,
        (
            (
                "firmware/poweredge-12g",
                """alternate-rtid on "Enabled", off "Disabled"
        default off""",
                """alternate-rtid on "Enabled", off "Disabled"
        default on""",
            ),
        ),
        "the menu's default is off; audits report a drift from factory settings that is none",
    ),
    "hazard on a value that is not offered": Slip(
        "K04",
        (
            (
                "sources/dell-12g-tuning",
                "when platform poweredge-12g, goal latency, cpu-power-management system-dbpm or os-dbpm;",
                "when platform poweredge-12g, goal latency, cpu-power-management minimum-power;",
            ),
        ),
        "12G has no Minimum Power; a latency policy with OS DBPM is no longer warned",
    ),
    "hazard against its own paper's advice": Slip(
        "K10",
        (
            (
                "sources/dell-12g-tuning",
                "when platform poweredge-12g, goal performance or throughput, smt off;",
                "when platform poweredge-12g, goal performance or throughput, smt on;",
            ),
        ),
        "Table 2 has SMT on for these goals; everybody who takes its advice is warned of it",
    ),
    "edition superseded the wrong way": Slip(
        "K15",
        (
            ("sources/dell-11g-hpc", "    supersedes dell-11g-hpc-2009;\n", ""),
            (
                "sources/dell-11g-hpc-2009",
                "date 2009-07-13;\n",
                """date 2009-07-13;
    supersedes dell-11g-hpc;
""",
            ),
        ),
        "the first edition takes back the second; Nehalem clusters get OS Control for balanced again",
    ),
}

SITES = {
    "two rules of a site tie": Page(
        "K01",
        """
rule batch of lab at "1" { when cpu skylake, workload java, goal any; use smt on; because "the batch gained"; }
rule quiet of lab at "2" { when cpu skylake, goal latency; use smt off; because "answers came sooner"; }
""",
        "nobody said which counts: the latency policy of the Java servers is refused",
    ),
    "rule that another always beats": Page(
        "K05",
        """
rule wide of lab at "1" { when cpu skylake, goal performance; use turbo off; strength measured; because "throttling cost 5%"; }
rule narrow of lab at "2" { when cpu skylake, goal performance, workload java; use turbo on; because "Java gained"; }
measurement throttling of lab at "1" { when cpu skylake; vary turbo off from on; metric performance in "%"; value 5; }
""",
        "the narrower finding never wins, since the wider one is measured: the Java team never gets its turbo",
    ),
    "offer that ties with the library": Page(
        "K06",
        """
options of lab when workload hpc, cpu skylake or cascade-lake { smt off "Off", on "On" default off at "BIOS"; }
options of lab when os rhel-8, cpu skylake { smt on "Enabled", off "Disabled" default on at "BIOS"; }
""",
        "on an HPC server with Enterprise Linux 8 two offers apply; the plan is refused",
    ),
    "setting that nothing offers": Page(
        "K09",
        """
setting fan-offset { title "Fan offset"; layer firmware; values low, high; }
rule fans of lab at "1" { when platform r740, goal density; use fan-offset high; because "hot aisle"; }
""",
        "the site forgot the offer: its fans are never set, and nobody is told",
    ),
    "fact that nothing reads": Page(
        "K09",
        """
fact rack { title "Rack"; values cold-aisle, hot-aisle; }
fact rack-kind { title "Kind of rack"; values cold, hot; }
rule fans of lab at "1" { when platform r740, rack hot-aisle, goal any; use turbo off; because "hot aisle"; }
""",
        "rack-kind is a left-over: operators state it and nothing happens",
    ),
    "hazard that cannot arise": Page(
        "K04",
        """
hazard hot of lab at "1" { when platform r720, cpu skylake, turbo on; because "the aisle is too hot"; }
""",
        "an R720 takes no Skylake: the site believes itself warned",
    ),
    "hazard that always stands": Page(
        "K10",
        """
hazard hot of lab at "1" { when platform poweredge-14g, turbo on or off; because "the aisle is too hot"; }
""",
        "every 14G build of the site is stopped",
    ),
    "table against the library's hazard": Page(
        "K10",
        """
table "Table 1" of lab when platform poweredge-11g {
    goal   efficiency  performance;
    turbo  on          off;
}
""",
        "the columns are swapped: efficiency policies are stopped by the library's hazard for following the site's advice",
    ),
    "constraint that leaves no profile": Page(
        "K13",
        """
constraint mwait of lab at "1" { when platform poweredge-14g, c-states on; require monitor-mwait off; because "menu"; }
""",
        "together with the library's constraint C-states can never be on: DAPC, the default, is impossible",
    ),
    "assumption that contradicts": Page(
        "K04",
        """
assume platform r740 when cpu westmere because "all our racks are R740";
""",
        "a Westmere implies an 11G server: the assumption is never made, and no R740 is assumed anywhere",
    ),
}


def planted(slip: Slip) -> dict[str, str]:
    """The files of the library with the slip in them, by their names."""
    texts: dict[str, str] = {}
    for file, old, new in slip.changes:
        path = f"stdlib/{file}.tune"
        text = texts.get(path) or stdlib_text(path)
        found = re.findall(_in_any_layout(old), text) if old else [""]
        assert len(found) == 1, f"the library no longer has what this changes: {old}"
        texts[path] = text.replace(found[0], new) if old else text + new
    return texts


def _in_any_layout(text: str) -> str:
    """The pattern of a text whose columns can be as wide as they like."""
    return " +".join(map(re.escape, re.split(" +", text)))


@pytest.mark.parametrize("name", LIBRARY)
def test_the_library_has_what_a_slip_changes(name: str) -> None:
    """Of all of them, not of the sample only: the library moves on."""
    assert planted(LIBRARY[name])


@pytest.mark.parametrize("name", sample(LIBRARY))
def test_a_slip_in_the_library_is_found(name: str) -> None:
    slip = LIBRARY[name]
    codes = edited(planted(slip))
    assert slip.code in codes if slip.code else not codes, (codes, slip.why)


@pytest.mark.parametrize("name", sample(SITES))
def test_a_slip_of_a_site_is_found(name: str) -> None:
    page = SITES[name]
    codes = beside_the_library(LAB + page.text)
    assert page.code in codes if page.code else not codes, (codes, page.why)
