"""The pages of the manual are true: their commands print what they show, and their policies have a plan.

A page's blocks are taken in their order, in a folder that holds the examples and nothing else:

- `console`: commands after `$`, and what they print; `...` stands for any lines;
- `tune plan`: a policy that has a plan;
- `tune`: statements of the language, policy or knowledge, that are read without an error;
- `file=NAME` with either of them: kept as a file of that name;
- `walkthrough` with any of them: run by `test_operators`, on servers;
- `json`, `sh` and other languages are not run.

`pytest --update` rewrites what the commands print. The pages of the diagnostics, of the language and of the knowledge
base have tests of their own.
"""

from pathlib import Path

import pytest

from setpoint.compiler.knowledge.load import with_site
from setpoint.compiler.language.program import program_of_text
from support.command import ROOT
from support.console import Shell, examples, fits, renewed, steps
from support.fences import Fence, fences, rewrite
from support.plans import compilable
from support.proven import library_memory

DOCS = ROOT / "docs"
OTHERS = ("diagnostics", "reference", "language.md")
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted(DOCS.rglob("*.md")) if page.relative_to(DOCS).parts[0] not in OTHERS),
]
WITH_COMMANDS = [
    page for page in PAGES if "\n```tune" in page.read_text() or "\n```console" in page.read_text()
]


@pytest.fixture(scope="module", autouse=True)
def proven() -> None:
    """The library is in the user's cache, as after a first check."""
    library_memory()


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_shows_what_happens(page: Path, tmp_path: Path, update: bool) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    examples(folder)
    shell = Shell(folder)
    for number in range(len(_fences(page))):
        fence = _fences(page)[number]
        match fence.info[:1]:
            case ("console",):
                session = shell.session(fence.text)
                if update and session != fence.text:
                    rewrite(page, fence, session)
                else:
                    assert fence.text == session, f"line {fence.line}: run pytest --update and read the diff"
            case ("tune",):
                _read(fence, shell.folder)


def _fences(page: Path) -> list[Fence]:
    return [each for each in fences(page.read_text(encoding="utf-8")) if "walkthrough" not in each.info]


def _read(fence: Fence, folder: Path) -> None:
    """Read a block of the language, and plan it where it says that it has a plan; keep it where it has a name."""
    kinds = [word for word in fence.info[1:] if not word.startswith("file=")]
    assert kinds in ([], ["plan"]), f"line {fence.line}: no such kind of block: {fence.info}"
    program = program_of_text(fence.text, str(folder))
    if kinds:
        assert compilable(program)
    elif program.site:
        with_site(program.site)
    if fence.file:
        (folder / fence.file).parent.mkdir(parents=True, exist_ok=True)
        (folder / fence.file).write_text(fence.text, encoding="utf-8")


# ----------------------------------------------------------------------------- how it is compared


def test_dots_stand_for_any_lines() -> None:
    printed = ("one", "two", "three", "four")
    true: list[tuple[str, ...]] = [
        printed,
        ("one", "..."),
        ("...", "four"),
        ("one", "...", "three", "..."),
        (*printed, "..."),
    ]
    untrue: list[tuple[str, ...]] = [
        (),
        ("...",),
        ("one",),
        ("...", "three"),
        ("two", "..."),
        ("one", "...", "two", "...", "two", "..."),
    ]
    assert [shown for shown in true if not fits(shown, printed)] == []
    assert [shown for shown in untrue if fits(shown, printed)] == []


def test_a_renewed_output_keeps_its_dots() -> None:
    printed = ("Policy web", "turbo off", "smt on", "c1e on", "Restart: 3 values")
    assert renewed(("Policy web", "...", "Restart: 2 values"), printed) == (
        "Policy web",
        "...",
        "Restart: 3 values",
    )
    assert renewed(("turbo on", "..."), printed) == ("Policy web", "...")
    assert renewed(("turbo on",), printed) == printed


def test_a_command_may_go_on() -> None:
    assert steps("$ cat <<END\n> one\n> END\none\n> two\n") == [("cat <<END\none\nEND", ("one", "> two"))]


def test_a_block_begins_with_a_command() -> None:
    with pytest.raises(AssertionError, match="begins with a command"):
        steps("Policy web\n")
