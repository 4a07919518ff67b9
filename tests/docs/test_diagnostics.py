"""The pages of the diagnostic codes: complete, and consistent with the tool.

A page is `# CODE: title`, a paragraph or two, `## Example` and `## What to do`. Its blocks are taken in their order, in
an empty folder:

- `tune error CODE`, `tune warning CODE`: a policy, kept as `policy.tune`, that yields this code;
- `text`: what the tool prints of the code, as it stands after such a policy;
- `tune ok`: the policy mended: it has a plan, and the code no longer;
- `tune file=NAME`: a file of that name;
- `console`: commands after `$`, and what they print. Under *Example* they print the code, later they do not.

`pytest --update` rewrites the printed texts and the table of the index.

Every run of `setpoint kb check` proves the whole knowledge base. So the files with which the pages of findings begin
are put together into few knowledge bases, as are those with which they end, and each of these is proven once;
`pytest --complete` also runs each page's commands.
"""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from setpoint.compiler.cli import main
from setpoint.compiler.cli.common import text_source
from setpoint.compiler.diagnostics import Diagnostic, Diagnostics, SetpointError
from setpoint.compiler.language.program import program_of_file, program_of_text
from setpoint.compiler.pipeline import knowledge_for, planned
from setpoint.compiler.policies.findings import with_commands
from setpoint.compiler.proof.prove import of_statements, prove
from setpoint.compiler.render.excerpt import diagnostics_text
from support.command import ROOT
from support.console import Shell
from support.fences import Fence, fences, rewrite
from support.proven import library_memory

FOLDER = ROOT / "docs/diagnostics"
PAGES = sorted(FOLDER.glob("[EWK]*.md"))
INDEX = FOLDER / "index.md"
EXAMPLE, WAY_OUT = "Example", "What to do"
POLICY = Path("policy.tune")


@pytest.fixture(scope="module", autouse=True)
def proven() -> None:
    """The library is in the user's cache, as after a first check."""
    library_memory()


CODE = re.compile(r"[EW]0\d{3}|K\d{2}")


