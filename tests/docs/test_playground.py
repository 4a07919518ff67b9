"""The playground in Chromium: the page as its readers use it, with the real compiler, and without a network."""

import os
import re
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from consumers.chromium import Served, browser, messages, resize, served
from consumers.playground import site
from setpoint.compiler.knowledge.load import standard
from setpoint.compiler.lowering.bundle import choose
from setpoint.compiler.pipeline import lower, planned, read
from support.limits import PATIENCE

LATENCY = "goal latency;\ncpu westmere;\nworkload comm-bound;"
CONFLICT = 'goal efficiency;\ncpu westmere;\nset turbo on because "deadline";'
VIEWS = ("plan", "explain", "artifacts", "compare", "matrix")

PASTED = """
const clipboardData = new DataTransfer();
clipboardData.setData("text/plain", arguments[1]);
arguments[0].dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true}));
"""


class Page(NamedTuple):
    """The page in the browser."""

    driver: Chrome
    served: Served

    @property
    def address(self) -> str:
        return f"{self.served.address}/playground.html"

    def one(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """The text of an element, "" without one; in one step, as the page may draw it again at any time."""
        return self._property(selector, "textContent")

    def _property(self, selector: str, name: str) -> str:
        script = "return document.querySelector(arguments[0])?.[arguments[1]] ?? ''"
        return str(self.driver.execute_script(script, selector, name))

    def until(self, selector: str, pattern: str) -> str:
        """Wait until the text of an element matches."""
        waiting = WebDriverWait(self.driver, PATIENCE, 0.05)
        waiting.until(lambda _: re.search(pattern, self.text(selector)), f"{selector} never has {pattern}")
        return self.text(selector)

    def within(self, editor: str, selector: str) -> list[WebElement]:
        """The elements that a selector matches in an editor, as soon as there are any."""
        script = "return [...document.querySelector(arguments[0]).shadowRoot.querySelectorAll(arguments[1])]"
        waiting = WebDriverWait(self.driver, PATIENCE, 0.05)
        found = waiting.until(lambda driver: driver.execute_script(script, editor, selector), selector)
        return list(found)

    def texts(self, editor: str, selector: str) -> list[str]:
        """The texts of the elements that a selector matches in an editor, in one step, as it may draw them again at any
        time."""
        script = "return [...document.querySelector(arguments[0]).shadowRoot.querySelectorAll(arguments[1])].map(each => each.textContent)"
        return list(self.driver.execute_script(script, editor, selector))

    def value(self, editor: str) -> str:
        """The text of an editor."""
        return "\n".join(self.texts(editor, ".cm-line"))

    def keys(self, *keys: str) -> None:
        """Press keys where the focus is; `Control` with the one after it."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def held(self, key: str) -> None:
        """Press a key with Control."""
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()

    def clear(self, editor: str) -> WebElement:
        """The content of an editor, which has the focus, and all of which is selected."""
        (content,) = self.within(editor, ".cm-content")
        self.driver.execute_script("arguments[0].focus()", content)
        self.held("a")
        return content

    def type(self, editor: str, text: str) -> None:
        """Replace what an editor has, key by key."""
        self.clear(editor)
        self.keys(Keys.DELETE, text)

    def paste(self, editor: str, text: str) -> None:
        """Replace what an editor has, in one step."""
        self.driver.execute_script(PASTED, self.clear(editor), text)

    def propose(self, first: str) -> list[str]:
        """The words that the editor of the policy proposes, once the first of them is `first`; a key can accept one
        then."""
        selector = ".cm-tooltip-autocomplete .cm-completionLabel"
        waiting = WebDriverWait(self.driver, PATIENCE, 0.1)
        waiting.until(lambda _: self.texts("#policy", selector)[:1] == [first], first)
        time.sleep(0.2)  # CodeMirror takes no key for a list that has only just appeared
        return self.texts("#policy", selector)

    def choose(self, view: str) -> None:
        self.one(f"#tab-{view}").click()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page, opened once."""
    with browser() as driver, served(site(tmp_path_factory.mktemp("site"))) as address:
        resize(driver, 1100, 900)
        opened = Page(driver, address)
        driver.get(opened.address)
        opened.until("#plan", "C-States")
        yield opened


@pytest.fixture(autouse=True)
def nothing_is_complained_of(page: Page) -> Iterator[None]:
    """No test leaves an error of a script, nor anything that was refused or is missing."""
    yield
    assert messages(page.driver) == []


def test_the_first_plan_is_there_without_a_touch(page: Page) -> None:
    assert page.text("#status") == ""
    assert page.value("#policy").strip() == "goal latency;\nplatform r750;\nos rhel 9;"
    assert page.text("#tally") == "0 errors, 3 warnings (1 W0301, 2 W0303)"
    rows = [row.text for row in page.all("#plan tbody tr:has(details)")]
    assert any(
        row.startswith(
            "C-States\nc-states\noff C-states may lengthen memory latency and make the clock jitter\n"
            "dell-bios-registries, R740 and R750 registries, ProcCStates help text test-first"
        )
        for row in rows
    )


def test_a_conflict_is_repaired_by_a_button(page: Page) -> None:
    page.type("#policy", CONFLICT)
    page.until("#tally", "1 error")
    page.until("#plan", "Stopped")
    assert "Turbo gained 2 to 8% performance" in page.one("#findings .error").text
    place, _ = page.all("#findings .error .place")
    place.click()
    selected = "return document.activeElement.shadowRoot.getSelection().toString()"
    assert page.driver.execute_script(selected) == 'set turbo on because "deadline"'
    instead = next(b for b in page.all(".error .repair") if b.text == "set turbo off instead of on verified")
    instead.send_keys(Keys.ENTER)
    page.until("#findings .error", "reason")  # the one for `on` is gone
    assert page.value("#policy") == CONFLICT.replace('turbo on because "deadline"', 'turbo off because ""')
    page.held("z")
    page.until("#findings .error", "Turbo gained 2 to 8% performance")
    assert page.value("#policy") == CONFLICT, "undo takes a repair back"


def test_a_finding_is_marked_at_its_place_with_its_repairs(page: Page) -> None:
    page.type("#policy", CONFLICT)
    page.until("#tally", "1 error")
    marked = page.within("#policy", ".cm-lintRange-error")
    assert [each.text for each in marked] == ['set turbo on because "deadline"']
    assert len(page.within("#policy", ".cm-lint-marker-error")) == 1
    ActionChains(page.driver).move_to_element(marked[0]).perform()
    page.within("#policy", ".cm-tooltip-lint .cm-diagnostic-error")
    (tooltip,) = page.texts("#policy", ".cm-tooltip-lint .cm-diagnostic-error")
    assert tooltip.startswith("hazard turbo-vs-efficiency: Turbo gained 2 to 8% performance")
    actions = page.within("#policy", ".cm-tooltip-lint .cm-diagnosticAction")
    next(each for each in actions if each.text == "drop set turbo on (verified)").click()
    page.until("#tally", "0 errors")
    assert page.value("#policy").strip() == "goal efficiency;\ncpu westmere;"
    page.held("z")
    page.until("#tally", "1 error")
    assert page.value("#policy") == CONFLICT
    ActionChains(page.driver).key_down(Keys.CONTROL).key_down(Keys.SHIFT).send_keys("m").key_up(
        Keys.SHIFT
    ).key_up(Keys.CONTROL).perform()
    (panel,) = page.within("#policy", ".cm-panel-lint")
    assert "Turbo gained 2 to 8% performance" in panel.text, "the list of findings, for the keyboard"
    page.keys(Keys.ESCAPE)


def test_an_editor_has_colours_and_numbers_and_searches(page: Page) -> None:
    page.type("#policy", 'goal latency; # "no text"\ncpu x5670;\nset turbo off because "a \\"b\\" 1";')
    colours: dict[str, list[str]] = {}
    for each in page.within("#policy", ".cm-line span"):
        colours.setdefault(each.value_of_css_property("color"), []).append(
            str(each.get_property("textContent"))
        )
    of = {name: page.driver.execute_script(COLOUR, f"--code-{name}") for name in ("word", "text", "quiet")}
    assert colours[of["word"]] == ["set", "because"]
    assert colours[of["text"]] == ['"a ', '\\"', "b", '\\"', ' 1"']
    assert '# "no text"' in colours[of["quiet"]] and ";" in colours[of["quiet"]]
    numbers = page.within("#policy", ".cm-lineNumbers .cm-gutterElement")
    assert [each.text for each in numbers if each.is_displayed()] == ["1", "2", "3"]
    page.held("f")
    page.keys("turbo")
    found = WebDriverWait(page.driver, PATIENCE, 0.1)
    found.until(lambda _: page.texts("#policy", ".cm-searchMatch") == ["turbo"])
    page.keys(Keys.ESCAPE)


COLOUR = """
const probe = document.body.appendChild(document.createElement("i"));
probe.style.color = `var(${arguments[0]})`;
const color = getComputedStyle(probe).color;
probe.remove();
return color.replace("rgb(", "rgba(").replace(")", ", 1)");
"""
"""The colour that a variable of the page stands for."""


def test_a_policy_is_written_repaired_tested_and_compared(page: Page) -> None:
    """The day's work: words are proposed, a conflict is repaired, what must hold is added, and a change is looked
    at."""
    page.type("#policy", "goal latency;\nplatform r750;\nset c-st")
    assert page.propose("c-states") == ["c-states"]
    page.keys(Keys.ENTER)
    assert page.propose("autonomous") == ["autonomous", "off", "on"]
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
    assert page.value("#policy").endswith("\nset c-states on ")
    page.keys('because "asked for";')
    page.until("#findings .error", "C-states may lengthen memory latency")
    repair = "set c-states off instead of on verified"
    next(each for each in page.all(".error .repair") if each.text == repair).click()
    page.keys("measured at last")
    page.until("#tally", "0 errors")
    page.until("#plan", "measured at last")

    page.held(Keys.END)
    page.keys("\nexpect turbo on;")
    page.until("#findings .error", "expected turbo on, but turbo is off")
    page.keys(Keys.BACKSPACE * 3 + "off;")
    page.until("#tally", "0 errors")

    policy = page.value("#policy")
    assert policy.endswith('set c-states off because "measured at last";\nexpect turbo off;')
    page.choose("compare")
    page.type("#other", policy.replace("latency", "efficiency").replace("expect turbo off;", ""))
    page.until("#difference", "turbo")
    page.choose("plan")


def test_a_waiver_waits_for_its_reason(page: Page) -> None:
    page.type("#policy", CONFLICT)
    page.until("#tally", "1 error")
    page.all("#findings .error .repair")[-1].click()
    page.keys("measured, PERF-3")
    page.until("#tally", "0 errors")
    assert 'accept turbo-vs-efficiency because "measured, PERF-3";' in page.value("#policy")


def test_what_is_typed_is_never_markup(page: Page) -> None:
    page.type(
        "#policy", 'goal latency; cpu westmere; set turbo on because "<img src=/gone.png onerror=alert(1)>";'
    )
    page.until("#plan", "<img src=/gone.png")
    page.type("#policy", 'include "<b>.tune";')
    page.until("#findings", "<b>")
    assert page.all("img, #findings b, #plan b") == []


def test_the_artifacts_are_the_compilers(page: Page, tmp_path: Path) -> None:
    page.type("#policy", LATENCY)
    page.choose("artifacts")
    page.until("#content", "Manual steps")
    program = read("policy.tune", "", {os.path.realpath("policy.tune"): LATENCY})
    (expected,) = planned(program, standard())
    assert expected.plan is not None
    bundle = lower(expected.knowledge, expected.plan, choose(()), False)
    page.driver.execute_cdp_cmd(
        "Page.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    page.one("#download").click()
    WebDriverWait(page.driver, PATIENCE).until(lambda _: (tmp_path / "policy.zip").is_file())
    archive = zipfile.ZipFile(tmp_path / "policy.zip")
    found = {name.removeprefix("policy/"): archive.read(name).decode() for name in archive.namelist()}
    assert found == {file.path: file.text for file in bundle.files}
    profile = next(name for name in found if name.endswith("tuned.plan"))
    Select(page.one("#file")).select_by_value(profile)
    assert page.text("#content") == found[profile]
    page.choose("plan")


def test_an_address_is_what_a_colleague_sees(page: Page) -> None:
    page.type("#policy", "goal latency; cpu nehalem; # \u00e9t\u00e9")
    page.until("#plan", "cpunehalemstated")
    sent = page.driver.current_url
    assert "#v1." in sent
    page.type("#policy", LATENCY)
    page.until("#plan", "cpuwestmerestated")
    page.driver.get(sent)
    page.until("#plan", "cpunehalemstated")
    assert page.value("#policy") == "goal latency; cpu nehalem; # \u00e9t\u00e9"
    page.driver.get(sent[:-9])
    assert "damaged" in page.until("#notice", "link")
    page.driver.get(f"{page.address}#v9.abc")
    assert "another version" in page.until("#notice", "another")


def test_two_policies_are_side_by_side(page: Page) -> None:
    page.type("#policy", LATENCY)
    page.choose("compare")
    page.type("#other", "")
    page.until("#difference", "second policy is empty")
    page.one("#copy-policy").click()
    page.until("#difference", "Both policies have the same plan")
    assert page.value("#other") == LATENCY
    page.type("#other", LATENCY.replace("latency", "efficiency"))
    page.until("#difference", "c-states")
    assert (
        page.one("#policy").location["y"] < page.one("#other").rect["y"] + page.one("#other").rect["height"]
    )
    assert page.one("#difference tbody").text == "Facts\ngoal\nlatency efficiency"
    row = next(each.text for each in page.all("#difference tr") if each.text.startswith("c-states"))
    assert (
        "off" in row and "dell-11g-hpc, Figure 10 (vendor)" in row and "dell-11g-hpc, Table 6 (vendor)" in row
    )


def test_a_platform_has_a_matrix(page: Page) -> None:
    page.choose("matrix")
    page.until("#table", "c-states")
    assert page.one("#platform").get_property("value") == "poweredge-11g", "that of the policy"
    Select(page.one("#platform")).select_by_value("r740")
    page.until("#table", "system-profile")
    rows = len(page.all("#table tbody tr"))
    page.one("#all").click()
    WebDriverWait(page.driver, PATIENCE).until(lambda _: len(page.all("#table tbody tr")) > rows)
    page.one("#all").click()


def test_a_sites_knowledge_is_added(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "lab.tune"
    file.write_text(
        'source lab { title "Our lab"; publisher "Lab"; }\n'
        'rule ours of lab at "Run 1" { when cpu skylake; use smt on; strength measured; because "we saw it"; }\n',
        encoding="utf-8",
    )
    page.choose("plan")
    page.type("#policy", "goal performance;\ncpu skylake;")
    page.one("#knowledge-file").send_keys(str(file))
    page.until("#plan", "lab, Run 1")
    assert page.value("#policy") == 'include "knowledge.tune";\ngoal performance;\ncpu skylake;'
    page.one("#remove-knowledge").click()
    page.until("#plan", "dell-14g-hpc")
    assert page.value("#policy") == "goal performance;\ncpu skylake;"


def test_what_takes_too_long_is_ended_and_not_begun_again(page: Page) -> None:
    """Neither by what is typed next, nor by a reload. The page's patience is shortened; the compiler and its end are
    real."""
    page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": IMPATIENCE})
    page.driver.get("about:blank")
    page.driver.get(page.address)
    page.until("#plan", "C-States")
    page.driver.execute_script("window.isImpatient = true")
    page.paste("#policy", LATENCY)
    page.until("#notice", "^This takes more than 30 seconds, so the compiler was stopped. Try again$")
    page.driver.execute_script("window.isImpatient = false")
    page.paste("#policy", CONFLICT)
    page.until("#tally", "1 error")
    assert page.text("#notice") == ""
    page.driver.execute_script("window.isImpatient = true")
    page.paste("#policy", LATENCY)
    page.until("#notice", "^This takes more than")
    page.driver.refresh()
    page.until("#notice", "^There was no answer to this the last time. Try again$")
    assert page.value("#policy") == LATENCY
    assert "C-States" not in page.text("#plan")
    page.one("#again").click()
    page.until("#tally", "2 warnings")
    assert page.text("#notice") == ""


IMPATIENCE = """
const real = window.setTimeout;
window.setTimeout = (then, ms, ...rest) => real(then, window.isImpatient && ms === 30000 ? 0 : ms, ...rest);
"""
"""Where a test wants it, the compiler has no time at all to answer."""


def test_a_keyboard_is_enough(page: Page) -> None:
    """Tab reaches everything, and leaves every field; the arrow keys change the view."""
    page.type("#policy", LATENCY)
    page.until("#tally", "2 warnings")
    redrawn = (StaleElementReferenceException,)
    assert WebDriverWait(page.driver, PATIENCE, ignored_exceptions=redrawn).until(all_named)
    page.driver.execute_script("document.querySelector('header a').focus()")
    reached: list[str] = []
    for _ in range(40):
        page.keys(Keys.TAB)
        element = page.driver.switch_to.active_element
        reached.append(element.get_attribute("id") or element.tag_name)
        if reached[-1] == "tab-plan":
            break
    for each in ("example", "add-knowledge", "copy", "policy", "summary", "tab-plan"):
        assert each in reached
    page.driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    assert page.driver.switch_to.active_element.get_attribute("id") == "tab-explain"
    page.until("#explanation", "decided")
    page.driver.switch_to.active_element.send_keys(Keys.HOME)
    assert page.one("#plan").is_displayed()


def all_named(driver: WebDriver) -> bool:
    """Whether each element that can be used has a name that is read aloud, the editors among them."""
    used = driver.find_elements(By.CSS_SELECTOR, "button, select, input, a, [role=tabpanel]")
    editors = "return [...document.querySelectorAll('.editor')].map(each => each.shadowRoot.querySelector('.cm-content'))"
    used += driver.execute_script(editors)
    return not [
        each.get_attribute("outerHTML") for each in used if each.is_displayed() and not each.accessible_name
    ]


@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1100, "light")])
def test_every_view_fits_its_window(page: Page, width: int, scheme: str) -> None:
    page.type("#policy", CONFLICT)
    resize(page.driver, width, 800, scheme)
    for view in VIEWS:
        page.choose(view)
        wider = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.driver.execute_script(wider) == 0, view
    color = page.one("body").value_of_css_property("background-color")
    assert color == ("rgba(22, 24, 28, 1)" if scheme == "dark" else "rgba(255, 255, 255, 1)")
    resize(page.driver, 1100, 900)
    page.choose("plan")


def test_nothing_that_is_typed_leaves_the_page(page: Page) -> None:
    """The server saw the page and what it loads once, and no request since; a fragment is not sent."""
    loaded = [
        path
        for path in page.served.paths
        if not path.startswith(("/playground/", "/icon.svg", "/playground.html"))
    ]
    assert loaded == []
    assert not any("#" in path or "?" in path for path in page.served.paths)
