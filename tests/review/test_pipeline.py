"""The script that the GitHub action and the GitLab template run: it checks, comments once, and gates."""

import json
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest

from review.pipeline import BOT, SCRIPT, TOKEN, Pipeline
from support.shell import shellcheck

OLD = "goal efficiency; cpu westmere; platform r710; workload interactive;\n"
NEW = OLD.replace("efficiency", "balanced")
STOPS = OLD + 'set turbo on because "deadline";\n'


@pytest.fixture(params=["github", "gitlab"])
def pipeline(request: pytest.FixtureRequest, tmp_path: Path) -> Pipeline:
    """A request on either forge that changes the goal of one policy; `before` is where it started from."""
    made = Pipeline(tmp_path, request.param)
    made.repository.commit({"policies/web.tune": OLD})
    made.repository.git("tag", "before")
    made.repository.commit({"policies/web.tune": NEW})
    return made


def test_shellcheck_is_content() -> None:
    assert shellcheck(SCRIPT.read_text(encoding="utf-8")) == ""


def test_a_request_gets_one_comment_which_is_rewritten(pipeline: Pipeline, tmp_path: Path) -> None:
    """Even if others commented meanwhile; and it is removed when the change is reverted."""
    somebody = {
        "id": 1,
        "author": "somebody",
        "body": "<!-- setpoint review of policies --> is what they write",
    }
    pipeline.comments = [somebody, {**somebody, "id": 2, "body": "Looks good."}]
    first = pipeline.run("policies", SETPOINT_BASE="before")
    assert first.status == 0, first
    assert [c["author"] for c in pipeline.comments] == ["somebody", "somebody", BOT[pipeline.forge]]
    assert pipeline.comments[2]["body"].startswith(
        "<!-- setpoint review of policies -->\n**Setpoint:** 1 policy changes"
    )
    assert (
        "| `turbo` | off | **on** | goal is balanced now: dell-11g-hpc, Table 6 (vendor) |"
        in pipeline.comments[2]["body"]
    )

    pipeline.repository.commit({"policies/web.tune": OLD})
    assert pipeline.run("policies", SETPOINT_BASE="before").status == 0
    assert len(pipeline.comments) == 3
    assert "no change, every policy has the same plan" in pipeline.comments[2]["body"]
    assert pipeline.comments[0] == somebody

    shown = [tmp_path / "forge/calls.jsonl", *(pipeline.repository.folder / "setpoint-review").iterdir()]
    assert all(TOKEN not in text for text in [*map(str, first), *(path.read_text() for path in shown)])


def test_without_a_change_there_is_no_comment(pipeline: Pipeline) -> None:
    pipeline.repository.commit({"policies/web.tune": OLD, "README.md": "Policies.\n"})
    assert pipeline.run("policies", SETPOINT_BASE="before").status == 0
    assert pipeline.comments == []


def test_errors_fail_the_job_after_the_comment(pipeline: Pipeline) -> None:
    pipeline.repository.commit({"policies/web.tune": STOPS})
    ran = pipeline.run("policies", SETPOINT_BASE="before")
    assert ran.status == 1
    assert "web no longer compiles" in pipeline.comments[0]["body"]
    annotation = "::error file=policies/web.tune,line=2" if pipeline.forge == "github" else "error[E0401]"
    assert annotation in ran.out


def test_what_was_wrong_before_fails_nothing(pipeline: Pipeline) -> None:
    """And code scanning gets it all the same: it compares by itself, and would take what is missing for mended."""
    pipeline.repository.commit({"policies/web.tune": OLD, "policies/db.tune": STOPS})
    pipeline.repository.git("tag", "--force", "before")
    pipeline.repository.commit({"policies/web.tune": NEW})
    ran = pipeline.run("policies", SETPOINT_BASE="before")
    assert (ran.status, "E0401" in ran.out) == (0, False), ran.out
    results = json.loads((pipeline.repository.folder / "setpoint-review/check.sarif").read_text())["runs"][0][
        "results"
    ]
    assert "E0401" in {result["ruleId"] for result in results}


