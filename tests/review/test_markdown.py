"""The comment: text from users stays text, and the important parts come first."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from review.rendered import FORGE, Page, seen
from review.sides import compare, run, write
from setpoint.compiler.comparison.differences import differences
from setpoint.compiler.comparison.sides import side
from setpoint.compiler.plan.difference import Comparison
from setpoint.compiler.plan.judge import judge
from setpoint.compiler.render.difference_markdown import MOST, comparison_markdown
from setpoint.compiler.render.escape import code, escape, head, link, prose, row
from setpoint.compiler.render.markdown import plan_markdown
from support.effort import examples
from support.plans import HOSTILE, because, plan_of_text

POLICY = "goal balanced; cpu westmere; platform r710; os rhel 6.4; workload interactive;"

FRAGMENTS = st.sampled_from(
    [
        "|", "\\", "\\|", "`", "``", "*", "_", "[x](http://evil.example)", "![x](y)", "<script>", "</td>", "<!--", "&lt;",
        "&#64;", "@team", "@", "#12", "!7", "GH-3", "www.evil.example", "https://evil.example", "a@evil.example", ":tada:",
        "~bug", "%5", "$x$", "- ", "1. ", "# ", "\n", "\r\n", "\u2028", "\u202e", "\u200b", "deadbeef1", "- [ ]", "[^1]",
        "---", "<details>", "\t", " ", "word", "/close", "***", "~~", "&amp;", "<http://evil.example>", "\x00",
    ]
)  # fmt: skip
WRITTEN = st.one_of(st.lists(FRAGMENTS, max_size=8).map("".join), st.text(max_size=30))


def plain(text: str) -> str:
    """The visible text, on one line."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


@settings(max_examples=examples(300), deadline=None)
@given(text=WRITTEN)
@example("\\|")
@example("``a|b``")
@example("@org/team please")
@example("http://evil.example/?a=b#c")
def test_what_somebody_wrote_stays_words_in_a_table(text: str) -> None:
    page = Page(head("a", "b") + row(escape(text), "end"))
    assert [len(cells) for cells in page.tables[0]] == [2, 2]
    assert seen(page.tables[0][1][0]) == plain(text)
    assert set(page.tags) == {"table", "thead", "tbody", "tr", "th", "td"}
    assert not FORGE.search(page.tables[0][1][0])


@settings(max_examples=examples(300), deadline=None)
@given(text=WRITTEN)
@example("1. one")
@example("- - -")
@example("===")
def test_and_in_a_list_and_in_a_heading(text: str) -> None:
    page = Page(f"### {escape(text)}\n\n- {escape(text)}\n- end\n\n{escape(text)}\n")
    assert page.headings == [page.headings[0]]
    assert (seen(page.headings[0]), seen(page.items[0])) == (plain(text), plain(text))
    assert set(page.tags) <= {"h3", "ul", "li", "p"}
    assert not FORGE.search(page.text)


@settings(max_examples=examples(200), deadline=None)
@given(text=WRITTEN)
def test_a_message_keeps_its_names_and_nothing_else(text: str) -> None:
    page = Page(head("a", "b") + row(prose(f"`set turbo off` of {text}"), "end"))
    assert set(page.tags) <= {"table", "thead", "tbody", "tr", "th", "td", "code"}
    assert [len(cells) for cells in page.tables[0]] == [2, 2]
    assert page.tags.count("code") >= 1


def test_a_name_is_code_only_if_it_is_a_name() -> None:
    assert code("c-state-idle-power") == "`c-state-idle-power`"
    assert code("a`b@team") == "a\\`b@&#8203;team"


def test_an_address_is_a_link_only_if_it_is_plainly_one() -> None:
    assert Page(link("https://docs.kernel.org/admin-guide/pm.html")).tags == ["p", "a"]
    for odd in (
        "javascript:alert(1)",
        "https://a.example/<script>",
        "https://a.example/)[x](y",
        "see it there",
    ):
        assert Page(link(odd)).tags == ["p"]


# ------------------------------------------------------------------------------------- complete pages


@pytest.mark.parametrize("reason", HOSTILE)
def test_a_reason_cannot_break_the_comment(tmp_path: Path, reason: str) -> None:
    """Whatever any reason of a plan says: the same headings, tables and tags as with a plain word.

    The language has no way to write some of these; a plan.json of unknown origin does.
    """
    text = f'{POLICY.replace("balanced", "latency")} set turbo off because "x"; accept c-state-idle-power because "x";'
    old = side(str(write(tmp_path / "old", POLICY)), "", "")
    planned = run("plan", "policy.tune", "--format", "json", folder=write(tmp_path / "new", text))
    file = tmp_path / "new/plan.json"

    def comment(word: str) -> Page:
        file.write_text(json.dumps(saying(json.loads(planned.out), word)), encoding="utf-8")
        return Page(comparison_markdown(differences(old, side(str(file), "", ""))))

    hostile, tame = comment(f"@team {reason}"), comment("word")
    assert (hostile.tags, hostile.headings) == (tame.tags, tame.headings)
    assert [[len(r) for r in t] for t in hostile.tables] == [[len(r) for r in t] for t in tame.tables]
    assert "@team" not in hostile.text
    assert "@team" in seen(hostile.text)


