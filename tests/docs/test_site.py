"""The manual as a site: it builds without warnings, lists everything, needs nothing from elsewhere, and can be read in
a browser."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import filter as matching
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote_plus

import html5lib
import pytest
from proof.small import knowledge as small_library
from proof.small import rule
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from consumers.chromium import browser, messages, resize, served
from setpoint.compiler.cli import VERBS
from setpoint.compiler.knowledge.interfaces import INTERFACES
from setpoint.compiler.knowledge.load import trees
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.lowering.target import targets
from setpoint.docs.hooks.reference import pages
from setpoint.docs.hooks.reference.settings import INTERFACES as HEADS
from setpoint.docs.hooks.reference.settings import setting_pages
from support.command import ROOT, setpoint
from support.fences import fences
from support.golden import compare
from support.limits import PATIENCE

DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"


# ------------------------------------------------------------------------------------- the site


def build(folder: Path) -> Path:
    """Build the site into a folder."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    return build(tmp_path_factory.mktemp("site"))


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


# ---------------------------------------------------------------------------- the kinds of server


def matrix(page: Path) -> dict[tuple[str, str], str]:
    """The value for each setting and goal of the tables of a platform's page."""
    document = html5lib.parse(page.read_text(encoding="utf-8"), namespaceHTMLElements=False)
    found: dict[tuple[str, str], str] = {}
    for row in document.iter("tr"):
        cells = {cell.get("data-label"): cell.find("code") for cell in row.iterfind("td")}
        link = row.find("td/a/code")
        if "latency" in cells and link is not None:
            found |= {(link.text, goal): value.text for goal, value in cells.items() if value is not None}
    return found


def test_every_server_is_listed(site: Path, knowledge: Knowledge) -> None:
    index = (site / "platforms/index.html").read_text(encoding="utf-8")
    found = re.findall(r'<td data-label="platform"><code>(.*?)</code>', index)
    assert sorted(found) == sorted(knowledge.values["platform"])


@pytest.mark.parametrize(
    ("page", "platform", "goal"),
    [
        ("poweredge-15g", "r750", "efficiency"),
        ("xr11", "xr11", "latency"),
        ("ucs-m7", "c240-m7", "throughput"),
    ],
)
def test_a_page_has_the_plan_of_its_server(site: Path, page: str, platform: str, goal: str) -> None:
    """The values are those of `setpoint plan`, also for a model that is on the page of its family."""
    shown = matrix(site / f"platforms/{page}.html")
    plan = json.loads(setpoint("plan", "-e", f"goal {goal}; platform {platform}", "--format", "json").out)
    values = {name: each["value"] for name, each in plan["settings"].items()}
    written = {name: values[name] for name, each in plan["settings"].items() if each["written"]}
    assert written
    assert {name: shown[name, goal] for name in written} == written
    assert {name: value for (name, under), value in shown.items() if under == goal}.items() <= values.items()


def test_a_picture_shows_how_a_value_is_decided(site: Path) -> None:
    """The facts, who says what and what becomes of it, the value, and its words; as the text of the picture."""
    document = html5lib.parse((site / "index.html").read_text(encoding="utf-8"), namespaceHTMLElements=False)
    (picture,) = (each for each in document.iter("figure") if each.get("class") == "decision")
    texts = ["".join(each.itertext()) for each in picture.iter() if str(each.tag).endswith("text")]
    expected = [
        "goal latency: stated",
        "advice that applies to these facts",
        "on: vendor, decides",
        "off: weaker evidence, lost",
        "cisco-bios-templates, M6-Intel, LowLatency",
        "virtualization on",
        "Processor Settings > Virtualization Technology: Enabled",
        "ProcVirtualization = Enabled",
    ]
    assert [text for text in texts if text in expected] == expected


