"""The footnotes of the papers' tables of advice: the cell of each, and its content, in the important words.

Table 2 of the 12G paper prints three. Table 6 of the 11G paper prints none: what its text says of a cell stands there
instead, with the place in brackets. The guide for Cassandra has a column of gains. Those of tuned's profiles are in
`test_tuned_values.py`.
"""

from setpoint.compiler.knowledge.model import Knowledge

FOOTNOTES = {
    # "has developed a custom HPCC BIOS that factory-configures the balanced BIOS settings in Table 6"
    "dell-11g-hpc Table 6 cpu-power-management balanced": "factory-set HPCC BIOS has the values of this column (Conclusion)",
    "dell-11g-hpc-2009 Table 6 cpu-power-management balanced": "factory-set HPCC BIOS had the values of this column (Conclusion)",
    # "maintains full voltage to internal components …, eliminating the performance penalty associated with the phase
    # transitions between high and low load"
    "dell-11g-hpc Table 6 cpu-power-management performance": "full voltage always: no lag as load varies (Power Management Profile)",
    # "expected to improve performance at the expense of using additional power"; "only … Ansys Fluent … shows a 5%
    # improvement"; "the power consumption … remained the same"; "Intel's recommendation is to have these options
    # enabled"
    "dell-11g-hpc Table 6 data-reuse efficiency": "extra power was expected, but none was measured (Figure 11)",
    "dell-11g-hpc Table 6 data-reuse performance": "Intel recommends it for HPC; one test of three gained (Figure 11)",
    "dell-11g-hpc Table 6 dcu-streamer-prefetcher efficiency": "extra power was expected, but none was measured (Figure 11)",
    "dell-11g-hpc Table 6 dcu-streamer-prefetcher performance": "Intel recommends it for HPC; one test of three gained (Figure 11)",
    # "SMT helped performance on two test cases"; "did not help performance on five workloads"
    "dell-11g-hpc Table 6 smt performance": "two of seven benchmarks gained, five did not (Figure 7)",
    "dell-11g-hpc Table 6 turbo balanced": "where work per watt matters, keep it for critical work and benchmarks (BIOS Settings)",
    "dell-12g-tuning Table 2 qpi-speed efficiency": "A slower QPI link can give more work per watt",
    "dell-12g-tuning Table 2 turbo latency": "Turbo may be worth its extra latency jitter",
    # "First select Performance Optimized and then select Custom"
    "dell-16g-bios-settings Table 1 system-profile latency": "Select Performance first and Custom then",
    # the column of gains: "up to 22%"
    "intel-cassandra-guide Table 2 smt performance": "gains up to 22%",
    "dell-12g-tuning Table 2 memory-frequency efficiency": "Slower memory can give more work per watt",
}


def test_footnotes_belong_to_their_cells(knowledge: Knowledge) -> None:
    goals = knowledge.variables["goal"]
    found = {}
    for rule in knowledge.rules:
        if rule.table.startswith("Table") and rule.note:
            (goal, *_) = goals.names(dict(rule.when)["goal"])
            found[f"{rule.citation.source} {rule.table} {rule.setting} {goal}"] = rule.note
    assert found.keys() == FOOTNOTES.keys()
    assert [cell for cell, words in FOOTNOTES.items() if words not in found[cell]] == []
