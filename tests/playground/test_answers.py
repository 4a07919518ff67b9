"""What the playground's page is answered: the same as the commands say, as data, with each repair as a text."""

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from setpoint.compiler.playground.answers import Playground
from setpoint.compiler.render.escape import escape
from support.command import ROOT, setpoint

LATENCY = "goal latency; cpu westmere; workload comm-bound;"
CONFLICT = 'goal efficiency; cpu westmere; set turbo on because "deadline";'
LAB = """
source lab { title "Our lab"; publisher "Lab"; }
rule smt-for-us of lab at "Run 1" { when cpu skylake, goal performance; use smt on; strength measured; because "we saw it"; }
"""


def ask(what: str, policy: str = LATENCY, knowledge: str | None = None, **more: Any) -> dict[str, Any]:
    files = {"policy.tune": policy} | ({} if knowledge is None else {"knowledge.tune": knowledge})
    request = {"ask": what, "files": files, "today": "2026-11-24", **more}
    answer: dict[str, Any] = json.loads(Playground().answer(json.dumps(request)))
    return answer


def codes(answer: Mapping[str, Any]) -> list[str]:
    return [finding["code"] for finding in answer["findings"]]


def finding(answer: Mapping[str, Any], code: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in answer["findings"] if each["code"] == code)
    return found


# ------------------------------------------------------------------------------------------ words


def words(policy: str) -> list[str]:
    """The words that are proposed at the mark."""
    before, _, behind = policy.partition("|")
    answer = ask("complete", before + behind, before=before)
    return [each["word"] for each in answer["words"]]


def test_the_words_at_the_cursor_are_those_of_this_server() -> None:
    assert words("goal latency; cpu westmere; set c-st|") == ["c-states"]
    assert words('goal latency; cpu westmere; set c-states | because "x";') == ["off", "on"]
    assert words("goal latency; cpu westmere; set sub-numa-cl|") == [], "an earlier server does not have it"
    assert words("goal latency; platform r750; set sub-numa-cl|") == ["sub-numa-cluster"]
    assert words("goal lat|") == ["latency"]
    assert words("platform R750; cpu 6338|")[0] == "xeon-gold-6338", (
        "what is written may stand anywhere in the word"
    )
    assert words("goal latency; # c|") == []
    assert words("|")[:4] == ["goal", "workload", "cpu", "cpu-vendor"], "as the library declares them"
    assert words("goal latency; |")[:3] == ["set", "accept", "workload"], "there is a plan to change"


def test_of_many_words_the_first_are_shown() -> None:
    answer = ask("complete", "goal latency; cpu westmere; set ", before="goal latency; cpu westmere; set ")
    assert len(answer["words"]) == 50
    assert answer["more"] > 10
    assert answer["words"][0]["about"], "what a menu calls it"


def test_a_whole_word_is_known_as_one() -> None:
    """So that an editor does not propose longer ones to somebody who has written it."""
    policy = "goal latency; platform r740; set turbo"
    answer = ask("complete", policy, before=policy)
    assert answer["whole"] and "turbo-cores-processor-1" in [each["word"] for each in answer["words"]]
    assert not ask("complete", policy, before=policy[:-1])["whole"]


# ------------------------------------------------------------------------------------------ plans


def test_a_plan_is_shown_with_its_findings() -> None:
    answer = ask("plans")
    assert codes(answer) == ["W0303", "W0401"]
    assert answer["tally"] == "0 errors, 2 warnings (1 W0303, 1 W0401)"
    assert answer["plans"] == [answer["plan"]] == ["policy"]
    assert answer["facts"]["platform"] == "poweredge-11g"
    assert (
        answer["html"].startswith("<article")
        and "C-state transitions lengthened MPI latency" in answer["html"]
    )
    assert answer["settings"].index("c-states") < answer["settings"].index("idle-poll"), (
        "what is written first"
    )


def test_the_plan_is_that_of_the_command(tmp_path: Path) -> None:
    path = tmp_path / "policy.tune"
    path.write_text(LATENCY, encoding="utf-8")
    page = setpoint("plan", "--format", "html", str(path)).out
    assert ask("plans")["html"].strip() in page


