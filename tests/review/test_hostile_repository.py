"""No command runs what a repository names: programs of its configuration, attributes and hooks."""

import os
import subprocess
from pathlib import Path

import pytest

from review.hostile import ATTRIBUTES, Canaries, plant
from review.pipeline import Pipeline
from review.repository import ENVIRONMENT, Repository
from review.sides import run
from setpoint.compiler.comparison import git
from support.command import Ran

OLD = "goal efficiency; cpu westmere; platform r710; workload interactive;\n"
NEW = OLD.replace("efficiency", "balanced")
FILE, LINK, FOLDER = "100644", "120000", "040000"
SITE = 'source lab { title "Tried here"; publisher "HPC lab"; date 2026-05-04; }\n'


@pytest.fixture
def canaries(tmp_path: Path) -> Canaries:
    return Canaries(tmp_path / "canaries")


@pytest.fixture
def repository(tmp_path: Path, canaries: Canaries) -> Repository:
    """Policies that were changed and moved, in a commit and again in the folder, before the repository became
    hostile."""
    made = Repository(tmp_path / "repository")
    _move_and_change(made)
    plant(made.folder, canaries)
    return made


def _move_and_change(repository: Repository) -> None:
    repository.commit({"former/web.tune": OLD, "former/lab.tune": SITE, "alone.tune": OLD})
    repository.git("tag", "before")
    repository.git("mv", "former", "policies")
    repository.commit({"policies/web.tune": NEW, ".gitattributes": ATTRIBUTES})
    repository.git("mv", "alone.tune", "moved.tune")
    # What the index knows of these is out of date, so that git would read them through its filters.
    (repository.folder / "moved.tune").write_text(NEW, encoding="utf-8")
    (repository.folder / ".gitattributes").write_text(f"{ATTRIBUTES}\n", encoding="utf-8")
    os.utime(repository.folder / "policies/web.tune", (1, 1))  # as long as before: only its content tells


def test_the_canaries_sing(repository: Repository, canaries: Canaries) -> None:
    """What plain git runs in such a repository: were this to fail, the tests below would say nothing."""
    sung = set()
    for words in (
        "status",
        "diff before.. --textconv",
        "log -p --ext-diff before..HEAD",
        "fetch origin",
        "reset HEAD",
    ):
        command = ["git", *words.split()]
        environment = {**os.environ, **ENVIRONMENT}
        subprocess.run(command, cwd=repository.folder, env=environment, capture_output=True, check=False)
        sung |= canaries.touched
    monitors_and_filters = {"core.fsmonitor", "filter.canary.clean", "filter.running.process"}
    # Whether git comes as far as the program for differences depends on how old its index is.
    assert sung >= monitors_and_filters | {"hooks post-index-change", "ext"}


@pytest.mark.parametrize(
    ("words", "status", "shown"),
    [
        ("diff before..HEAD policies/web.tune", 3, "turbo"),
        ("diff before..HEAD", 3, "turbo"),
        ("diff before...HEAD policies", 3, "turbo"),
        ("diff before.. policies", 3, "turbo"),
        ("diff before.. policies/web.tune", 3, "turbo"),
        ("diff HEAD.. moved.tune", 3, "turbo"),
        ("diff HEAD.. moved.tune --format markdown", 3, "turbo"),
        ("diff before policies/web.tune", 3, "turbo"),
        ("diff before:former/web.tune policies/web.tune", 3, "turbo"),
        ("diff nonsense moved.tune", 2, "E0607"),
        ("check --since before policies/web.tune moved.tune", 0, "0 errors"),
        ("compile --since before:former/web.tune policies/web.tune -o out", 0, ""),
        ("kb diff before:nowhere policies/lab.tune", 2, "E0607"),
        ("diff before..HEAD policies/web.tune --inventory hosts.csv", 3, "c1"),
    ],
)  # fmt: skip
def test_no_verb_runs_them(
    repository: Repository, canaries: Canaries, words: str, status: int, shown: str
) -> None:
    (repository.folder / "hosts.csv").write_text("host,model\nc1,PowerEdge R710\n", encoding="utf-8")
    ran = run(*words.split(), folder=repository.folder)
    assert canaries.touched == set()
    assert (ran.status, shown in ran.out + ran.err) == (status, True), ran


