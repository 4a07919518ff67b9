"""The page of a plan: valid HTML that needs nothing else, readable by everybody, in which text stays text."""

import re
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.language.written import quote
from setpoint.compiler.pipeline import knowledge_for, planned
from setpoint.compiler.render.html import page_of, plans_html
from setpoint.compiler.render.visible import visible
from support.command import ROOT, setpoint
from support.effort import examples

SERVER = "goal latency; cpu westmere; workload comm-bound; os rhel 6.4;\n"
SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "examples").glob("*/*.tune"))


def page(text: str) -> str:
    program = program_of_text(text)
    done = planned(program, knowledge_for(program))
    return plans_html(page_of(each.knowledge, each.judged) for each in done if each.judged)


def parsed(text: str) -> Element:
    """The tree of a document; html5lib raises what the standard calls a parse error."""
    tree: Element = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
    return tree


def texts(tree: Element, name: str) -> list[str]:
    return [" ".join("".join(each.itertext()).split()) for each in tree.iter(name)]


def seen(tree: Element) -> list[str]:
    """What the cells of tables show while nothing is opened."""
    folded = ["".join(each.itertext()) for each in tree.iter("details")]
    found = []
    for cell in tree.iter("td"):
        text = "".join(cell.itertext())
        for hidden in folded:
            text = text.removesuffix(hidden)
        found.append(" ".join(text.split()))
    return found


@pytest.fixture(scope="module")
def trading() -> Element:
    return parsed(setpoint("plan", EXAMPLES[-1], "--format", "html", "--today", "2026-11-20").out)


# ---------------------------------------------------------------------------------------- the page


@pytest.mark.parametrize("example", EXAMPLES)
def test_it_is_valid_and_needs_nothing_from_elsewhere(example: str) -> None:
    text = setpoint("plan", example, "--format", "html").out
    tree = parsed(text)
    assert not {each.tag for each in tree.iter()} & {
        "script",
        "link",
        "img",
        "iframe",
        "object",
        "base",
        "form",
    }
    assert not re.search(r"@import|url\(|src=|\bon[a-z]+=", text)
    targets = {each.attrib["href"] for each in tree.iter("a")}
    anchors = {f"#{each.attrib['id']}" for each in tree.iter("article")}
    assert all(target in anchors or target.startswith("http") for target in targets)


def test_it_says_what_the_plan_does(trading: Element) -> None:
    rows = [
        " ".join(" ".join(text for cell in list(row)[:2] for text in cell.itertext()).split())
        for row in trading.iter("tr")
    ]
    assert "C-States c-states off" in rows
    assert "Turbo Mode turbo off" in rows
    reasons = seen(trading)
    assert any(
        "dell-11g-hpc, Figure 10 vendor" in text for text in reasons
    )  # with the strength of the evidence as a badge
    assert (
        "this policy: frequency jitter on the feed handler, PERF-212 instead of on" in reasons
    )  # what it overrules is seen without opening it
    items = texts(trading, "li")
    assert "not on (dell-11g-hpc, Table 6): the policy sets it" in items
    assert "c-state-idle-power until 2027-03-31 idle power is not billed here" in [
        " ".join(texts(row, "th") + texts(row, "td")) for row in trading.iter("tr")
    ]


def test_what_changes_and_what_to_mind_come_first(trading: Element) -> None:
    assert texts(trading, "h2") == [
        "Worth knowing",
        "Hazards",
        "Waivers",
        "Firmware",
        "Boot arguments",
        "Operating system",
        "Combined effects",
        "Facts about the server",
        "Not set",
        "Sources",
    ]
    begins = texts(trading, "li")[:6]
    assert begins[0].startswith("Intent: goal latency, workload comm-bound.")
    assert begins[1] == "Server: cpu x5670, interconnect infiniband, os rhel 6.4, platform r710, sockets 2."
    assert begins[2].startswith(
        "14 settings are set, 11 of which take effect after a restart, which nothing here causes by itself. Evidence: 12 vendor,"
    )
    assert begins[3] == "To mind: 2 warnings; see Worth knowing."
    assert begins[4].startswith(
        "Nothing is changed on a server unless it reports product PowerEdge R710; processor GenuineIntel family 6 model 44; sockets 2;"
    )
    assert begins[5].startswith("To carry it out: README.md of the bundle")