@pytest.mark.parametrize(
    ("policy", "code", "title", "repaired"),
    [
        # verified repairs of a hazard
        (CONFLICT, "E0401", "drop `set turbo on`", "goal efficiency; cpu westmere;"),
        (
            CONFLICT,
            "E0401",
            "`set turbo off` instead of on",
            CONFLICT.replace('on because "deadline"', 'off because ""'),  # the reason was one for `on`
        ),
        # a name that was meant
        (
            "goal latncy; cpu westmere;",
            "E0202",
            "write `latency` for `latncy`",
            "goal latency; cpu westmere;",
        ),
        # a waiver, whose reason is the author's
        (
            CONFLICT,
            "E0401",
            'waive it: `accept turbo-vs-efficiency because "";`',
            CONFLICT + '\naccept turbo-vs-efficiency because "";',
        ),
    ],
)
def test_a_repair_is_the_text_after_it(policy: str, code: str, title: str, repaired: str) -> None:
    repairs = finding(ask("plans", policy), code)["repairs"]
    (found,) = [each for each in repairs if each["title"] == title]
    assert found["texts"] == {"policy.tune": repaired}
    if found["verified"]:
        assert code not in codes(ask("plans", found["texts"]["policy.tune"]))


def test_what_a_button_does_is_not_said_again_in_words() -> None:
    assert finding(ask("plans", CONFLICT), "E0401")["help"] == [
        "turn Turbo off, or state `goal performance` if speed matters more"
    ]


def test_a_place_is_counted_as_browsers_count() -> None:
    """A character outside of the basic plane is two units of UTF-16."""
    policy = (
        '# \N{ROCKET} a comment\ngoal efficiency; cpu westmere; set turbo on because "\N{ROCKET} deadline";'
    )
    units = policy.encode("utf-16-le")
    for place in finding(ask("plans", policy), "E0401")["places"]:
        assert units[2 * place["start"] : 2 * place["end"]].decode("utf-16-le") == place["text"]
        assert policy.split("\n")[place["line"] - 1].count(place["text"]) == 1


def test_a_place_in_the_library_is_quoted() -> None:
    twice = ask(
        "plans", 'include "knowledge.tune"; goal latency;', LAB.replace("source lab", "source dell-11g-hpc")
    )
    (place,) = [place for place in twice["findings"][0]["places"] if place["file"].startswith("stdlib/")]
    assert place["text"] == "dell-11g-hpc"
    assert "start" not in place, "it is in no file of the page"


def test_syntax_errors_have_no_plan() -> None:
    answer = ask("plans", "goal latency; set set;")
    assert codes(answer) == ["E0101"]
    assert (answer["plans"], answer["plan"], answer["html"]) == ([], "", "")


def test_an_empty_policy_is_no_error() -> None:
    answer = ask("plans", "")
    assert (answer["findings"], answer["tally"]) == ([], "No findings")


def test_of_very_many_findings_some_are_shown_and_all_are_counted() -> None:
    answer = ask("plans", "}" * 100)
    assert answer["tally"].startswith("100 errors") and len(answer["findings"]) == 50


def test_what_is_typed_is_text_in_the_plan() -> None:
    html = ask("plans", f'{LATENCY} set smt off because "<img src=x onerror=alert(1)>";')["html"]
    assert "<img" not in html
    assert "&lt;img src=x onerror=alert(1)&gt;" in html


def test_waivers_are_judged_by_the_day_of_the_request() -> None:
    policy = CONFLICT + ' accept turbo-vs-efficiency because "once" until 2027-03-31;'
    assert "E0401" not in codes(ask("plans", policy, today="2027-03-31"))
    assert "E0401" in codes(ask("plans", policy, today="2027-04-01"))


def test_a_plan_is_chosen_by_name() -> None:
    policy = "policy web { goal latency; cpu westmere; } policy batch { goal efficiency; cpu westmere; }"
    answer = ask("plans", policy, plan="batch")
    assert answer["plans"] == ["web", "batch"]
    assert answer["plan"] == "batch" and answer["facts"]["goal"] == "efficiency"
    assert ask("plans", policy, plan="gone")["plan"] == "web"


def test_groups_and_hosts_have_plans() -> None:
    policy = "goal latency; cpu westmere; for group login { goal efficiency; } for host c1 { sockets 1; }"
    assert set(ask("plans", policy)["plans"]) >= {"policy", "policy-login"}


# ------------------------------------------------------------------------------------- knowledge


def test_a_site_has_knowledge_of_its_own() -> None:
    policy = 'include "knowledge.tune"; goal performance; cpu skylake;'
    assert "lab, Run 1" in ask("plans", policy, LAB)["html"]
    broken = ask("plans", policy, LAB.replace("use smt on", "use smt sideways"))
    assert (
        broken["plans"]
        == []
        == ask("artifacts", policy, LAB.replace("use smt on", "use smt sideways"))["files"]
    )
    assert broken["findings"][0]["places"][0]["file"] == "knowledge.tune"
    assert broken["findings"][0]["places"][0]["text"] == "sideways"