def test_the_first_page_has_a_policy_its_plan_and_the_reasons_of_a_value(site: Path) -> None:
    """They are those of the commands, and the wheel is that of this release."""
    (policy, install) = fences((DOCS / "index.md").read_text(encoding="utf-8"))[:2]
    version = setpoint("--version").out.split()[1]
    assert install.text.splitlines()[0] == f"pipx install ./setpoint-{version}-py3-none-any.whl"
    document = html5lib.parse((site / "index.html").read_text(encoding="utf-8"), namespaceHTMLElements=False)
    (shown,) = (each for each in document.iter("table") if each.get("class") == "excerpt")
    values = {
        row[0].findtext(".//code"): row[1].findtext("code") for row in shown.iter("tr") if len(row) == 3
    }
    settings = json.loads(setpoint("plan", "-e", policy.text, "--format", "json").out)["settings"]
    written = {name: each["value"] for name, each in settings.items() if each["written"]}
    assert len(values) == 8 and values.items() <= written.items()
    text = " ".join("".join(document.itertext()).split())
    assert f"and {len(written) - len(values)} other values, each with its source" in text
    assert "Why intel-idle off" in text
    for cause in settings["intel-idle"]["because"]:
        assert f"{cause['source']}, {cause['at']}" in text and cause["because"] in text


# ---------------------------------------------------------------------------------- in a browser

SCHEMES = {"light": "default", "dark": "slate"}
"""What the theme calls the colours."""

AT_ONCE = "document.head.append(Object.assign(document.createElement('style'), {textContent: '* {transition: none !important}'}))"
"""Nothing changes its colour slowly."""

WIDER = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"

REPEATED = "return [...document.querySelectorAll('figure [id]')].map(each => each.id).filter((id, at, all) => all.indexOf(id) < at)"
"""Identifiers that two parts of pictures have."""

FAINTEST = """
const channels = text => { const found = text.match(/[\\d.]+/g).map(Number); return found.length < 4 ? [...found, 1] : found; };
const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]));
const ground = each => {
  if (!each) return [255, 255, 255];
  const color = channels(getComputedStyle(each).backgroundColor);
  return color[3] === 1 ? color.slice(0, 3) : over(color, ground(each.parentElement));
};
const luminance = color => {
  const [r, g, b] = color.map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
let seen = 0, faintest = [21, ""];
while (texts.nextNode()) {
  const text = texts.currentNode.data.trim(), each = texts.currentNode.parentElement, style = getComputedStyle(each);
  if (!text || !each.getClientRects().length || !each.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
  const below = ground(each), above = over(channels(each instanceof SVGElement ? style.fill : style.color), below);
  const [darker, lighter] = [luminance(above), luminance(below)].sort((x, y) => x - y);
  const ratio = (lighter + 0.05) / (darker + 0.05);
  seen += 1;
  if (ratio < faintest[0]) faintest = [ratio, text];
}
return [seen, ...faintest];
"""
"""How many texts a page shows, and the contrast of the faintest with what is behind it, as WCAG 2 computes it, with
that text."""

KEEP_COPIES = """
window.copies = [];
document.addEventListener("copy", event => copies.push(event.target.value), true);
"""


class Manual(NamedTuple):
    """The built manual in a browser."""

    driver: Chrome
    address: str

    def open(self, page: str) -> None:
        self.driver.get(f"{self.address}/{page}")
        self.driver.execute_script(AT_ONCE)

    def all(self, selector: str) -> list[WebElement]:
        """The elements that a selector matches, as soon as there are any."""
        waiting = WebDriverWait(self.driver, PATIENCE, 0.1)
        return waiting.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, selector))

    def found(self, words: str) -> list[str]:
        """The places that the search finds on the page that is open, best first."""
        (field,) = self.all("input[name=query]")
        for keys in (Keys.CONTROL + "a", words):
            field.send_keys(keys)
        marked = f"h={quote_plus(words.lower().replace('-', ' '))}"
        self.all(f".md-search-result__link[href*={marked!r}]")
        addresses = [str(each.get_attribute("href")) for each in self.all(".md-search-result__link")]
        return [re.sub(r".*/(.*?)\?[^#]*", r"\1", each) for each in addresses]


@pytest.fixture(scope="module")
def manual(site: Path) -> Iterator[Manual]:
    with browser() as driver, served(site) as place:
        resize(driver, 1200, 900)
        yield Manual(driver, place.address)


