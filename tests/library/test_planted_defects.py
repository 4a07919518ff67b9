"""Defects that a contributor could commit, planted one at a time in copies of the standard library and in site files.

Each has the code that `setpoint kb check` must find it by. Where none is, the defect is of a kind that docs/proof.md
lists under "What is not proven", with the reason: the table says so rather than leaving it out, so that a check that
learns to see it fails here until the manual says so.

A sample is tried, all of them with `--complete` (see `planted`).
"""

import re
from typing import NamedTuple

import pytest
from proof.planted import OUT_OF_REACH, beside_the_library, edited, sample

from setpoint.compiler.knowledge.load import stdlib_text


class Edit(NamedTuple):
    """A change to one file of the library: the pattern is replaced once."""

    code: str
    file: str
    pattern: str
    instead: str


EDITS = {
    # ------------------------------------------------------------------------------- what is cited
    "a figure's number beyond the paper's last": Edit(
        "K19", "sources/dell-11g-hpc", r'(turbo-for-performance of dell-11g-hpc at "Figure) 9"', r'\1 19"'
    ),
    "a heading that the paper does not have": Edit(
        "K19", "sources/dell-12g-tuning", r'at "Memory frequency"', 'at "Memory speed"'
    ),
    "a figure's number that another figure has": Edit(
        OUT_OF_REACH,
        "sources/dell-11g-hpc",
        r'(turbo-for-performance of dell-11g-hpc at "Figure) 9"',
        r'\1 8"',
    ),
    "a locator in the wrong source": Edit(
        "K19", "sources/dell-14g-hpc", r"(rule snc-off of) dell-14g-hpc", r"\1 dell-12g-tuning"
    ),
    "an empty locator": Edit("K07", "sources/dell-14g-hpc", r'at "Sub-NUMA cluster"', 'at " "'),
    "a source that no longer says which server it is about": Edit(
        "K25", "firmware/supermicro-x13", r"    scope platform sys-821ge-tnhr;\n", ""
    ),
    "strength measured where nothing was": Edit(
        "K17",
        "sources/dell-12g-tuning",
        r"(rule execute-disable-12g .*?\n    use [^\n]*\n)",
        r"\1    strength measured;\n",
    ),
    # ------------------------------------------------------------------------------ rules and tables
    "the goal of a rule forgotten": Edit(
        "K18", "sources/dell-11g-hpc", r"(rule turbo-off-for-efficiency .*?)goal efficiency, ", r"\1"
    ),
    "the goal of a rule swapped": Edit(
        "K23",
        "sources/dell-11g-hpc",
        r"(rule turbo-off-for-efficiency .*?)goal efficiency",
        r"\1goal performance",
    ),
    "an exception dropped": Edit(
        "K01", "sources/dell-11g-hpc", r"    exception to node-interleaving-off-for-hpc;\n", ""
    ),
    "an exception to a name misspelt": Edit(
        "K07",
        "sources/dell-11g-hpc",
        r"exception to node-interleaving-off-for-hpc",
        "exception to node-interleave-off",
    ),
    "an exception for a goal that its rule is not for": Edit(
        "K15",
        "sources/dell-11g-hpc",
        r"(rule interleave-without-numa .*?numa unaware, goal) any",
        r"\1 latency",
    ),
    "a value of a cell swapped that others speak of": Edit(
        "K01", "sources/dell-12g-tuning", r"(\n    memory-frequency +)maximum", r"\g<1>1600"
    ),
    "a value of a cell swapped": Edit(OUT_OF_REACH, "sources/dell-11g-hpc", r"(\n    c1e +)on", r"\g<1>off"),
    "a cell of a profile left empty": Edit("K12", "firmware/poweredge-13g", r" free(?=[ ;\n])", " _"),
    "a cell too few in a row": Edit(
        "K07", "sources/dell-11g-hpc", r"(\n    turbo +off +on +on) +on;", r"\1;"
    ),
    "a footnote on an empty column": Edit(
        "K07", "sources/dell-11g-hpc", r"footnote turbo balanced", "footnote turbo density"
    ),
    "a rule for a platform without the setting": Edit(
        "K04", "sources/dell-14g-hpc", r"(rule snc-off of .*?)poweredge-14g", r"\1poweredge-11g"
    ),
    "a rule twice under two names": Edit(
        OUT_OF_REACH, "sources/dell-14g-hpc", r"(rule snc-off (of.*?\n\}))", r"\1\nrule snc-off-again \2"
    ),
    "a rule that reads its own setting": Edit(
        "K07", "sources/dell-14g-hpc", r"(rule snc-off of .*?)(, goal)", r"\1, sub-numa-cluster on\2"
    ),
    "a rule that says beyond scope, and is not": Edit(
        "K14", "sources/dell-14g-hpc", r"(rule snc-off of .*?\n    use [^\n]*\n)", r"\1    beyond scope;\n"
    ),
    "a yields that is not true": Edit(
        "K05",
        "sources/dell-14g-hpc",
        r"(rule snc-off-despite-locality .*?\n    use [^\n]*\n)",
        r"\1    yields to snc-off;\n",
    ),
    # ----------------------------------------------------------------------------------- sources
    "the workload of a scope swapped": Edit(
        "K14", "sources/cern-nehalem", r"scope workload hep", "scope workload hpc"
    ),
    "a scope narrower than the rules": Edit(
        "K14",
        "sources/dell-14g-hpc",
        r"scope workload hpc, cpu skylake",
        "scope workload hpc, platform r740, goal latency",
    ),
    "what is related to a scope within it": Edit(
        "K14",
        "sources/dell-16g-bios-settings",
        r"related platform poweredge-17g-intel",
        "related platform poweredge-16g-intel",
    ),
    "two editions the wrong way round": Edit(
        "K15",
        "sources/dell-11g-hpc-2009",
        r"    date 2009-07-13;",
        "    date 2011-07-13;",
    ),
    # ------------------------------------------------------------------------- offers and profiles
    "the default of an offer forgotten": Edit(
        "K02", "firmware/poweredge-11g", r"(\n    memory-mode.*?)\n? +default \w+(-\w+)*", r"\1"
    ),
    "a default that is not offered": Edit("E0202", "linux/tuning", r"default ondemand", "default schedutil"),
    "two labels of a menu the same": Edit(
        "K07", "linux/tuning", r'(options of redhat-46111 .*?)never "never"', r'\1never "always"'
    ),
    "a value left out of an offer": Edit(
        "K04", "linux/tuning", r'(options of redhat-46111 .*?), never "never"', r"\1"
    ),
    # ------------------------------------------------------------------------------------ facts
    "a model in a generation of another platform": Edit(
        "K09",
        "hardware/nehalem-westmere",
        r"(cpu e5620 of .*?)within westmere;",
        r"\1within westmere; implies platform poweredge-12g;",
    ),
    "an implication said again": Edit(
        "K16",
        "hardware/nehalem-westmere",
        r"(cpu e5620 of .*?)within westmere;",
        r"\1within westmere; implies platform poweredge-11g;",
    ),
    "sockets that the generation does not take": Edit(
        "K16",
        "hardware/nehalem-westmere",
        r"(cpu e5620 of .*?)within westmere;",
        r"\1within westmere; allows sockets 4;",
    ),
    "a platform without its processors": Edit(
        "K16", "firmware/lenovo-thinksystem", r"(platform sr670-v2 of .*?)    implies cpu ice-lake;\n", r"\1"
    ),
    "a family of the wrong generation": Edit(
        "K26",
        "hardware/families",
        r"(family dell-15g-xeon of .*?)implies platform poweredge-15g;\n    implies cpu ice-lake;",
        r"\1implies platform poweredge-14g;",
    ),
    "a model within itself": Edit(
        "K07", "hardware/nehalem-westmere", r"(cpu e5620 of .*?)within westmere", r"\1within e5620"
    ),
    "a model under the wrong generation": Edit(
        "K26", "hardware/nehalem-westmere", r"(cpu e5620 of .*?)within westmere", r"\1within nehalem"
    ),
    "an assumption that a wider one covers": Edit(
        "K04",
        "hardware/nehalem-westmere",
        r"assume sockets 2\n    when platform poweredge-11g",
        "assume sockets 2\n    when platform poweredge-11g, cpu skylake",
    ),
    "a bit of a register that shows both values as one": Edit(
        "K27",
        "observation/processors",
        r'(turbo on "0", off ")1("\s+in "msr 0x1a0" bit 38)',
        r"\g<1>0\2",
    ),
    "a value left out of what is observed": Edit(
        OUT_OF_REACH, "linux/tuning", r'(observe of redhat-46111 .*?), never "never"', r"\1"
    ),
    "a text for a bit that has two digits": Edit(
        "K27", "observation/processors", r'(turbo on "0", off ")1("\s+in "msr 0x1a0" bit 38)', r"\g<1>10\2"
    ),
    "two texts of a spelling the same": Edit("K21", "linux/spelling", r'off "0", on "1"', 'off "1", on "1"'),
    # ------------------------------------------------------------------- constraints, hazards, effects
    "a hazard on what the library itself recommends": Edit(
        "K10", "sources/dell-11g-hpc", r"(hazard turbo-vs-efficiency .*?)turbo on", r"\1turbo off"
    ),
    "a warning of what the library itself recommends": Edit(
        "K10",
        "sources/dell-11g-hpc",
        r"(hazard turbo-without-c-states .*?)c-states off",
        r"\1c-states on",
    ),
    "a hazard that cannot arise": Edit(
        "K04", "sources/dell-14g-hpc", r"(hazard snc-with-poor-locality .*?)poweredge-14g", r"\1poweredge-11g"
    ),
    "a case of an effect twice": Edit(
        "K09",
        "linux/idle",
        r"(    case unused when idle-poll on;\n)",
        r"\1    case unused when idle-poll on, c-states off;\n",
    ),
    "two cases of an effect that overlap": Edit(
        "K11", "linux/idle", r"(    case unused when idle-poll on;\n)", r"\1    case used when c-states on;\n"
    ),
    "a consequence of a default": Edit(
        "K24",
        "linux/idle",
        r"(rule acpi-idle-c1 of .*?)c-states off",
        r"\1c-states on",
    ),
    "a measured rule the wrong way round": Edit(
        "K23",
        "sources/cern-nehalem",
        r"(rule turbo-for-physics-energy-e5540 .*?use turbo) on",
        r"\1 off",
    ),
    # --------------------------------------------------------------------------------- measurements
    "a range the wrong way round": Edit("K07", "sources/dell-11g-hpc", r"value 2 to 8;", "value 8 to 2;"),
    "a figure's sign dropped": Edit(OUT_OF_REACH, "sources/dell-14g-hpc", r"value -16;", "value 16;"),
    "a figure that varies nothing": Edit(
        "K07",
        "sources/dell-14g-hpc",
        r"vary system-profile dapc from performance",
        "vary system-profile dapc from dapc",
    ),
    "a figure of a machine that cannot be": Edit(
        "K09", "sources/dell-11g-hpc", r"(measurement frequency-with-turbo .*?platform )r610", r"\1r720"
    ),
}

