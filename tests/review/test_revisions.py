"""Git revisions as sides: what is compared, in any working directory and after any renaming."""

import json
from pathlib import Path

import pytest

from review.repository import Repository
from review.sides import run
from support.command import Ran, setpoint

OLD = "goal efficiency; cpu westmere; platform r710; workload interactive;\n"
NEW = OLD.replace("efficiency", "balanced")
OTHER = OLD.replace("efficiency", "latency")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Two policies in a subfolder, one of which includes a file beside it; then one of them is changed."""
    made = Repository(tmp_path / "repository")
    made.commit(
        {
            "policies/web.tune": OLD,
            "policies/sub/app.tune": 'include "../parts/rest.tune";\n' + OTHER,
            "policies/parts/rest.tune": 'set turbo off because "jitter";\n',
            "README.md": "# Policies\n",
        }
    )
    made.git("tag", "before")
    made.commit({"policies/web.tune": NEW})
    return made


def diff(repository: Repository, *arguments: str, folder: str = ".") -> Ran:
    return run("diff", *arguments, "--today", "2026-11-20", folder=repository.folder / folder)


def changed(ran: Ran) -> list[str]:
    """The names of the policies that differ."""
    assert ran.status in (0, 3), ran.err
    return [line.split()[1] for line in ran.out.splitlines() if line.startswith("Policy ")]


@pytest.mark.parametrize(
    ("arguments", "folder"),
    [
        (("before..HEAD",), "."),
        (("before..HEAD", "policies"), "."),
        (("before..HEAD", "policies/web.tune"), "."),
        (("before..HEAD",), "policies"),
        (("before..HEAD", "web.tune"), "policies"),
        (("before..HEAD", "../web.tune"), "policies/sub"),
        (("before..", "policies"), "."),
        (("before...HEAD", "policies"), "."),
        (("before:policies", "policies"), "."),
        (("before", "HEAD"), "."),
        (("before", "HEAD"), "policies"),
        (("before", "policies"), "."),
        (("before", "web.tune"), "policies"),
        (("before",), "."),
        (("before:policies/web.tune", "HEAD:policies/web.tune"), "policies/sub"),
        (("before:./web.tune", "web.tune"), "policies"),
    ],
)
def test_the_working_directory_does_not_matter(
    repository: Repository, arguments: tuple[str, ...], folder: str
) -> None:
    ran = diff(repository, *arguments, folder=folder)
    assert changed(ran) == ["web"]
    assert "turbo off -> on goal is balanced now: dell-11g-hpc, Table 6 (vendor)" in " ".join(ran.out.split())


def test_where_nothing_changes_the_status_is_0(repository: Repository) -> None:
    assert diff(repository, "HEAD..HEAD").status == 0


def test_what_compiles_on_neither_side_is_not_called_the_same(repository: Repository) -> None:
    # Its include is outside of the compared folder.
    ran = diff(repository, "before..HEAD", "policies/sub")
    assert ran.out == "No change: as far as there are plans; app.tune does not compile, as before.\n"
    assert ran.status == 1


def test_knowledge_alone_is_nothing_to_compare(repository: Repository) -> None:
    """Nor is an empty folder: that nothing differs there says nothing of any policy."""
    lab = 'source lab { title "Tried here"; publisher "HPC lab"; date 2026-05-04; }\n'
    repository.commit({"policies/lab.tune": lab, "policies/app.tune": f'include "lab.tune";\n{OLD}'})
    (repository.folder / "policies/lab.tune").write_text(lab.replace("05-04", "05-05"))
    ran = diff(repository, "HEAD..", "policies/lab.tune")
    assert ran.out == "Nothing to compare: no policy is there; policies/app.tune includes it.\n"
    assert ran.status == 0
    for name in ("one", "other"):
        (repository.folder / name).mkdir()
    assert diff(repository, "one", "other").out == "Nothing to compare: no policy is there.\n"


def test_the_files_as_they_lie_in_the_folder(repository: Repository) -> None:
    (repository.folder / "policies/web.tune").write_text(OTHER)
    assert "goal is latency now" in diff(repository, "HEAD..", "policies").out


def test_three_dots_compare_with_the_merge_base(repository: Repository) -> None:
    """Three dots exclude later changes on the other branch; two dots include them."""
    repository.git("switch", "--quiet", "--create", "feature", "before")
    repository.commit({"policies/parts/rest.tune": 'set turbo on because "no jitter";\n'})
    assert changed(diff(repository, "main...feature")) == ["app"]
    assert changed(diff(repository, "main..feature")) == ["app", "web"]


def test_a_renamed_file_is_the_same_policy(repository: Repository) -> None:
    """Though a policy without a name is called as its file."""
    repository.git("mv", "policies/web.tune", "policies/www.tune")
    repository.commit({})
    assert diff(repository, "HEAD~1..HEAD").status == 0
    assert diff(repository, "HEAD~1..HEAD", "policies/www.tune").status == 0


def test_a_renamed_folder_is_followed(repository: Repository) -> None:
    repository.git("mv", "policies", "tuning")
    repository.commit({})
    assert diff(repository, "HEAD~1..HEAD", "tuning").status == 0
    assert changed(diff(repository, "before..HEAD", "tuning/web.tune")) == ["web"]


def test_a_folder_that_was_added_or_removed(repository: Repository) -> None:
    repository.git("rm", "-r", "--quiet", "policies/sub")
    repository.commit({"more/grid.tune": OTHER})
    assert "Policy grid is new" in diff(repository, "HEAD~1..HEAD", "more").out
    assert "Policy app is gone" in diff(repository, "HEAD~1..HEAD", "policies", "--root", "policies").out
    assert (
        "Policy app.tune is gone" in diff(repository, "HEAD~1..HEAD", "policies/sub").out
    )  # which was in error


def test_includes_stay_inside_the_given_root(repository: Repository) -> None:
    """Without it, the policy may not include files outside its folder; with the root it may, at any revision."""
    alone = diff(repository, "before..HEAD", "policies/sub/app.tune", "--format", "json")
    assert json.loads(alone.out)["differences"] == []  # in error on both sides, which `check` says
    repository.commit({"policies/parts/rest.tune": 'set turbo on because "no jitter";\n'})
    within = diff(repository, "before..HEAD", "policies/sub/app.tune", "--root", "policies")
    assert "set: “no jitter”" in within.out


def test_attributes_and_links_of_the_repository_have_no_say(repository: Repository, tmp_path: Path) -> None:
    (tmp_path / "outside.tune").write_text(OTHER)
    (repository.folder / "policies/outside.tune").symlink_to(tmp_path / "outside.tune")
    (repository.folder / "policies/inside.tune").symlink_to("web.tune")
    repository.commit({".gitattributes": "*.tune export-ignore\n"})
    plans = diff(repository, "HEAD..HEAD", "--format", "json")
    assert json.loads(plans.out)["policies"] == 3  # web, app, and inside, which equals web


@pytest.mark.parametrize("first", ["a", "c"])
def test_no_link_leads_out_through_another(repository: Repository, tmp_path: Path, first: str) -> None:
    """Whatever their order is: as long as the second does not exist, the first seems to stay inside."""
    (tmp_path / "secret.tune").write_text("npm_SECRET=1\n")
    (repository.folder / f"{first}.tune").symlink_to("b.tune/../secret.tune")
    (repository.folder / "b.tune").symlink_to(".")
    repository.commit({})
    ran = setpoint(
        "diff",
        f"HEAD:{first}.tune",
        "policies/web.tune",
        cwd=repository.folder,
        env={"TMPDIR": str(tmp_path)},
    )
    assert (ran.status, "SECRET" in ran.out + ran.err, "error[E0607]" in ran.err) == (2, False, True)


def test_a_bundle_in_the_repository(repository: Repository) -> None:
    compiled = ("compile", "policies/web.tune", "-o", "out/web")
    assert run(*compiled, folder=repository.folder).status == 0
    repository.commit({})
    (repository.folder / "policies/web.tune").write_text(OLD)
    assert run(*compiled, folder=repository.folder).status == 0
    assert changed(diff(repository, "HEAD..", "out/web")) == ["web"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("befor..HEAD",), ("git knows no revision `befor` here", "did you mean `before`?")),
        (("before..0123abc",), ("git knows no revision `0123abc` here", "a shallow clone lacks history")),
        (("before..HEAD", "nowhere"), ("git has no policy files in `nowhere` at `before` nor at `HEAD`",)),
        (("before:nowhere", "policies"), ("git has no policy files in `nowhere` at `before`",)),
    ],
)
def test_what_git_does_not_know(
    repository: Repository, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    ran = diff(repository, *arguments)
    assert ran.status == 2
    assert "error[E0607]" in ran.err
    assert all(word in ran.err for word in words), ran.err


@pytest.mark.parametrize("verb", ["diff", "kb diff"])
@pytest.mark.parametrize(
    ("name", "folder", "words"),
    [
        ("befor:policies", ".", "git knows no revision `befor` here"),
        ("before:nowhere", ".", "git has no policy files in `nowhere` at `before`"),
        (":nowhere", ".", "git has no policy files in `nowhere` at `HEAD`"),
        ("before:./policies", "policies", "git has no policy files in `./policies` at `before`"),
        ("before:../README.md", "policies", "git has no policy files in `../README.md` at `before`"),
        ("before:../../elsewhere", "policies", "at `before`: it lies outside of the repository"),
    ],
)
def test_both_verbs_read_a_revision_in_the_same_way(
    repository: Repository, verb: str, name: str, folder: str, words: str
) -> None:
    ran = run(*verb.split(), name, "web.tune", folder=repository.folder / folder)
    assert (ran.status, "error[E0607]: " in ran.err, words in ran.err) == (2, True, True), ran.err


@pytest.mark.parametrize("verb", ["diff", "kb diff"])
def test_a_path_that_begins_with_a_dot_only_is_counted_from_the_top(
    repository: Repository, verb: str
) -> None:
    repository.commit({".site/lab.tune": 'source lab { title "L"; publisher "L"; }'})
    ran = run(*verb.split(), "HEAD:.site", "../.site", folder=repository.folder / "policies")
    assert ran.status == 0, ran.err


def test_outside_of_a_repository(tmp_path: Path) -> None:
    ran = setpoint("diff", "main..HEAD", cwd=tmp_path, env={"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)})
    assert ran.status == 2
    assert "error[E0607]: `.` is not in a git repository" in ran.err
    assert "name a file, a folder or a bundle in place of a revision" in ran.err


@pytest.mark.parametrize("git", [True, False])
def test_a_revision_and_a_folder_where_there_is_no_repository(tmp_path: Path, git: bool) -> None:
    (tmp_path / "policies").mkdir()
    env = {"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)} | ({} if git else {"PATH": str(tmp_path)})
    ran = setpoint("diff", "main", "policies", cwd=tmp_path, env=env)
    assert ran.status == (2 if git else 4)
    assert f"error[E0607]: {'`.` is not in a git repository' if git else 'git is not installed'}" in ran.err
    assert "nor is there a file or folder `main`" in ran.err


def test_a_misspelt_revision_and_a_folder(repository: Repository) -> None:
    ran = diff(repository, "befor", "policies")
    assert (ran.status, "did you mean `before`?" in ran.err) == (2, True)


def test_without_git(tmp_path: Path) -> None:
    ran = setpoint("diff", "main..HEAD", cwd=tmp_path, env={"PATH": str(tmp_path)})
    assert ran.status == 4
    assert "git is not installed" in ran.err


def test_a_file_with_dots_in_its_name_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "v1..v2.tune").write_text(OLD)
    (tmp_path / "b.tune").write_text(OLD)
    assert setpoint("diff", "v1..v2.tune", "b.tune", cwd=tmp_path).status == 0


@pytest.mark.parametrize("text", ['{"schema": "other/1"}', "[]", "no JSON", '{"schema": "setpoint.plan/2"}'])
def test_a_file_that_is_not_a_plan_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "plan.json").write_text(text)
    (tmp_path / "b.tune").write_text(OLD)
    ran = setpoint("diff", "plan.json", "b.tune", cwd=tmp_path)
    assert (ran.status, "error[E0606]" in ran.err) == (4, True)


def test_a_path_that_is_not_a_side_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "b.tune").write_text(OLD)
    assert setpoint("diff", "nowhere", "b.tune", cwd=tmp_path).status == 2
    assert setpoint("diff", "b.tune", cwd=tmp_path).status == 2