@pytest.mark.parametrize(
    "page",
    [
        "index.html",
        "reference/settings/c-states.html",
        "reference/names.html",
        "reference/sources/cern-nehalem.html",
        "platforms/poweredge-15g.html",
    ],
)
def test_a_page_can_be_read(manual: Manual, page: str) -> None:
    """On a desk and on a phone it fits the window, and no text is fainter than WCAG's level AA allows, in light and
    dark."""
    manual.open(page)
    for width in (400, 1200):
        for scheme in ("dark", "light"):
            resize(manual.driver, width, 900, scheme)
            manual.all(f"body[data-md-color-scheme={SCHEMES[scheme]}]")
            assert manual.driver.execute_script(WIDER) == 0, width
            assert manual.driver.execute_script(REPEATED) == []
            seen, contrast, text = manual.driver.execute_script(FAINTEST)
            assert seen > 40
            assert contrast >= 4.5, f"{text}, {width}, {scheme}"
    assert messages(manual.driver) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_page_begins_with_what_setpoint_does(manual: Manual, scheme: str) -> None:
    """On a desk the policy, how to install, the plan and the reasons are there without scrolling; on a phone the first
    two."""
    manual.open("index.html")
    for width, height, count in ((1200, 800, 4), (400, 800, 2)):
        resize(manual.driver, width, height, scheme)
        parts = [
            manual.all(each)[0]
            for each in (".start .file", ".start div + .highlight pre", "table.excerpt", ".reasons")
        ]
        ends = [each.rect["y"] + each.rect["height"] for each in parts]
        assert max(ends[:count]) <= height, f"{width}: {ends}"
    resize(manual.driver, 1200, 900)


def test_a_row_of_a_table_is_a_block_on_a_phone(manual: Manual) -> None:
    manual.open("reference/sources/dell-14g-hpc.html#rules")
    resize(manual.driver, 400, 900)
    _, cell, *_ = manual.all("#rules ~ .md-typeset__scrollwrap td")
    assert cell.get_attribute("data-label") == "rule"
    assert cell.rect["width"] > 300
    resize(manual.driver, 1200, 900)


def test_settings_are_found_by_the_names_that_people_use(manual: Manual) -> None:
    manual.open("glossary.html")
    manual.all("input[name=query]")[0].click()
    for words, setting in (
        ("Logical Processor", "smt"),
        ("Hyper-Threading", "smt"),
        ("THP", "transparent-hugepages"),
        ("Turbo Boost", "turbo"),
        ("NPS", "numa-nodes-per-socket"),
    ):
        assert f"{setting}.html" in manual.found(words)[:4]
    for word, setting in (  # of an interface: its page is the first
        ("ProcCStates", "c-states"),
        ("LogicalProc", "smt"),
        ("intel_idle.max_cstate", "intel-idle"),
        ("kernel.numa_balancing", "numa-balancing"),
        ("vm.swappiness", "swappiness"),
    ):
        assert manual.found(word)[0] == f"{setting}.html"
    assert manual.found("R750")[0] == "poweredge-15g.html"


def test_of_a_transcript_the_commands_are_copied(manual: Manual) -> None:
    manual.open("tutorial.html")
    manual.driver.execute_script(KEEP_COPIES)
    manual.all("#__code_2 .md-code__button")[0].click()
    expected = "setpoint plan -e 'goal latency; platform r750; os rhel 9' 2>/dev/null"
    assert manual.driver.execute_script("return copies") == [expected]


def test_readers_choose_the_colours(manual: Manual) -> None:
    """Those of the system at first; then light, then dark, whatever the system has."""
    manual.open("index.html")
    seen = []
    for _ in range(3):
        seen.append(manual.driver.execute_script("return document.body.dataset.mdColorScheme"))
        next(each for each in manual.all("[data-md-component=palette] label") if each.is_displayed()).click()
    assert seen == ["default", "default", "slate"]


# -------------------------------------------------------------------------------- the reference


@pytest.fixture(scope="module")
def made(knowledge: Knowledge) -> dict[str, str]:
    """The pages, made once: the one on evidence takes seconds."""
    return pages(knowledge, trees())


def test_the_site_has_every_page_of_the_reference(site: Path, made: dict[str, str]) -> None:
    """Also in the place of those that the repository has in their stead."""
    for name, text in made.items():
        title = text.partition("\n")[0].removeprefix("# ")
        page = (site / "reference" / name).with_suffix(".html").read_text(encoding="utf-8")
        assert f">{title}<a " in page.replace("&amp;", "&")
    assert "The site of this manual has here" not in (site / "reference/index.html").read_text("utf-8")