def test_what_nothing_is_done_about_is_counted_and_folded() -> None:
    tree = parsed(page("goal latency; platform r650; os debian 12;"))
    folded = {
        texts(each, "summary")[0]: texts(each, "code")
        for each in tree.iter("details")
        if each.get("class") == "left"
    }
    removed = "Vendor default, for which arguments of another value are removed"
    assert {words.partition(":")[0] for words in folded} == {"Vendor default", removed, "Left to the system"}
    for words, names in folded.items():
        assert words.endswith(f": {len(names)} setting" + "s" * (len(names) > 1))
    assert any(
        item.startswith("sockets 2 is assumed; these values depend on it") for item in texts(tree, "li")
    )


def test_several_plans_are_one_document_with_a_way_to_each() -> None:
    tree = parsed(setpoint("plan", "examples/hpc-fleet/fleet.tune", "--format", "html").out)
    (nav,) = tree.iter("nav")
    names = texts(nav, "a")
    assert len(names) > 1
    assert texts(tree, "h1") == [f"Server tuning: {name}" for name in names]


def test_what_cannot_be_compiled_says_so_first() -> None:
    tree = parsed(page('goal efficiency; cpu westmere; set turbo on because "deadline";'))
    assert texts(tree, "p")[0].startswith("Stopped: nothing can be compiled")
    assert any(
        item.startswith("error hazard turbo-vs-efficiency: Turbo gained") for item in texts(tree, "li")
    )


SITE = """
source lab { title "Fluent on our own cluster"; publisher "HPC lab"; }
measurement smt-lab of lab at "LAB-31" {
    vary smt on from off; metric performance in "%"; when cpu skylake, workload fluent; value 7;
}
"""


def test_the_page_of_a_bundle_has_the_commands_of_its_files(tmp_path: Path) -> None:
    """Those of the front page, for whoever has the page alone; without files it says where they are."""
    because = "<script>alert(1)</script> [x](javascript:1)"
    policy = f'goal latency; platform r710; os rhel 6.4; set turbo off because "{because}";'
    report = ("compile", "-e", policy, "-o", "out", "--target", "report")
    files = [option for name in ("syscfg", "kernel-args", "tuned") for option in ("--target", name)]
    assert setpoint(*report, *files, cwd=tmp_path).status == 0
    text = (tmp_path / "out/report.html").read_text(encoding="utf-8")
    tree = parsed(text)
    heads = texts(tree, "h2")
    first = ["Before you begin", "Which way", "Single commands, for one server", "If a step fails", "By hand"]
    assert heads[: len(first)] == first
    assert any(
        "sh host/setpoint-host undo tuned/tuned.plan" in "".join(each.itertext()) for each in tree.iter("pre")
    )
    assert not list(tree.iter("script")) and 'javascript:1"' not in text
    names = {each.get("id") for each in tree.iter() if each.get("id")}
    links = {link for each in tree.iter("a") if (link := each.get("href", "")).startswith("#")}
    assert {"#by-hand"} <= links and {link[1:] for link in links} <= names

    setpoint(*report, cwd=tmp_path)
    alone = parsed((tmp_path / "out/report.html").read_text(encoding="utf-8"))
    assert "Before you begin" not in texts(alone, "h2")
    assert any(each.startswith("To carry it out: README.md of the bundle") for each in texts(alone, "li"))


def test_a_bundle_has_the_page_with_the_figures_of_the_site(tmp_path: Path) -> None:
    """It is the page that `plan` prints, and depends on no date; other targets have none."""
    (tmp_path / "lab.tune").write_text(SITE, encoding="utf-8")
    policy = 'include "lab.tune"; goal performance; cpu skylake; workload fluent;'
    (tmp_path / "web.tune").write_text(policy, encoding="utf-8")
    assert setpoint("compile", "web.tune", "-o", "out", "--target", "report", cwd=tmp_path).status == 0
    kept = (tmp_path / "out/report.html").read_text(encoding="utf-8")
    assert kept == setpoint("plan", "web.tune", "--format", "html", cwd=tmp_path).out
    assert any("Measured: lab, LAB-31" in place for place in texts(parsed(kept), "th"))
    setpoint("compile", "web.tune", "-o", "out", "--target", "redfish", cwd=tmp_path)
    assert not (tmp_path / "out/report.html").exists()