def test_the_pipeline_does_not_run_them(tmp_path: Path, canaries: Canaries) -> None:
    pipeline = Pipeline(tmp_path, "github")
    _move_and_change(pipeline.repository)
    plant(pipeline.repository.folder, canaries)
    ran = pipeline.run("policies", SETPOINT_BASE="before")
    assert canaries.touched == set()
    assert ran.status == 0, ran
    assert "turbo" in pipeline.comments[0]["body"]


def test_the_pipeline_fetches_from_a_remote_without_them(tmp_path: Path, canaries: Canaries) -> None:
    """A shallow clone lacks the base. What reaches a remote is the clone's to name, but nothing else is run."""
    pipeline = Pipeline(tmp_path, "github")
    _move_and_change(pipeline.repository)
    base = pipeline.repository.git("rev-parse", "before")
    pipeline.repository.git("config", "uploadpack.allowAnySHA1InWant", "true")
    clone = tmp_path / "clone"
    pipeline.repository.git("clone", "--quiet", "--depth=1", pipeline.repository.folder.as_uri(), str(clone))
    plant(clone, canaries, remote=pipeline.repository.folder.as_uri())
    ran = pipeline.run_in(clone, "policies", SETPOINT_BASE=base)
    assert canaries.touched == set()
    assert (ran.status, "turbo" in pipeline.comments[0]["body"]) == (0, True), ran


def test_a_partial_clone_is_not_completed(tmp_path: Path, canaries: Canaries) -> None:
    """What it lacks would come from its remote, by the programs that this names."""
    origin = Repository(tmp_path / "origin")
    origin.commit({"web.tune": OLD})
    origin.git("tag", "before")
    origin.commit({"web.tune": NEW})
    origin.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    origin.git("clone", "--quiet", "--filter=blob:none", origin.folder.as_uri(), str(clone))
    plant(clone, canaries)
    ran = run("diff", "before..HEAD", folder=clone)
    assert canaries.touched == set()
    assert (ran.status, "error[E0607]: git does not have the files of" in ran.err) == (4, True), ran
    assert "fetch the revision with its files first" in ran.err


def test_a_bare_repository_among_the_files_is_not_asked(tmp_path: Path, canaries: Canaries) -> None:
    """A pull request can add one, with a configuration of its own."""
    outer, inner = Repository(tmp_path / "outer"), Repository(tmp_path / "inner")
    inner.commit({"web.tune": OLD})
    plant(inner.folder, canaries)
    (inner.folder / ".git").rename(outer.folder / "policies")
    (outer.folder / "policies/web.tune").write_text(NEW, encoding="utf-8")
    with (outer.folder / "policies/config").open("a", encoding="utf-8") as config:
        config.write(f"[core]\n\tbare = false\n\tworktree = {outer.folder}/policies\n")
    ran = run("diff", "HEAD..", ".", folder=outer.folder / "policies")
    assert canaries.touched == set()
    assert (ran.status, "error[E0607]" in ran.err) == (2, True), ran


def test_replaced_objects_are_not_read(tmp_path: Path) -> None:
    """A commit has the files that its name stands for."""
    repository = Repository(tmp_path / "repository")
    repository.commit({"web.tune": OLD})
    repository.git("tag", "before")
    repository.commit({"web.tune": NEW})
    repository.git("replace", "before", "HEAD")
    assert "turbo" in run("diff", "before..HEAD", folder=repository.folder).out


# ------------------------------------------------------------------------------------ trees that nobody checks out


