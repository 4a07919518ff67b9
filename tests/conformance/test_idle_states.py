"""drivers/idle/intel_idle.c, Linux 6.1: the tables of idle states, each with its exit latency and target residency in
µs."""

import pytest

from conformance.printed import Cell, cells, figure
from setpoint.compiler.knowledge.model import Knowledge

TABLES = """
Table           | C1     | C1E     | C3       | C6        | C7        | C7s       | C8        | C9         | C10
nehalem_cstates | 3, 6   | 10, 20  | 20, 80   | 200, 800  | -         | -         | -         | -          | -
snb_cstates     | 2, 2   | 10, 20  | 80, 211  | 104, 345  | 109, 345  | -         | -         | -          | -
hsw_cstates     | 2, 2   | 10, 20  | 33, 100  | 133, 400  | -         | 166, 500  | 300, 900  | 600, 1800  | 2600, 7700
bdw_cstates     | 2, 2   | 10, 20  | 40, 100  | 133, 400  | -         | 166, 500  | 300, 900  | 600, 1800  | 2600, 7700
skx_cstates     | 2, 2   | 10, 20  | -        | 133, 600  | -         | -         | -         | -          | -
icx_cstates     | 1, 1   | 4, 4    | -        | 170, 600  | -         | -         | -         | -          | -
"""
STATES = [cell for cell in cells(TABLES) if cell.text != "-"]


@pytest.mark.parametrize("cell", STATES, ids=str)
def test_idle_states(cell: Cell, knowledge: Knowledge) -> None:
    found = [
        figure(knowledge, "linux-intel-idle", cell.row, metric, state=cell.column)
        for metric in ("exit-latency", "target-residency")
    ]
    assert ", ".join(found) == cell.text


def test_the_driver_has_no_state_more(knowledge: Knowledge) -> None:
    ours = [m for m in knowledge.measurements if m.citation.source == "linux-intel-idle"]
    assert len(ours) == 2 * len(STATES)