def test_only_files_of_the_page_can_be_included(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path.parent / "secret.tune").write_text("goal latency;", encoding="utf-8")
    assert codes(ask("plans", 'include "../secret.tune"; cpu westmere;')) == ["E0603"]
    assert codes(ask("plans", 'include "knowledge.tune"; cpu westmere;')) == ["E0601"]


# ------------------------------------------------------------------- explanations and artifacts


def test_an_explanation_is_that_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = ask("explain", name="turbo")["text"]
    assert text.split() == setpoint("explain", "-e", LATENCY, "turbo").out.split()
    assert ask("explain", name="no-such-setting")["text"] == ""


def test_artifacts_are_those_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "policy.tune").write_text(LATENCY, encoding="utf-8")
    setpoint("compile", "policy.tune", "-o", "out", cwd=tmp_path)
    written = {
        path.relative_to(tmp_path / "out").as_posix(): path.read_text(encoding="utf-8")
        for path in (tmp_path / "out").rglob("*")
        if path.is_file()
    }
    answer = ask("artifacts")
    assert {file["path"]: file["text"] for file in answer["files"]} == written
    assert codes(answer) == ["W0501"]


def test_the_archive_has_the_artifacts_and_their_modes() -> None:
    import base64

    answer = ask("artifacts")
    archive = zipfile.ZipFile(io.BytesIO(base64.b64decode(answer["archive"])))
    texts = {f"policy/{file['path']}": file["text"] for file in answer["files"]}
    assert {name: archive.read(name).decode() for name in archive.namelist()} == texts
    modes = {name: entry.external_attr >> 16 for name, entry in archive.NameToInfo.items()}
    assert set(modes.values()) == {0o644, 0o755}
    assert answer["archive"] == ask("artifacts")["archive"]


def test_a_stopped_policy_has_no_artifacts() -> None:
    assert ask("artifacts", CONFLICT)["files"] == []


# ------------------------------------------------------------------------- comparison and matrix


def test_two_policies_are_side_by_side() -> None:
    """Each with its value and its reason, as the command has them."""
    other = LATENCY.replace("latency", "efficiency")
    answer = ask("compare", other=other)
    assert answer["verdict"] == ""
    rows = {part["title"]: {row["name"]: row for row in part["rows"]} for part in answer["parts"]}
    assert rows["Facts"]["goal"]["values"] == ["latency", "efficiency"]
    assert rows["Firmware"]["c-states"]["values"] == ["off", "on"]
    latency, efficiency = rows["Firmware"]["c-states"]["reasons"]
    assert latency.startswith("dell-11g-hpc, Figure 10 (vendor): ") and efficiency.startswith(
        "dell-11g-hpc, "
    )
    assert list(rows["Hazards"]) == ["c-state-idle-power"]
    shown = setpoint("compare", LATENCY, other, "--format", "markdown").out
    for part in answer["parts"]:
        assert f"## {part['title']}\n" in shown
        for row in part["rows"]:
            assert f"`{row['name']}`" in shown
            assert all(escape(text) in shown for text in (*row["values"], *row["reasons"])), row
    assert all(escape(sentence) in shown for sentence in answer["sentences"])


@pytest.mark.parametrize(
    ("policy", "other", "verdict"),
    [
        (LATENCY, LATENCY, "Both policies have the same plan."),
        (LATENCY, "", "The second policy is empty."),
        ("", LATENCY, "The first policy is empty."),
        (LATENCY, "goal latncy;", "The second policy has errors."),
        ("goal latency cpu;", LATENCY, "The first policy has errors."),
    ],
)
def test_without_a_difference_there_is_a_sentence(policy: str, other: str, verdict: str) -> None:
    assert ask("compare", policy, other=other)["verdict"] == verdict


def test_the_plan_that_is_shown_is_compared() -> None:
    policy = "policy web { goal latency; cpu westmere; } policy batch { goal efficiency; cpu westmere; }"
    assert ask("compare", policy, other=policy)["verdict"] == "Both policies have the same plan."
    facts = ask("compare", policy, other=policy, plan="batch")["parts"][0]["rows"]
    assert facts[0]["values"] == ["efficiency", "latency"]