def _tree(repository: Repository, entries: dict[str, tuple[str, str]]) -> str:
    """A tree with entries, each a mode and a text, or the name of a tree; nothing of it was ever a file."""
    lines = []
    for name, (mode, text) in entries.items():
        kind = "tree" if mode == FOLDER else "blob"
        made = text if mode == FOLDER else repository.git("hash-object", "-w", "--stdin", text=text)
        lines.append(f"{mode} {kind} {made}\t{name}")
    return repository.git("mktree", text="\n".join(lines) + "\n")


def _diff(repository: Repository, tree: str, *words: str) -> Ran:
    """The comparison of a tree with a file of its own."""
    (repository.folder / "web.tune").write_text(NEW, encoding="utf-8")
    commit = repository.git("commit-tree", tree, "-m", "a tree")
    return run("diff", f"{commit}:.", "web.tune", *words, folder=repository.folder)


@pytest.fixture
def bare(tmp_path: Path) -> Repository:
    """A repository without a commit."""
    return Repository(tmp_path / "repository")


def test_links_that_lead_through_one_another_stay_inside(bare: Repository, tmp_path: Path) -> None:
    """`c` lies in the folder as long as `d` is not there, and leads to a secret as soon as it is."""
    (tmp_path / "secret").write_text("s3cret s3cret\n", encoding="utf-8")
    through = "d.tune/" * 12 + "../" * 11 + f"..{tmp_path}/secret"
    links = {"c.tune": (LINK, through), "d.tune": (LINK, ".")}
    ran = _diff(bare, _tree(bare, {**links, "web.tune": (FILE, OLD)}))
    assert "s3cret" not in ran.out + ran.err
    assert "c.tune" not in ran.out + ran.err
    assert "turbo" in ran.out, ran


def test_a_tree_that_no_folder_can_have_is_refused(bare: Repository) -> None:
    """The same name as a file and as a folder, and a name that is too long."""
    inner = _tree(bare, {"web.tune": (FILE, OLD)})
    blob = bare.git("hash-object", "-w", "--stdin", text=OLD)
    twice = f"100644 blob {blob}\ta.tune\n040000 tree {inner}\ta.tune\n"
    long = _tree(bare, {f"{'x' * 300}.tune": (FILE, OLD)})
    for tree in (long, bare.git("mktree", text=twice)):
        ran = _diff(bare, tree)
        assert (ran.status, "error[E0607]: a folder cannot have the files" in ran.err) == (4, True), ran


def test_a_tree_that_repeats_itself_is_not_listed_to_its_end(
    bare: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten trees of ten entries, each the next tree: ten thousand million files in a kilobyte."""
    monkeypatch.setattr(git, "MOST_BYTES", 1 << 20)
    tree = _tree(bare, {"web.tune": (FILE, OLD)})
    for _ in range(10):
        tree = _tree(bare, {str(number): (FOLDER, tree) for number in range(10)})
    ran = _diff(bare, tree)
    assert (ran.status, "error[E0607]: the answer of `git ls-tree` has more than 1 MiB" in ran.err) == (
        4,
        True,
    ), ran


def test_a_file_that_unpacks_without_end_is_not_read_to_its_end(
    bare: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "MOST_BYTES", 1 << 20)
    ran = _diff(bare, _tree(bare, {"web.tune": (FILE, " " * (2 << 20))}))
    assert (ran.status, "error[E0607]: the answer of `git cat-file` has more than 1 MiB" in ran.err) == (
        4,
        True,
    ), ran


def test_a_git_that_does_not_answer_is_stopped(
    bare: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its configuration is a pipe that nobody writes to."""
    monkeypatch.setattr(git, "HERE", git.HERE._replace(seconds=1))
    os.mkfifo(tmp_path / "pipe")
    bare.git("config", "include.path", str(tmp_path / "pipe"))
    ran = run("diff", "HEAD..", folder=bare.folder)
    assert "error[E0607]: the answer of `git rev-parse` takes more than 1 seconds" in ran.err, ran
    assert ran.status == 4