LAB = 'source lab { title "Bench notes"; publisher "Our lab"; }\n'
RULE = 'rule ours of lab at "run 1" { when %s; because "it was so"; }'
CONSTRAINT = 'constraint %s of lab at "run 2" { when %s; because "the firmware refuses"; }'
NOTES = 'source lab { title "Bench notes"; publisher "Our lab"; %s }\n'
RELATED = 'related %s strength test-first because "much the same";'
FANS = (
    'setting fan-profile { title "Fan profile"; layer firmware; values quiet, cold, custom; }\n'
    'setting fan-offset { title "Fan offset"; layer firmware; values low, high; }\n'
    'options of lab when platform poweredge-11g { fan-profile quiet, cold, custom default custom at "menu";\n'
    'fan-offset low, high default low at "menu"; }\n'
    'preset "menu" of lab when platform poweredge-11g { fan-profile quiet cold custom; fan-offset %s; }\n'
)
STATISTICS = (
    'setting statistics { title "Statistics"; layer os; values off, on; }\n'
    'options of lab when os debian-12 { statistics off, on default off at "run 7"; }\n'
    'spelling sysctl of lab when os debian-12 { statistics %s in "kernel.sched_schedstats" at "run 7"; }'
)
WORD = 'words %s of lab at "run 5" { when %s; known argument "lab_smt=0"; %s }\n'
TIMES = 'measurement figure of lab at "run 1" { vary smt on from off; metric performance in "%"; value 4; }'