def test_with_errors_in_knowledge_nothing_is_compared() -> None:
    policy = 'include "knowledge.tune"; goal performance; cpu skylake;'
    answer = ask("compare", policy, "source lab { }", other=policy)
    assert answer["verdict"] == "The first policy has errors."


def test_a_stopped_policy_is_compared_all_the_same() -> None:
    answer = ask("compare", "goal efficiency; cpu westmere;", other=CONFLICT)
    values = {row["name"]: row["values"] for part in answer["parts"] for row in part["rows"]}
    assert values["turbo"] == ["off", "on"]
    assert codes(answer)[0] == "E0401"


def test_a_matrix_has_a_column_for_each_value() -> None:
    answer = ask("matrix", name="goal", facts={"platform": "r710"})
    assert {"latency", "efficiency"} <= set(answer["columns"])
    rows = {row["setting"]: row for layer in answer["layers"] for row in layer["rows"]}
    cells = dict(zip(answer["columns"], rows["c-states"]["cells"], strict=True))
    assert (cells["latency"]["value"], cells["efficiency"]["value"]) == ("off", "on")
    assert cells["latency"]["source"] == "dell-11g-hpc, Table 6"
    assert rows["c-states"]["differs"]
    assert answer["failed"] == []


def test_a_matrix_says_which_values_have_no_plan() -> None:
    answer = ask("matrix", name="cpu", facts={"platform": "r710", "goal": "latency"})
    assert "nehalem" in answer["columns"]
    assert any(value == "skylake" and "contradicts" in message for value, message in answer["failed"])


def test_the_values_of_a_fact_are_a_tree() -> None:
    values = ask("values", name="platform")["values"]
    names = [value["name"] for value in values]
    place = names.index("poweredge-11g")
    assert values[place] == {"name": "poweredge-11g", "title": "Dell PowerEdge, 11th generation", "depth": 0}
    assert values[place + 1]["depth"] == 1


# -------------------------------------------------------------------------------------- requests


@pytest.mark.parametrize(
    "request_",
    [
        [],
        {},
        {"ask": "plans", "today": "tomorrow"},
        {"ask": "nothing", "today": "2026-11-24"},
        {"ask": "plans", "today": "2026-11-24", "files": {"/etc/passwd": ""}},
        {"ask": "plans", "today": "2026-11-24", "files": {"policy.tune": 1}},
    ],
)
def test_what_is_no_request_is_not_answered(request_: Any) -> None:
    with pytest.raises(ValueError, match=r"needed|object|today|answers|named"):
        Playground().answer(json.dumps(request_))


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    """A page keeps what it found, for speed alone."""
    playground = Playground()

    def again(policy: str) -> str:
        request = {"ask": "plans", "files": {"policy.tune": policy}, "today": "2026-11-24"}
        return playground.answer(json.dumps(request))

    first = [again(policy) for policy in (LATENCY, CONFLICT, "\n" + LATENCY, "goal")]
    assert [again(policy) for policy in (LATENCY, CONFLICT, "\n" + LATENCY, "goal")] == first
    assert json.loads(first[2]) == ask("plans", "\n" + LATENCY)


# ------------------------------------------------------------------------------------- what a page has

READ = """
import sys
opened = []

def seen(event, arguments):
    if event == "open" and str(arguments[0]).endswith(".py"):
        frame = sys._getframe(1)
        while frame and not frame.f_code.co_filename.startswith("<frozen importlib"):
            frame = frame.f_back
        if frame is None:
            opened.append(arguments[0])

sys.addaudithook(seen)
from setpoint.compiler.playground.answers import Playground
Playground().answer(sys.argv[1])
print(*opened, sep="\\n")
"""


def test_the_text_of_a_module_is_read_only_where_a_page_has_it() -> None:
    """A page has compiled modules alone, but for those whose text bundles are made of, and which `warm.py` keeps."""
    request = {
        "ask": "artifacts",
        "files": {"policy.tune": "goal latency; platform r750; os rhel 9;"},
        "today": "2026-11-24",
    }
    done = subprocess.run(
        [sys.executable, "-c", READ, json.dumps(request)], capture_output=True, text=True, check=True
    )
    read = {path.partition("/targets/")[2] for path in done.stdout.splitlines() if "/targets/" in path}
    warm = (ROOT / "docs/playground/warm.py").read_text(encoding="utf-8")
    kept = tuple(re.findall(r'"setpoint/targets/([^"]+)"', warm))
    assert read and [path for path in sorted(read) if not path.startswith(kept)] == []
