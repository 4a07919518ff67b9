"""The tables of docs/proof.md: each claim has a planted defect that is found by its code, and what is not found is
listed."""

import ast
import re
from collections.abc import Iterator

from library.test_planted_defects import EDITS, SITES
from proof.planted import OUT_OF_REACH

from registries.servers import SERVERS
from setpoint.compiler.knowledge.model import Knowledge
from support.command import ROOT

PAGE = (ROOT / "docs/proof.md").read_text(encoding="utf-8")
PLANTED = {name: edit.code for name, edit in EDITS.items()} | {
    name: code for name, (code, _) in SITES.items()
}


def rows(table: str) -> Iterator[tuple[str, ...]]:
    """The cells of each row of a table between marks."""
    _, _, rest = PAGE.partition(f"<!-- {table} -->\n")
    lines = rest.partition("<!-- end -->")[0].splitlines()[2:]
    assert lines, f"no table `{table}`"
    yield from (tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines)


def proof_tests() -> dict[str, set[str]]:
    """The texts of each test function of the proof, by its name."""
    found = {}
    for path in sorted((ROOT / "tests/proof").glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                constants = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
                found[node.name] = {each for each in constants if isinstance(each, str)}
    return found


def test_every_claim_has_a_defect_that_is_found_by_its_code() -> None:
    tests = proof_tests()
    for claim, link, defect in rows("claims"):
        code = link[1:4]
        assert link == f"[{code}](diagnostics/{code}.md)", claim
        if defect.startswith("`"):
            assert code in tests[defect.strip("`")], claim
        else:
            assert PLANTED[defect] == code, claim


def test_every_code_of_the_proof_is_that_of_a_claim() -> None:
    pages = {page.stem for page in (ROOT / "docs/diagnostics").glob("K*.md")}
    assert {link[1:4] for _, link, _ in rows("claims")} == pages


def test_the_policies_of_the_search_are_as_many_as_the_page_says(knowledge: Knowledge) -> None:
    """Of each server of its table that the library has: each goal, alone and with each workload."""
    of_library, said = re.findall(r"on the (\w+) servers of the library: (\d+)\s+policies", PAGE)[0]
    table = PAGE.partition("| Server | attributes that matter |")[2].partition("\n\n")[0]
    listed = [line for line in table.splitlines()[2:] if "by `kb import`" not in line]
    assert len(listed) == len(SERVERS) == ["nine", "ten", "eleven", "twelve"].index(of_library) + 9
    assert int(said) == len(SERVERS) * len(knowledge.values["goal"]) * (1 + len(knowledge.values["workload"]))


def test_what_nothing_finds_is_listed_with_the_reason() -> None:
    listed = {row[0]: row[1] for row in rows("unproven")}
    assert listed.keys() == {name for name, code in PLANTED.items() if code == OUT_OF_REACH}
    assert all(listed.values())