@pytest.mark.parametrize("kind", ["set", "rule"])
@pytest.mark.parametrize("reason", HOSTILE)
def test_the_report_is_escaped(reason: str, kind: str) -> None:
    plan = plan_of_text(POLICY)
    hostile, tame = (
        Page(plan_markdown(judge(because(plan, text, kind)), plan.written))
        for text in (f"@team {reason}", "word")
    )
    assert hostile.headings == tame.headings
    assert [[len(r) for r in t] for t in hostile.tables] == [[len(r) for r in t] for t in tame.tables]
    assert {t for t in hostile.tags if t not in tame.tags} == set()
    assert not re.search(r"(?<!\w)@team", hostile.text)


def saying(data: Any, text: str) -> Any:
    """JSON data in which every reason is this text."""
    if isinstance(data, dict):
        reasons = {k for k, v in data.items() if k in ("because", "what", "note") and isinstance(v, str)}
        return {k: text if k in reasons else saying(v, text) for k, v in data.items()}
    return [saying(v, text) for v in data] if isinstance(data, list) else data


def many(folder: Path, count: int) -> Comparison:
    """A change to many policies, a different one for each."""
    texts = [f'policy p{n} {{ {POLICY} set smt on because "{n}" }}\n' for n in range(count)]
    old = write(folder / "old", "".join(texts))
    new = write(
        folder / "new", "".join(t.replace("balanced", "latency").replace('"', '"so ', 1) for t in texts)
    )
    return differences(side(str(old), "", ""), side(str(new), "", ""))


def test_a_comment_is_never_too_long_for_a_forge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not fit is named, and nothing is cut in the middle."""
    from setpoint.compiler.comparison import differences as module

    monkeypatch.setattr(module, "carriers", lambda *_: ((), ()))  # not what this is about, and slow
    found = many(tmp_path, 120)
    text = comparison_markdown(found)
    assert len(text) < 65_536
    assert len(found.differences) == 120
    page = Page(text)
    left_out = re.search(r"Too long to show here: (.*)\. setpoint diff shows them", page.text)
    assert left_out
    named = set(re.findall(r"\bp\d+\b", " ".join([*page.headings, left_out[1]])))
    more = re.search(r"(\d+) more", left_out[1])
    assert len(named) + int(more[1] if more else 0) == 120
    assert len(text) > MOST / 2
    assert text.count("<details>") == text.count("</details>")


def test_policies_with_the_same_changes_are_grouped(tmp_path: Path) -> None:
    old = "".join(f"policy p{n} {{ {POLICY} }}\n" for n in range(3))
    text = comparison_markdown(compare(tmp_path, old, old.replace("balanced", "performance")))
    assert text.count("\n### ") == 1
    assert "\n### `p0`, `p1`, `p2` change: " in text


def test_the_most_serious_changes_come_first(tmp_path: Path) -> None:
    """First errors that stop a build, then hazards, then values, then changed reasons."""
    old = {
        "a.tune": f'policy a {{ {POLICY} set turbo off because "x" }}',
        "b.tune": f"policy b {{ {POLICY} }}",
        "c.tune": f"policy c {{ {POLICY} }}",
        "d.tune": f"policy d {{ {POLICY} }}",
    }
    new = {
        "a.tune": old["a.tune"].replace('"x"', '"y"'),
        "b.tune": old["b.tune"].replace("interactive;", 'interactive; set turbo off because "z";'),
        "c.tune": old["c.tune"].replace("balanced", "latency"),
        "d.tune": old["d.tune"].replace("balanced", "balancd"),
    }
    page = Page(comparison_markdown(compare(tmp_path, old, new)))
    assert [heading[0] for heading in page.headings] == ["d", "c", "b", "a"]
    assert page.text.startswith("Setpoint: 4 policies change: ")
    assert "d no longer compiles; 1 hazard appears." in page.text.split("\n")[0]


def test_a_long_table_is_folded_and_a_short_one_is_not(tmp_path: Path) -> None:
    few = comparison_markdown(compare(tmp_path / "1", POLICY, POLICY.replace("balanced", "performance")))
    many_ = comparison_markdown(
        compare(tmp_path / "2", POLICY, POLICY.replace("cpu westmere; platform r710", "platform r640"))
    )
    assert "| Setting | Before |" in few.partition("<details>")[0]
    assert "| Setting | Before |" not in many_.partition("<details>")[0]


def test_a_removed_policy_has_no_sources(tmp_path: Path) -> None:
    """Its values are not shown."""
    found = compare(tmp_path, {"a.tune": POLICY, "b.tune": POLICY}, {"a.tune": POLICY})
    assert found.sources
    assert "Sources" not in comparison_markdown(found)


def test_no_change_is_one_sentence(tmp_path: Path) -> None:
    assert comparison_markdown(compare(tmp_path, POLICY, POLICY)) == (
        "**Setpoint:** no change, every policy has the same plan.\n"
    )
