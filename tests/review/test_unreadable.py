"""An unreadable side is reported as such, not as removed; and a change of a fact's origin alone is a change."""

import os
from pathlib import Path

import pytest

from review.repository import Repository
from review.sides import compare, only, run, write
from setpoint.compiler.render.difference import comparison_text
from setpoint.compiler.render.difference_json import comparison_json
from setpoint.compiler.render.difference_markdown import comparison_markdown

POLICY = "goal latency; cpu westmere;"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(
        tmp_path, {"good.tune": POLICY, "wrong.tune": "goal {", "new/web.tune": POLICY, "new/a.tune": POLICY}
    )
    (tmp_path / "latin.tune").write_bytes(b"goal latency; # caf\xe9\n")
    (tmp_path / "dangling.tune").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.tune")
    (tmp_path / "old").mkdir()
    (tmp_path / "old/web.tune").symlink_to("nowhere")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "status", "message"),
    [
        ("latin.tune", 4, "error[E0604]: `latin.tune` is not UTF-8 text"),
        ("dangling.tune", 4, "error[E0601]: cannot read `dangling.tune`: No such file or directory"),
        ("none.tune", 2, "error[E0601]: cannot read `none.tune`: No such file or directory"),
        ("pipe.tune", 4, "error[E0601]: cannot read `pipe.tune`: not a regular file"),
        ("old", 4, "error[E0601]: cannot read `old/web.tune`: No such file or directory"),
        (
            "wrong.tune",
            1,
            "error[E0101]: expected a name or a text in quotes, found `{`\n  --> wrong.tune:1:6",
        ),
    ],
)
def test_a_side_that_cannot_be_read_is_an_error(folder: Path, name: str, status: int, message: str) -> None:
    ran = run("diff", name, "good.tune", folder=folder)
    assert (ran.status, ran.out, ran.err.startswith(message)) == (status, "", True), ran.err
    if status != 1:
        ran = run("diff", "good.tune", name, folder=folder)
        assert (ran.status, ran.out, ran.err.startswith(message)) == (status, "", True), ran.err


def test_an_error_is_compared_where_the_file_is_on_both_sides(folder: Path) -> None:
    write(folder, {"old/a.tune": "goal {"})
    (folder / "old/web.tune").unlink()
    ran = run("diff", "old/a.tune", "new/a.tune", folder=folder)
    assert (ran.status, ran.out) == (3, "Policy a.tune compiles again\n")
    (folder / "old/latin.tune").write_bytes(b"\xff")
    ran = run("diff", "old", "new", folder=folder)
    assert (ran.status, "Policy latin.tune is gone" in ran.out) == (3, True)


def test_what_a_revision_cannot_read_is_named_as_a_reader_would(tmp_path: Path) -> None:
    repository = Repository(tmp_path)
    (tmp_path / "latin.tune").write_bytes(b"\xff")
    repository.commit({"web.tune": "goal {", "site/b.tune": POLICY})
    ran = run("diff", "HEAD:web.tune", "site/b.tune", folder=tmp_path)
    assert (ran.status, "--> web.tune:1:6" in ran.err) == (1, True), ran.err
    ran = run("diff", "HEAD:latin.tune", "site/b.tune", folder=tmp_path)
    assert (ran.status, ran.err.startswith("error[E0604]: `latin.tune` is not")) == (4, True), ran.err


# --------------------------------------------------------------------------------------- how a fact is known


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        (POLICY, f"{POLICY} sockets 2;", ("sockets", "2", "2", "assumed", "stated")),
        (f"{POLICY} sockets 2;", POLICY, ("sockets", "2", "2", "stated", "assumed")),
        (POLICY, f"{POLICY} platform poweredge-11g;", ("platform", "poweredge-11g", "poweredge-11g", "implied", "stated")),
    ],
)  # fmt: skip
def test_a_fact_with_another_origin_is_a_change(
    tmp_path: Path, old: str, new: str, shown: tuple[str, ...]
) -> None:
    """Its plan is different: an assumption may be wrong."""
    difference = only(compare(tmp_path, old, new))
    (fact,) = difference.facts
    assert (fact.name, fact.old, fact.new, fact.was_known, fact.how) == shown
    assert (difference.status, difference.settings) == ("changed", ())


def test_it_is_shown_in_every_form_and_for_bundles_as_well(tmp_path: Path) -> None:
    found = compare(tmp_path, POLICY, f"{POLICY} sockets 2;")
    ran = run("diff", "old", "new", folder=tmp_path)
    assert (ran.status, comparison_text(found, 110)) == (
        3, "Policy policy changes: no value, but artifacts\n"
           "  Facts\n    sockets  2  assumed -> stated\n"
           "  Artifacts that change, since they state how sockets is known: kernel-args, syscfg, tuned.\n",
    )  # fmt: skip
    assert "Facts: sockets 2 (stated, was assumed)." in comparison_markdown(found)
    assert '"was_known": "assumed"' in comparison_json(found)
    for side in ("old", "new"):
        assert run("compile", f"{side}/policy.tune", "-o", f"{side}-bundle", folder=tmp_path).status == 0
    assert run("diff", "old-bundle", "new-bundle", folder=tmp_path).out == ran.out
    assert run("diff", "old", "new-bundle", folder=tmp_path).out == ran.out


# --------------------------------------------------------------------------------------- what git has


def test_names_in_git_may_contain_any_bytes(tmp_path: Path) -> None:
    """Names of branches and folders are bytes, and a folder's may end with a line break."""
    for name in (b"caf\xe9", b"line\n"):
        repository = Repository(tmp_path / os.fsdecode(name))
        repository.commit({"web.tune": POLICY})
        repository.git("update-ref", os.fsdecode(b"refs/heads/caf\xe9"), "HEAD")
        ran = run("diff", "nope..", folder=repository.folder)
        assert (ran.status, "error[E0607]: git knows no revision `nope` here" in ran.err) == (2, True)
        ran = run("diff", "HEAD..HEAD", folder=repository.folder)
        assert (ran.status, ran.out) == (0, "No change: every policy has the same plan.\n")


def test_a_clone_that_lacks_the_files_of_a_revision_is_reported(tmp_path: Path) -> None:
    """As a partial clone that cannot reach its origin; here the file is removed."""
    repository = Repository(tmp_path)
    repository.commit({"web.tune": POLICY})
    blob = repository.git("rev-parse", "HEAD:web.tune")
    (tmp_path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    ran = run("diff", "HEAD..", folder=tmp_path)
    assert (ran.status, "error[E0607]: git does not have the files of" in ran.err) == (4, True), ran.err