@cache
def codes_raised() -> set[str]:
    """Every diagnostic code that is a text by itself in the sources, or that a row of the library's tables has."""
    tables = (path.read_text(encoding="utf-8") for path in (ROOT / "stdlib").glob("*.toml"))
    texts = {code for table in tables for code in re.findall(r'^code = "(\w+)"$', table, re.MULTILINE)}
    for room in ("compiler", "targets"):
        for path in (ROOT / room).rglob("*.py"):
            source = path.read_text(encoding="utf-8")
            if CODE.search(source):  # most modules raise none, and to parse them takes seconds
                nodes = ast.walk(ast.parse(source))
                texts |= {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return {text for text in texts if CODE.fullmatch(text)}


# ------------------------------------------------------------------------------------- all of them


def test_every_code_that_is_raised_has_a_page() -> None:
    assert codes_raised() - {page.stem for page in PAGES} == set()


def test_every_page_is_of_a_code_that_is_raised() -> None:
    assert {page.stem for page in PAGES} - codes_raised() == set()


def test_the_index_lists_all_pages(update: bool) -> None:
    text = INDEX.read_text(encoding="utf-8")
    before, begin, rest = text.partition("<!-- begin: written by pytest --update -->\n")
    _, end, after = rest.partition("<!-- end -->\n")
    expected = (
        before
        + begin
        + "\n".join(["", "| Code | What it says |", "|---|---|", *map(_row, PAGES), "", ""])
        + end
        + after
    )
    if update:
        INDEX.write_text(expected, encoding="utf-8")
        text = expected
    assert text == expected, "run pytest --update"


def _row(page: Path) -> str:
    return f"| [{page.stem}]({page.name}) | {_title(page)} |"


def _title(page: Path) -> str:
    head = page.read_text(encoding="utf-8").split("\n", 1)[0]
    assert head.startswith(f"# {page.stem}: "), f"{page.name} begins with {head!r}"
    return head.partition(": ")[2]


GUARDS = {"K06"}
"""Codes that guard other checks: no cause is known as long as those pass, and their pages say so."""

# ------------------------------------------------------------------------------------ each of them


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_true_to_what_the_tool_says(
    page: Path, update: bool, complete: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = {EXAMPLE: False, WAY_OUT: False}
    yields: list[Diagnostic] = []
    shown = ""
    for number in range(len(_fences(page))):
        fence = _fences(page)[number]
        match fence.info:
            case ("tune", "error" | "warning", code):
                assert code == page.stem
                findings = _findings(fence.text)
                yields = [d for d in findings.all if d.code == code]
                assert yields, f"line {fence.line}: yields only {sorted({d.code for d in findings.all})}"
                assert yields[0].severity == fence.info[1]
                shown = diagnostics_text(yields, text_source(findings.sources)).rstrip("\n") + "\n"
            case ("text",):
                assert shown, f"line {fence.line}: no policy stands before this"
                _same(page, fence, shown, update)
                told[fence.section] = True
            case ("tune", "ok"):
                findings = _findings(fence.text)
                assert page.stem not in {d.code for d in findings.all}
                assert not [d.message for d in findings.all if d.severity == "error"]
                told[fence.section] = True
            case ("console",) if _is_proven_together(page) and not (complete or update):
                told[fence.section] = True
            case ("console",):
                printed = Shell(tmp_path).session(fence.text)
                _same(page, fence, printed, update)
                assert (f"[{page.stem}]" in printed) == (fence.section == EXAMPLE)
                told[fence.section] = True
            case ("tune", _):
                assert fence.file, f"line {fence.line}: no such kind of block"
                (tmp_path / fence.file).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / fence.file).write_text(fence.text, encoding="utf-8")
            case _:
                pytest.fail(f"line {fence.line}: no such kind of block: {fence.info}")
    assert all(told.values()) or page.stem in GUARDS, f"a section has nothing that can be tried: {told}"


APART = {"K03", "K04"}
"""Findings of files that do not go with others: they arise because of what another one says, or hide what it shows."""


ANEW = {"K16"}
"""Findings of files that declare a processor, so that the whole library is proven again. They are about statements
alone."""


def test_the_files_with_which_pages_begin_lead_to_what_they_show(complete: bool) -> None:
    """By default of the pages that can be proven together; the others take as long, each by itself."""
    for pages, text in _together(EXAMPLE):
        codes = {page.stem for page in pages}
        if APART & codes and not complete:
            continue
        program = program_of_text(text)
        if ANEW & codes and not complete:
            found = Diagnostics.of(of_statements(knowledge_for(program)))
        else:
            found = prove(knowledge_for(program), library_memory()).findings
        lines = diagnostics_text(found, text_source(program.sources)).splitlines()
        for page in pages:
            (shown,) = (f.text for f in _fences(page) if f.section == EXAMPLE and f.info == ("console",))
            assert shown.splitlines()[1] in lines, page.name


def test_the_files_with_which_pages_end_leave_nothing_to_find(complete: bool, update: bool) -> None:
    if not (complete or update):
        pytest.skip("run with --complete: the files differ from the others by what is found there")
    for pages, text in _together(WAY_OUT):
        codes = {page.stem for page in pages}
        found = prove(knowledge_for(program_of_text(text)), library_memory()).findings
        assert not [finding.message for finding in found if finding.code in codes]


def _is_proven_together(page: Path) -> bool:
    """Whether a page shows what `kb check` says of its code in one file, and that it does not say so of another."""
    infos = [fence.info for fence in _fences(page)]
    looks = [fence.text for fence in _fences(page) if fence.info == ("console",)]
    return (
        infos == [("tune", "file=site.tune"), ("console",)] * 2
        and looks[0].startswith(f"$ setpoint kb check site.tune | grep -m 1 '{page.stem}'\n")
        and looks[1] == f"$ setpoint kb check site.tune | grep -c '{page.stem}'\n0\n"
    )


def _together(section: str) -> list[tuple[list[Path], str]]:
    """The files of a section as few texts, each with its pages: a file joins the first that it fits into."""
    pages = [page for page in PAGES if _is_proven_together(page)]
    assert pages
    found: list[tuple[list[Path], list[str]]] = []
    for page in pages:
        (lines,) = (f.text.splitlines() for f in _fences(page) if f.section == section and f.file)
        for others, text in found:
            new = [line for line in lines if not (line.startswith("source ") and line in text)]
            if not (APART | ANEW) & {each.stem for each in (page, *others)} and not _declared(
                text
            ) & _declared(new):
                others.append(page)
                text += new
                break
        else:
            found.append(([page], lines))
    return [(pages, "\n".join(lines) + "\n") for pages, lines in found]


def _declared(lines: list[str]) -> set[str]:
    """What lines declare: `source lab`, `rule quiet-feed`."""
    words = (
        line.split()[:2]
        for line in lines
        if re.match("(source|setting|effect|rule|hazard|constraint) ", line)
    )
    return {" ".join(each) for each in words}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_explain_prints_the_page(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", page.stem]) == 0
    assert capsys.readouterr().out == page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_links_only_to_existing_targets(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)", text):
        assert (FOLDER / target).is_file(), target
    assert set(re.findall(r"\b(?:[EW]0\d{3}|K\d{2})\b", text)) <= {other.stem for other in PAGES}


# ----------------------------------------------------------------------------------------- helpers


class Findings(NamedTuple):
    """The tool's findings for a policy, and the texts that they refer to."""

    all: list[Diagnostic]
    sources: dict[str, str]


def _fences(page: Path) -> list[Fence]:
    return fences(page.read_text(encoding="utf-8"))


def _findings(policy: str) -> Findings:
    POLICY.write_text(policy, encoding="utf-8")
    try:
        program = program_of_file(str(POLICY))
        done = planned(program, knowledge_for(program))
    except SetpointError as error:
        return Findings(list(error.diagnostics), error.sources)
    found = [d for each in done for d in with_commands(each.findings, program, each.subject)]
    return Findings(found, program.sources)


def _same(page: Path, fence: Fence, actual: str, update: bool) -> None:
    if update:
        rewrite(page, fence, actual)
    else:
        assert fence.text == actual, f"{page.name}, line {fence.line}: run pytest --update and read the diff"