LOUD = RULE % "cpu westmere, goal performance, workload build; use turbo off"
FASTER = 'measurement figure of lab at "run 1" { when cpu x5670%s; vary turbo on from off; metric performance in "%%"; value 9; }'

SITES = {
    "a rule of the library copied": (
        "K09", LAB + RULE % "platform poweredge-14g, goal efficiency; use sub-numa-cluster off; strength measured"
        + TIMES.replace("smt on", "sub-numa-cluster on")
    ),
    "a hazard of the library copied": (
        "K09",
        LAB + 'hazard ours of lab at "run 1" { when platform poweredge-11g, goal efficiency, turbo on; because "heat"; }',
    ),
    "a rule without a goal": ("K18", LAB + RULE % "cpu skylake; use smt off"),
    "a rule called measured": ("K17", LAB + RULE % "cpu skylake, goal latency; use smt off; strength measured"),
    "a table of figures without a figure": (
        "K07",
        LAB + 'measurements "run 1" of lab { label state, meaning; columns state meaning; row "C0" "at work"; }',
    ),
    "two rules that tie": (
        "K01",
        LAB + RULE % "cpu skylake, goal latency; use smt off"
        + (RULE % "workload wrf, goal latency; use smt on").replace("ours", "theirs"),
    ),
    "two constraints that contradict each other": (
        "K13",
        LAB + CONSTRAINT % ("a", "platform poweredge-12g, memory-mode mirror; require execute-disable on")
        + CONSTRAINT % ("b", "platform poweredge-12g, memory-mode mirror; require execute-disable off"),
    ),
    "a constraint that the library's profiles contradict": (
        "K13", LAB + CONSTRAINT % ("a", "system-profile performance; require turbo off")
    ),
    "a constraint that rules out the default": (
        "K02", LAB + CONSTRAINT % ("a", "platform poweredge-14g; require cores-per-processor not all")
    ),
    "a constraint that says what another says": (
        "K09",
        LAB + CONSTRAINT % ("a", "platform poweredge-12g, smt on; require turbo on")
        + CONSTRAINT % ("b", "platform poweredge-12g, smt on, goal latency; require turbo on"),
    ),
    "an offer beside one of the library's": (
        "K06", LAB + 'options of lab when os rhel-8 { turbo on default on at "menu"; }'
    ),
    "a setting that nothing offers": ("K09", 'setting fan { title "Fan"; layer firmware; values low, high; }'),
    "a source that nothing cites": ("K09", LAB),
    "an assumption that contradicts itself": ("K04", 'assume platform r720 when cpu skylake because "all are";'),
    "a goal assumed": ("K07", 'assume goal latency because "it mostly is";'),
    "advice on servers from a page without a scope": (
        "K25",
        NOTES % 'url "https://lab.example/notes";' + RULE % "platform poweredge-12g, goal latency; use smt on",
    ),
    "a rule outside of its own scope": (
        "K14",
        LAB.replace("; }", "; scope cpu westmere; }") + RULE % "cpu skylake, goal latency; use smt off",
    ),
    "an exception to a rule for another platform": (
        "K15", LAB + RULE % "platform poweredge-14g, goal latency; use turbo off; exception to turbo-for-performance"
    ),
    "what is related that contradicts itself": (
        "K14",
        NOTES % ("scope cpu westmere; " + RELATED % "cpu nehalem, platform poweredge-14g")
        + RULE % "goal latency; use smt off",
    ),
    "what is related within the scope": (
        "K14",
        NOTES % ("scope platform poweredge-11g; " + RELATED % "cpu westmere") + RULE % "goal latency; use smt off",
    ),
    "what is related, and no rule is about": (
        "K14",
        NOTES % ("scope cpu westmere; " + RELATED % "cpu nehalem") + RULE % "cpu westmere, goal latency; use smt off",
    ),
    "measured on hardware that the rule is not for": (
        "K17",
        LAB + RULE % "cpu skylake, goal latency; use smt off; strength measured when cpu westmere" + TIMES,
    ),
    "measured on hardware that the rule is for anyway": (
        "K17",
        LAB + RULE % "cpu westmere, goal latency; use smt off; strength measured when platform poweredge-11g" + TIMES,
    ),
    "advice that was measured to be worse": ("K23", LAB + LOUD + FASTER % ", workload build"),
    "a figure that divides by zero": (
        "K07",
        LAB + 'measurements "run 1" of lab { metric jobs in "1"; metric time in "s"; derive speed in "1/s" from jobs per time;'
        "columns turbo jobs time; row on 4 0; }"
    ),
    "a pin of a branch, which moves": (
        "K22",
        NOTES % 'pin "https://git.example/lab/notes" at main;',
    ),
    "two values with one text": ("K21", LAB + STATISTICS % 'off "1", on "1"'),
    "a word that means two values": ("K21", LAB + WORD % ("a", "os debian-12", "means kernel-smt off; means kernel-smt forced-off;")),
    "a word that means another value in another block": (
        "K21",
        LAB + WORD % ("a", "os debian-12", "means kernel-smt off;") + WORD % ("b", "os linux", "means kernel-smt forced-off;"),
    ),
    "words for a server that cannot be": (
        "K21", LAB + WORD % ("a", "os debian-12, cpu skylake, platform poweredge-11g", "means kernel-smt off;")
    ),
    "a figure with a setting that the server lacks": (
        "K09", LAB + TIMES.replace("vary", "when platform poweredge-11g; hold sub-numa-cluster off; vary")
    ),
    "a place twice in the contents": (
        "K19", NOTES % 'contents "run 1", "run 2", "run 1";' + RULE % "cpu skylake, goal latency; use smt off"
    ),
    "an alias that is another setting": ("K09", 'aliases smt "turbo";'),
    "an alias that is another value": ("K09", 'aliases workload io-bound "Java";'),
    "an alias twice": ("K09", 'aliases smt "siblings"; aliases smt "Siblings";'),
    "two profiles that leave all members free": ("K12", LAB + FANS % "low free free"),
    "two profiles that fix the same": (OUT_OF_REACH, LAB + FANS % "low low free"),
    "a value that no source's reader could tell is wrong": (
        OUT_OF_REACH, LAB + RULE % "cpu skylake, goal latency; use smt off"
    ),
}  # fmt: skip


def planted(edit: Edit) -> dict[str, str]:
    """The file of the library with the defect in it, by its name."""
    path = f"stdlib/{edit.file}.tune"
    text, number = re.subn(edit.pattern, edit.instead, stdlib_text(path), count=1, flags=re.S)
    assert number == 1, "the library no longer has what this defect changes"
    return {path: text}


@pytest.mark.parametrize("name", EDITS)
def test_the_library_has_what_a_defect_changes(name: str) -> None:
    """Of all of them, not of the sample only: the library moves on."""
    assert planted(EDITS[name])


@pytest.mark.parametrize("name", sample(EDITS))
def test_a_defect_in_the_library_is_found(name: str) -> None:
    edit = EDITS[name]
    codes = edited(planted(edit))
    assert edit.code in codes if edit.code else not codes, codes


@pytest.mark.parametrize("name", sample(SITES))
def test_a_defect_in_a_site_is_found(name: str) -> None:
    code, text = SITES[name]
    codes = beside_the_library(text)
    assert code in codes if code else not codes, codes
