"""`plan` and `compile` accept folders of policies and standard input; a wrong name is wrong usage."""

import json
from pathlib import Path

import pytest

from setpoint.compiler import pipeline
from setpoint.compiler.cli.compile import run as compile_policy
from setpoint.compiler.knowledge.load import with_site
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.language.syntax import File
from support.command import in_shell, setpoint

WEB = "goal latency; cpu westmere;\n"
SITE = 'aliases smt "logical threads";\n'
DATABASES = """include "../site.tune";
policy common { cpu skylake; }
policy db extends common { goal throughput; }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A web server's policy, a database's below, which includes knowledge and extends a policy without a goal."""
    (tmp_path / "fleet/db").mkdir(parents=True)
    (tmp_path / "fleet/web.tune").write_text(WEB)
    (tmp_path / "fleet/site.tune").write_text(SITE)
    (tmp_path / "fleet/db/db.tune").write_text(DATABASES)
    return tmp_path


def test_every_policy_of_a_folder_is_planned(folder: Path) -> None:
    """Files with knowledge only, and policies that are only extended, are not planned."""
    ran = setpoint("plan", "fleet", cwd=folder)
    titles = [line for line in ran.out.splitlines() if line.startswith("Policy ")]
    assert (ran.status, titles) == (0, ["Policy db", "Policy web"]) or titles == ["Policy web", "Policy db"]


def test_one_policy_of_a_folder_is_chosen_by_name(folder: Path) -> None:
    ran = setpoint("plan", "fleet", "--policy", "db", "--format", "json", cwd=folder)
    assert (ran.status, json.loads(ran.out)["policy"]) == (0, "db")


def test_a_policy_that_no_file_has_is_wrong_usage(folder: Path) -> None:
    ran = setpoint("plan", "fleet", "--policy", "mail", cwd=folder)
    assert (ran.status, ran.err.splitlines()[0]) == (2, "error[E0206]: unknown policy `mail`")


def test_a_file_in_error_does_not_hide_the_others(folder: Path) -> None:
    (folder / "fleet/broken.tune").write_text("goal")
    ran = setpoint("plan", "fleet", "--format", "json", cwd=folder)
    found = {each["policy"]: [d["code"] for d in each["diagnostics"]] for each in json.loads(ran.out)}
    assert (ran.status, found["broken"], set(found)) == (1, ["E0101"], {"broken", "db", "web"})


def test_a_folder_without_a_policy_is_wrong_usage(folder: Path) -> None:
    (folder / "empty").mkdir()
    ran = setpoint("plan", "empty", cwd=folder)
    assert (ran.status, ran.err.splitlines()[0]) == (2, "setpoint plan: error: there is no policy in empty")


def test_a_folder_is_compiled_into_a_bundle_for_each_policy(folder: Path) -> None:
    ran = setpoint("compile", "fleet", "-o", "out", cwd=folder)
    assert ran.status == 0, ran.err
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["db", "manifest.json", "web"]
    again = setpoint("diff", "out", "fleet", cwd=folder)
    assert (again.status, again.out) == (0, "No change: every policy has the same plan.\n")


def test_nothing_is_compiled_if_one_of_the_files_is_in_error(folder: Path) -> None:
    (folder / "fleet/broken.tune").write_text("goal")
    ran = setpoint("compile", "fleet", "-o", "out", cwd=folder)
    assert (ran.status, (folder / "out").exists()) == (1, False)


def test_two_policies_of_one_name_cannot_share_a_folder(folder: Path) -> None:
    (folder / "fleet/db/web.tune").write_text(WEB)
    ran = setpoint("compile", "fleet", "-o", "out", cwd=folder)
    assert (ran.status, ran.err.splitlines()[0]) == (1, "error[E0207]: two files have a policy `web`")
    assert not (folder / "out").exists()