def test_with_an_inventory_the_hosts_are_checked_and_compared(pipeline: Pipeline) -> None:
    site = {
        "hosts.csv": "host,model\nc1,PowerEdge R710\nc2,our own server\n",
        "facts.toml": '[values.platform]\n"our own server" = "r710"\n',
        "policies/web.tune": NEW.replace("platform r710; ", ""),
    }
    pipeline.repository.commit(site)
    unknown = pipeline.run("policies", SETPOINT_BASE="before", SETPOINT_INVENTORY="hosts.csv")
    assert unknown.status == 1
    assert "unknown platform `our own server`" in unknown.out
    (comment,) = pipeline.comments
    assert "1 host of 1 changes" in comment["body"]
    assert "1 host without a plan" in comment["body"]

    known = pipeline.run(
        "policies", SETPOINT_BASE="before", SETPOINT_INVENTORY="hosts.csv", SETPOINT_FACTS="facts.toml"
    )
    assert known.status == 0, known
    (comment,) = pipeline.comments
    assert "2 hosts of 2 change" in comment["body"]
    assert "| `turbo` | off | **on** |" in comment["body"]


def failures(path: Path) -> int:
    """How many failures the suites of a report count."""
    return sum(int(suite.attrib["failures"]) for suite in Xml.parse(path).getroot().iter("testsuite"))


@pytest.mark.parametrize("path", ["policies", "."])
def test_removal_of_all_policies_is_reported(pipeline: Pipeline, path: str) -> None:
    """Deleted or moved: reviewers need to know this most."""
    pipeline.repository.git("mv", "policies/web.tune", "web.txt")
    pipeline.repository.commit({})
    ran = pipeline.run(path, SETPOINT_BASE="before")
    assert ran.status == 0, ran
    assert "`web` is gone: its servers keep what it set" in pipeline.comments[0]["body"]
    written = pipeline.repository.folder / "setpoint-review"
    assert failures(written / "check.xml") == 0
    assert json.loads((written / "check.sarif").read_text())["runs"][0]["results"] == []
    assert pipeline.run(path, SETPOINT_BASE="before", SETPOINT_GATE="changes").status == 3


def test_a_comment_that_is_refused_fails_nothing(pipeline: Pipeline) -> None:
    """A request from a fork has no right to write: the change is not at fault."""
    pipeline.refuse()
    ran = pipeline.run("policies", SETPOINT_BASE="before")
    assert ran.status == 0
    assert "the comment could not be posted; it is in setpoint-review/comment.md" in ran.out + ran.err
    assert "**Setpoint:**" in (pipeline.repository.folder / "setpoint-review/comment.md").read_text()


# ------------------------------------------------------------------ what does not depend on the forge


@pytest.fixture
def by_hand(tmp_path: Path) -> Pipeline:
    """The same change, on a machine outside of any forge."""
    made = Pipeline(tmp_path, "none")
    made.repository.commit({"web.tune": OLD})
    made.repository.git("tag", "before")
    made.repository.commit({"web.tune": NEW})
    return made


def test_by_hand_it_checks_and_compares(by_hand: Pipeline) -> None:
    ran = by_hand.run(SETPOINT_BASE="before", SETPOINT_OUT="out")
    out = by_hand.repository.folder / "out"
    assert (ran.status, by_hand.calls) == (0, [])
    assert sorted(path.name for path in out.iterdir()) == ["check.sarif", "check.xml", "comment.md"]
    assert failures(out / "check.xml") == 0
    assert json.loads((out / "check.sarif").read_text())["version"] == "2.1.0"


@pytest.mark.parametrize(
    ("variables", "status"),
    [
        ({"SETPOINT_GATE": "changes"}, 3),
        ({"SETPOINT_GATE": "never"}, 0),
        ({"SETPOINT_GATE": "sometimes"}, 2),
        ({"SETPOINT_COMMENT": "svn"}, 2),
        ({"SETPOINT_BASE": "nowhere"}, 4),
        ({"SETPOINT_BASE": "--upload-pack=touch owned"}, 2),
        ({"SETPOINT_PATH": "nothing-there"}, 4),
        ({"SETPOINT_PATH": "nothing-there", "SETPOINT_BASE": ""}, 2),
    ],
)
def test_exit_status(by_hand: Pipeline, variables: dict[str, str], status: int) -> None:
    assert by_hand.run(**{"SETPOINT_BASE": "before", **variables}).status == status


def test_links_of_a_change_are_not_followed(by_hand: Pipeline, tmp_path: Path) -> None:
    """Neither by what is read, without SETPOINT_ROOT, nor by what is written: each would leave the checkout."""
    (tmp_path / "secret.tune").write_text("npm_SECRET=1\n")
    (tmp_path / "precious").write_text("precious")
    folder = by_hand.repository.folder
    (folder / "e.tune").symlink_to(tmp_path / "secret.tune")
    (folder / "setpoint-review").mkdir()
    for name in ("comment.md", "diff.md", "check.xml", "check.sarif"):
        (folder / "setpoint-review" / name).symlink_to(tmp_path / "precious")
    by_hand.repository.commit({})
    ran = by_hand.run(SETPOINT_BASE="before")
    assert (ran.status, "E0603" in ran.out, (tmp_path / "precious").read_text()) == (4, True, "precious")
    written = [path.read_text() for path in (folder / "setpoint-review").iterdir()]
    assert "SECRET" not in "".join((ran.out, ran.err, *written))
    (folder / "e.tune").unlink()
    assert by_hand.run(SETPOINT_BASE="before").status == 0
    assert (tmp_path / "precious").read_text() == "precious"
    assert by_hand.run(SETPOINT_BASE="before").status == 0, "a second time, over its own files"