def test_the_repository_has_no_page_of_a_setting_or_a_source() -> None:
    """Only what other pages link to, in short."""
    found = [path for path in REFERENCE.rglob("*") if path.is_file()]
    assert {path.parent for path in found} == {REFERENCE}
    assert all(path.read_text(encoding="utf-8").count("\n") < 10 for path in found)


def test_the_reference_has_a_place_for_every_name(knowledge: Knowledge, made: dict[str, str]) -> None:
    """What a plan cites can be looked up under the heading that the links go to."""
    for page, names in (("facts.md", knowledge.kinds), ("hazards.md", knowledge.hazards)):
        headings = set(re.findall(r"^## (\S+)$", made[page], re.MULTILINE))
        assert set(names) <= headings
    for each in knowledge.rules:
        assert f"`{each.name}`" in made["rules.md"]
        assert f"`{each.value}`" in made[f"settings/{each.setting}.md"]


def test_the_page_of_a_setting_has_its_names_and_both_lists_lead_to_it(
    knowledge: Knowledge, made: dict[str, str]
) -> None:
    for setting in knowledge.settings:
        link = f"[`{setting}`](settings/{setting}.md)"
        assert link in made["settings.md"]
        for spelling in knowledge.spellings.get(setting, ()):
            for name in spelling.names:
                assert f"`{name}`" in made[f"settings/{setting}.md"]
                assert any(
                    line.startswith(f"| `{name}` |") and link in line
                    for line in made["names.md"].splitlines()
                )


def test_the_names_have_a_list_for_each_interface() -> None:
    assert set(HEADS) == set(INTERFACES)


def test_settings_have_subjects_and_each_subject_settings(knowledge: Knowledge) -> None:
    """The names in `stdlib/subjects.toml` are those of settings that no subject before has. A few new ones may be among
    the others."""
    table = tomllib.loads((ROOT / "stdlib/subjects.toml").read_text(encoding="utf-8"))["subject"]
    left = set(knowledge.settings)
    for subject in table:
        for pattern in subject["settings"]:
            named = set(matching(left, pattern))
            assert named, pattern
            left -= named
    assert len(left) < 10, left


SHOWN = (
    """spelling attribute of paper when model m1 { boost on "Enabled", off "Disabled" in "CpuBoost" at "Registry"; }""",
    """spelling racadm of paper when model m1 { boost in "BIOS.Cpu.CpuBoost" at "Guide"; }""",
    """preset "Profiles" of paper { mode a b c; boost on off free; }""",
)
"""What a small library has of a setting."""


def test_a_page_shows_what_is_known_of_a_setting(update: bool) -> None:
    """All of it, of a small library: what the pages of this one show changes with it."""
    small = small_library(*SHOWN, rule("fast-boost", "boost on", "goal fast, model m1"))
    compare(setting_pages(small)["settings/boost.md"], ROOT / "tests/docs/setting.md", update)


def test_a_table_is_shown_as_its_source_prints_it(made: dict[str, str]) -> None:
    page = made["sources/dell-11g-hpc.md"]
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
    linked = set(re.findall(r"\[([a-z-]+)\]\((?:\w+\.md|\.\./\.\./targets/\w+/README\.md)\)", text))
    assert linked == {name for name in targets() if name != "report"}


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


@pytest.mark.parametrize("folder", [".", "docs", "docs/*", "targets/*"])
def test_links_work_where_the_sources_are_read(folder: str) -> None:
    """A forge shows the pages from the repository. The site has the same links, since MkDocs refuses to build it with a
    broken one."""
    found = 0
    for page in ROOT.glob(f"{folder}/*.md"):
        text = re.sub(r"^(```+).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        links = re.findall(r"\]\((?!\w+:|#)([^)#\s]+)", text)
        found += len(links)
        assert [link for link in links if not (page.parent / link).exists()] == [], page
    assert found > 5


def test_paths_for_contributors_exist() -> None:
    """The files and folders in the steps; names in capitals are those that a step creates, and so are those of its
    example."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"\b((?:compiler|docs|stdlib|targets|tests)/[\w./-]*\w)", prose))
    fixed = {name for name in named if not re.search(r"/(?:test_)?(NAME|CODE|VERB)\b", name)}
    assert len(fixed) > 20
    assert sorted(name for name in fixed if not (ROOT / name).exists()) == []
