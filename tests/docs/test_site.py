"""The manual as a site: it builds without warnings, lists everything, and needs nothing from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from setpoint.compiler.cli import VERBS
from setpoint.compiler.knowledge.load import trees
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.lowering.target import targets
from setpoint.compiler.render.reference import pages
from support.command import ROOT, setpoint
from support.fences import fences

DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"


# ------------------------------------------------------------------------------------- the site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_in_the_site(site: Path) -> None:
    pages = [page.relative_to(DOCS) for page in DOCS.rglob("*.md")]
    expected = [page.with_suffix(".html") for page in pages if page.parts[0] != "editors"]
    assert [str(page) for page in expected if not (site / page).is_file()] == []


def test_the_site_fetches_nothing_from_elsewhere(site: Path) -> None:
    """Scripts, styles, fonts and pictures are its own: it can be read in a machine room without a network."""
    fetched = re.compile(r'<(?:script|img|link|iframe)\b[^>]*\b(?:src|href)="((?:https?:)?//[^"]+)')
    for page in site.rglob("*.html"):
        assert not (found := fetched.findall(page.read_text(encoding="utf-8"))), f"{page.name}: {found}"


def test_fences_are_shown_as_code(site: Path) -> None:
    """A fence that the renderer did not understand stays in the text as three backticks."""
    for page in site.rglob("*.html"):
        assert "```" not in page.read_text(encoding="utf-8"), page.name


def test_schemas_are_in_the_site(site: Path) -> None:
    names = {path.name for path in (ROOT / "compiler").rglob("*.schema.json")}
    assert names == {path.name for path in (site / "schemas").iterdir()}


# -------------------------------------------------------------------------------- the reference


def test_the_reference_is_that_of_the_knowledge_base(knowledge: Knowledge, update: bool) -> None:
    made = pages(knowledge, trees())
    if update:
        from setpoint.compiler.render.reference.__main__ import write

        write(REFERENCE)
    found = {
        path.relative_to(REFERENCE).as_posix(): path.read_text(encoding="utf-8")
        for path in REFERENCE.rglob("*.md")
    }
    assert sorted(found) == sorted(made), "run pytest --update"
    assert [name for name in made if made[name] != found[name]] == [], "run pytest --update and read the diff"


def test_the_reference_has_a_place_for_every_name(knowledge: Knowledge) -> None:
    """What a plan cites can be looked up under the heading that the links go to."""
    made = pages(knowledge, trees())
    for page, names in (
        ("settings.md", knowledge.settings),
        ("facts.md", knowledge.kinds),
        ("hazards.md", knowledge.hazards),
    ):
        headings = set(re.findall(r"^## (\S+)$", made[page], re.MULTILINE))
        assert set(names) <= headings
    for rule in knowledge.rules:
        assert f"`{rule.name}`" in made["rules.md"]


def test_a_table_is_shown_as_its_source_prints_it(knowledge: Knowledge) -> None:
    page = pages(knowledge, trees())["sources/dell-11g-hpc.md"]
    turbo = next(line for line in page.splitlines() if line.startswith("| [`turbo`]"))
    assert [cell.strip() for cell in turbo.split("|")[2:6]] == ["off", "on", "on", "on"]


# ------------------------------------------------------------------------------ nothing left out


@pytest.mark.parametrize("verb", VERBS)
def test_every_command_has_its_section_with_its_help(verb: str) -> None:
    text = (DOCS / "commands.md").read_text(encoding="utf-8")
    shown = [fence.text for fence in fences(text) if fence.section == f"setpoint {verb}"]
    assert any(f"$ setpoint {verb} --help\n" in block for block in shown)


def test_every_command_of_kb_is_shown() -> None:
    text = (DOCS / "commands.md").read_text(encoding="utf-8")
    usage = setpoint("kb", "--help").out.partition("...")[0].rpartition("]")[2]
    verbs = [word for word in usage.split() if word != "|"]
    assert verbs
    assert [verb for verb in verbs if f"$ setpoint kb {verb}" not in text] == []


def test_every_target_is_listed() -> None:
    text = (DOCS / "targets/index.md").read_text(encoding="utf-8")
    assert [name for name in targets() if f"[{name}]({name}.md)" not in text and name != "report"] == []


def test_every_decision_is_listed() -> None:
    folder = DOCS / "decisions"
    text = (folder / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"\[(\d{4})\]\((\S+)\) \| (.+) \|", text)
    found = [
        (page.name[:4], page.name, page.read_text(encoding="utf-8").split("\n", 1)[0].partition(": ")[2])
        for page in sorted(folder.glob("[0-9]*.md"))
    ]
    assert listed == found


def test_the_glossary_is_in_order() -> None:
    terms = re.findall(r"\*\*([^*]+)\*\*: ", (DOCS / "glossary.md").read_text(encoding="utf-8"))
    assert terms == sorted(terms)


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_of_top_level_pages_are_valid(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if not link.startswith("http")]
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_paths_for_contributors_exist() -> None:
    """The files and folders in the steps; names in capitals are those that a step creates, and so are those of its example."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"\b((?:compiler|docs|stdlib|targets|tests)/[\w./-]*\w)", prose))
    fixed = {name for name in named if not re.search(r"/(?:test_)?(NAME|CODE|VERB)\b", name)}
    assert len(fixed) > 20
    assert sorted(name for name in fixed if not (ROOT / name).exists()) == []