@pytest.mark.parametrize("out", ["setpoint-review", "./build/review"])
def test_a_folder_for_results_that_leads_outside_is_refused(
    by_hand: Pipeline, tmp_path: Path, out: str
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (by_hand.repository.folder / out.removeprefix("./").partition("/")[0]).symlink_to(elsewhere)
    ran = by_hand.run(SETPOINT_OUT=out)
    assert (ran.status, f"{out} is a link that leads out of the folder" in ran.err) == (4, True)
    assert [path for path in elsewhere.rglob("*") if path.is_file()] == []
    assert by_hand.run(SETPOINT_OUT=str(elsewhere)).status == 0, (
        "named by its own path it is the user's own wish"
    )


def test_without_a_base_policies_are_checked_only(by_hand: Pipeline) -> None:
    by_hand.repository.commit({"web.tune": STOPS})
    assert by_hand.run().status == 1
    assert by_hand.run(SETPOINT_GATE="never").status == 0
    assert not (by_hand.repository.folder / "setpoint-review/comment.md").exists()


def test_a_shallow_clone_fetches_the_base(by_hand: Pipeline, tmp_path: Path) -> None:
    """As `actions/checkout` leaves it: one commit, and the base is known by its hash only."""
    base = by_hand.repository.git("rev-parse", "before")
    origin = by_hand.repository.folder.as_uri()
    by_hand.repository.git("clone", "--quiet", "--depth", "1", "--no-tags", origin, str(tmp_path / "shallow"))
    ran = by_hand.run_in(tmp_path / "shallow", SETPOINT_BASE=base, SETPOINT_GATE="changes")
    assert ran.status == 3, ran


def test_what_happened_on_the_base_meanwhile_is_not_the_change(by_hand: Pipeline) -> None:
    by_hand.repository.git("switch", "--quiet", "--create", "feature", "before")
    by_hand.repository.commit({"README.md": "Policies.\n"})
    assert by_hand.run(SETPOINT_BASE="main", SETPOINT_GATE="changes").status == 0


def test_parts_of_a_repository_have_separate_comments(tmp_path: Path) -> None:
    pipeline = Pipeline(tmp_path, "github")
    pipeline.repository.commit({"a -- b/web.tune": OLD, "c/app.tune": OLD})
    pipeline.repository.git("tag", "before")
    pipeline.repository.commit({"a -- b/web.tune": NEW, "c/app.tune": NEW})
    for part in ("a -- b", "c", "c"):
        assert pipeline.run(part, SETPOINT_BASE="before").status == 0
    assert [c["body"].split("\n")[0] for c in pipeline.comments] == [
        "<!-- setpoint review of a-b -->",
        "<!-- setpoint review of c -->",
    ]


def test_a_token_that_could_be_more_than_a_token_is_not_used(tmp_path: Path) -> None:
    """It would be a second line of curl's configuration."""
    pipeline = Pipeline(tmp_path, "gitlab")
    pipeline.repository.commit({"web.tune": OLD})
    pipeline.repository.commit({"web.tune": NEW})
    ran = pipeline.run(SETPOINT_BASE="HEAD~1", SETPOINT_TOKEN='x"\noutput = "owned')
    assert (ran.status, pipeline.calls) == (0, [])
    assert "SETPOINT_TOKEN holds no access token" in ran.err


def test_github_gets_a_summary_and_outputs(tmp_path: Path) -> None:
    pipeline = Pipeline(tmp_path, "github")
    pipeline.repository.commit({"web.tune": OLD})
    pipeline.repository.commit({"web.tune": NEW})
    summary, outputs = tmp_path / "summary.md", tmp_path / "outputs"
    ran = pipeline.run(SETPOINT_BASE="HEAD~1", GITHUB_STEP_SUMMARY=str(summary), GITHUB_OUTPUT=str(outputs))
    assert ran.status == 0
    assert summary.read_text().startswith("**Setpoint:** 1 policy changes")
    assert outputs.read_text() == "errors=false\nchanged=true\nfolder=setpoint-review\n"