# ---------------------------------------------------------------------------------- for everybody


def test_headings_and_tables_are_told_to_those_who_do_not_see_them(trading: Element) -> None:
    (html,) = trading.iter("html") if trading.tag != "html" else (trading,)
    assert html.attrib["lang"] == "en"
    levels = [int(each.tag[1]) for each in trading.iter() if re.fullmatch("h[1-6]", str(each.tag))]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(each.attrib.get("scope") in ("col", "row", "rowgroup") for each in trading.iter("th"))
    assert all(texts(each, "summary")[0] for each in trading.iter("details"))
    pictures = list(trading.iter(f"{SVG}svg"))
    assert pictures
    assert all(each.attrib["aria-hidden"] == "true" for each in pictures)  # the figure stands beside it


def luminance(color: str) -> float:
    """The relative luminance of WCAG 2.2."""
    channels = [int(color[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_texts_stand_out_from_the_paper(scheme: int) -> None:
    style = (ROOT / "compiler/render/page/style.css").read_text(encoding="utf-8")
    colors = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", re.findall(r":root \{([^}]*)\}", style)[scheme]))
    for paper in ("paper", "shade"):
        for ink in ("ink", "quiet", "link", "alarm", "caution", "good"):
            low, high = sorted((luminance(colors[paper]), luminance(colors[ink])))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (paper, ink)


# ------------------------------------------------------------------------------------- the figures


def bars(tree: Element) -> dict[str, tuple[float, float, float]]:
    """The drawn figures, by their words: zero, start and width."""
    found = {}
    for cell in tree.iter("td"):
        for picture in cell.iter(f"{SVG}svg"):
            (rect,), (line,) = picture.iter(f"{SVG}rect"), picture.iter(f"{SVG}line")
            found[" ".join((cell.text or "").split())] = (
                float(line.attrib["x1"]),
                float(rect.attrib["x"]),
                float(rect.attrib["width"]),
            )
    return found


def test_measurements_are_drawn_to_one_scale() -> None:
    lab = (
        'source lab { title "Bench notes"; publisher "Example Ltd"; }\n'
        'rule turbo-here of lab at "Run 1" { when goal latency; use turbo off; because "measured"; }\n'
    )
    for name, value in (("gain", "20"), ("span", "40 to 60"), ("loss", "-50"), ("sentence", "")):
        lab += (
            f'measurement {name} of lab at "Run 1" {{ when cpu westmere; benchmark "own";\n'
            f'vary turbo on from off; metric performance in "%"; {f"value {value};" if value else ""} note "{name}"; }}\n'
        )
    drawn = bars(parsed(page(SERVER + lab)))
    assert {text: drawn[text] for text in ("20 %", "40 to 60 %", "-50 %")} == {
        "20 %": (80, 80, 16),  # from -100 % to 100 % in 160 units
        "40 to 60 %": (80, 112, 16),
        "-50 %": (80, 40, 40),
    }


# ---------------------------------------------------------------------------------- text stays text

REASONS = st.text(
    st.characters(blacklist_categories=("Cc", "Cs", "Cf", "Zl", "Zp", "Cn", "Co")), min_size=1, max_size=40
).filter(str.strip) | st.sampled_from(
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=x>',
        "</style>",
        "{{ 7 * 7 }}",
        "&lt;b&gt;",
        "`<b>`",
        "-->",
    ]
)


@given(REASONS)
@settings(max_examples=examples(20), deadline=None)
def test_no_reason_becomes_markup(reason: str) -> None:
    policy = SERVER + "set turbo off because {};\naccept override of turbo because {};"
    plain = parsed(page(policy.format(quote("reason"), quote("reason"))))
    tree = parsed(page(policy.format(quote(reason), quote(reason))))
    assert [each.tag for each in tree.iter()] == [each.tag for each in plain.iter()]
    assert [each.attrib for each in tree.iter()] == [each.attrib for each in plain.iter()]
    shown = " ".join(f"this policy: {visible(reason)} instead of on".split())
    assert shown in seen(tree)


def test_it_is_the_same_each_time() -> None:
    first, second = (setpoint("plan", EXAMPLES[0], "--format", "html", cwd=ROOT).out for _ in range(2))
    assert first == second