def test_two_bundles_cannot_have_names_that_differ_only_in_case(folder: Path) -> None:
    """Of two files, or of a group and a host: on many file systems both would be one folder."""
    (folder / "fleet/db/Web.tune").write_text(WEB)
    ran = setpoint("compile", "fleet", "-o", "out", cwd=folder)
    said = ran.err.splitlines()[0]
    assert (ran.status, said) == (1, "error[E0211]: `Web` and `web` differ only in case")
    policy = "cpu skylake; for group c1 { goal latency; } for host C1 { goal latency; }"
    (folder / "one.tune").write_text(policy)
    ran = setpoint("compile", "one.tune", "-o", "out", cwd=folder)
    assert (ran.status, ran.err.splitlines()[0]) == (
        1,
        "error[E0211]: `one-C1` and `one-c1` differ only in case",
    )
    assert not (folder / "out").exists()


def test_what_an_earlier_bundle_of_a_folder_wrote_is_set_back(folder: Path) -> None:
    (folder / "fleet/web.tune").write_text("goal latency; cpu skylake; platform r740; workload comm-bound;")
    assert setpoint("compile", "fleet", "-o", "before", cwd=folder).status == 0
    (folder / "fleet/web.tune").write_text("goal balanced; cpu skylake; platform r740;")
    ran = setpoint("compile", "fleet", "-o", "after", "--since", "before", cwd=folder)
    assert ran.status == 0, ran.err
    plan = json.loads((folder / "after/web/plan.json").read_text())
    notes = [note["text"] for note in plan["settings"]["correctable-ecc-smi"]["notes"]]
    assert notes == ["set back: an earlier bundle of this policy wrote it"]


def test_a_hyphen_is_standard_input(tmp_path: Path) -> None:
    ran = in_shell("echo 'goal latency; cpu westmere' | setpoint plan -", tmp_path)
    assert (ran.status, ran.out.splitlines()[0]) == (0, "Policy policy")
    ran = in_shell("echo 'goal latency; cpu westmere' | setpoint compile - -o out", tmp_path)
    assert (ran.status, (tmp_path / "out/manifest.json").exists()) == (0, True)


# ------------------------------------------------------------------------------------------ wrong names


@pytest.mark.parametrize(
    "arguments",
    [
        ("plan", "wbe.tune"),
        ("compile", "wbe.tune", "-o", "out"),
        ("explain", "wbe.tune", "turbo"),
        ("check", "wbe.tune"),
        ("fmt", "wbe.tune"),
        ("waivers", "wbe.tune"),
        ("diff", "wbe.tune", "web.tune"),
        ("compare", "web.tune", "wbe.tune"),
    ],
)
def test_a_missing_file_is_wrong_usage_and_a_similar_one_is_suggested(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "web.tune").write_text(WEB)
    ran = setpoint(*arguments, cwd=tmp_path)
    said = ran.out + ran.err
    assert (ran.status, "error[E0601]: cannot read `wbe.tune`" in said) == (2, True), said
    assert "did you mean `web.tune`?" in said


def test_a_file_that_cannot_be_read_is_the_outside_world(tmp_path: Path) -> None:
    (tmp_path / "loop.tune").symlink_to("loop.tune")
    assert setpoint("plan", "loop.tune", cwd=tmp_path).status == 4


def test_the_knowledge_of_a_program_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for blocks of hosts, and for the second planning of `--since`."""
    read = []

    def reading(site: tuple[File, ...]) -> Knowledge:
        read.append(site)
        return with_site(site)

    monkeypatch.setattr(pipeline, "with_site", reading)
    (tmp_path / "lab.tune").write_text('source lab { title "Notes"; publisher "Example Ltd"; }')
    policy = tmp_path / "fleet.tune"
    policy.write_text(
        'include "lab.tune"; goal latency; cpu westmere; for host c042 { set turbo off because "HW-881"; }'
    )
    earlier = tmp_path / "earlier.tune"
    earlier.write_text("policy fleet { goal latency; cpu westmere; }")
    assert compile_policy([str(policy), "-o", str(tmp_path / "out"), "--since", str(earlier)]) == 0
    assert len(read) == 1
