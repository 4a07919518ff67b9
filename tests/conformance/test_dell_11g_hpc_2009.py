"""The first edition of the 11G paper (2009): its Table 6, which the edition of 2010 takes back."""

import pytest

from conformance.printed import Cell, cells
from setpoint.compiler.knowledge.model import Citation, Knowledge
from support.ask import decision, plan

PAPER = "dell-11g-hpc-2009"

TABLE_6 = """
設定               | 消費電力効率 | 最大性能 | バランス重視 | 最低レイテンシ
Power Management   | APC          | Max Perf | OS Control   | Max Perf
C-state            | 有効         | 有効     | 有効         | 無効
Node Interleaving  | 無効         | 無効     | 無効         | 無効
SMT                | 無効         | 無効     | 無効         | 無効
Turbo Mode         | 無効         | 有効     | 有効         | 有効
cpuspeed サービス  | 無効         | 無効     | 有効         | 無効
"""

WORDS = {
    "Power Management": "cpu-power-management",
    "C-state": "c-states",
    "Node Interleaving": "node-interleaving",
    "SMT": "smt",
    "Turbo Mode": "turbo",
    "cpuspeed サービス": "cpuspeed-service",
    "APC": "system-dbpm",
    "Max Perf": "max-performance",
    "OS Control": "os-dbpm",
    "有効": "on",
    "無効": "off",
}
GOALS = {
    "消費電力効率": "efficiency",
    "最大性能": "performance",
    "バランス重視": "balanced",
    "最低レイテンシ": "latency",
}

# The one column that the update changed: APC in place of OS Control, which leaves cpuspeed nothing to do.
CHANGED = {("Power Management", "バランス重視"): "system-dbpm", ("cpuspeed サービス", "バランス重視"): "off"}


@pytest.mark.parametrize("cell", cells(TABLE_6), ids=str)
def test_table_6_is_shown_as_withdrawn(cell: Cell) -> None:
    setting, goal = WORDS[cell.row], GOALS[cell.column]
    decided = decision(f"goal {goal}; cpu nehalem; os rhel 5.3; workload hpc", setting)
    (old,) = [lost for lost in decided.beat if lost.citation and lost.citation.source == PAPER]
    assert old.citation == Citation(PAPER, "Table 6")
    assert (old.value, old.reason) == (WORDS[cell.text], "withdrawn")
    assert decided.value == CHANGED.get((cell.row, cell.column), WORDS[cell.text])
    assert decided.because[0].citation is not None
    assert decided.because[0].citation.source == "dell-11g-hpc"


def test_the_edition_of_2010_supersedes_it(knowledge: Knowledge) -> None:
    assert knowledge.sources["dell-11g-hpc"].supersedes == PAPER
    assert knowledge.sources[PAPER].date < knowledge.sources["dell-11g-hpc"].date


def test_it_knew_no_xeon_5600() -> None:
    for decided in plan("goal balanced; cpu westmere; os rhel 5.3").settings:
        assert not any(lost.citation and lost.citation.source == PAPER for lost in decided.beat)


def test_it_had_no_c1e_dcu_streamer_and_data_reuse(knowledge: Knowledge) -> None:
    settings = {rule.setting for rule in knowledge.rules if rule.citation.source == PAPER}
    assert settings == {WORDS[cell.row] for cell in cells(TABLE_6)}


def test_the_factory_set_bios_had_the_balanced_column(knowledge: Knowledge) -> None:
    noted = {rule.name: rule.note for rule in knowledge.rules if rule.citation.source == PAPER and rule.note}
    assert list(noted) == ["dell-11g-hpc-2009.table-6.cpu-power-management.balanced"]
