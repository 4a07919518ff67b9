"""`kb pins`: what became of the files that sources were read in. Git is the real one, the network is not.

Addresses of `git.example` are folders of this test, by the user's own configuration of git (`insteadOf`), which also
allows git to read folders at all. So the command runs as it does for everybody.
"""

from __future__ import annotations

import hashlib
import json
import os
from itertools import count
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conformance.printed import rows
from review.repository import Repository

from setpoint.compiler.comparison import pins
from setpoint.compiler.comparison.pins import followed
from setpoint.compiler.language.program import program_of_text
from setpoint.compiler.pipeline import knowledge_for
from support.command import ROOT, Ran, setpoint

HOST = "https://git.example"
SCHEMA = json.loads((ROOT / "compiler/render/kb.schema.json").read_text(encoding="utf-8"))
FIRST, SECOND = "2026-01-05T12:00:00Z", "2026-03-09T12:00:00Z"
CONTENT = "a file that is long enough to be known again\n" * 3


class Lab:
    """A folder of published repositories, and a knowledge file with pins of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.configuration = folder / "gitconfig"
        self.configuration.write_text(
            f'[protocol "file"]\n allow = always\n[url "file://{folder}/"]\n insteadOf = {HOST}/\n',
            encoding="utf-8",
        )

    def repository(self, name: str) -> Repository:
        """A new repository, which lets others leave out the contents of files, as public hosts do."""
        made = Repository(self.folder / name)
        made.git("config", "uploadpack.allowFilter", "true")
        return made

    def run(self, *pins_: str, form: str = "json", env: dict[str, str] | None = None) -> Ran:
        """`kb pins` on sources that are called by their number, each with a pin."""
        site = self.folder / "site.tune"
        text = "".join(
            f'source lab-{n} {{ title "T"; publisher "P"; pin {pin}; }}\n' for n, pin in enumerate(pins_)
        )
        site.write_text(text, encoding="utf-8")
        names = [word for n in range(len(pins_)) for word in ("--source", f"lab-{n}")]
        environment = {
            "GIT_CONFIG_GLOBAL": str(self.configuration),
            "TMPDIR": str(self.folder),
            **(env or {}),
        }
        ran = setpoint("kb", "pins", str(site), "--format", form, *names, env=environment)
        assert not list(self.folder.glob("setpoint-*")), "a clone is left"
        return ran

    def pins(self, *pins_: str) -> list[dict[str, Any]]:
        """The data of each pin."""
        data = json.loads(self.run(*pins_).out)
        jsonschema.validate(data, SCHEMA)
        found = {pin["source"]: pin for repository in data["repositories"] for pin in repository["pins"]}
        return [found[f"lab-{n}"] for n in range(len(pins_))]


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


@pytest.fixture
def history(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str, str]:
    """A repository with a first commit, a second one that changes it, and one on another branch."""
    made = lab.repository("notes")
    files = {
        name: f"{name}\n{CONTENT}" for name in ("same", "changed", "moved", "removed", "docs/a", "runs/1")
    }
    monkeypatch.setenv("GIT_COMMITTER_DATE", FIRST)
    first = made.commit({**files, ".mailmap": "A <a@example.org>\n", "--output=x": "1", ":(top)same": "1"})
    made.git("checkout", "--quiet", "-b", "proposal")
    unmerged = made.commit({"same": "not merged"})
    made.git("checkout", "--quiet", "main")
    monkeypatch.setenv("GIT_COMMITTER_DATE", SECOND)
    made.git("mv", "moved", "docs/moved")
    made.git("rm", "--quiet", "removed")
    second = made.commit({"changed": "2", "runs/2": "2", "--output=x": "2", ":(top)same": "2"})
    return first, second, unmerged


def pin(commit: str, *files: str, of: str = "2026-01-05", name: str = "notes") -> str:
    """A pin of the repository, with the first digits of a commit."""
    named = ", ".join(f'"{file}"' for file in files)
    return f'"{HOST}/{name}" at {commit[:9]}{f" of {of}" if of else ""} {named}'.rstrip()


FILES = """
same       | same    |
docs/a     | same    |
changed    | changed |
runs       | changed |
runs/1     | same    |
moved      | gone    | docs/moved
removed    | gone    |
never      | absent  |
runs/2     | absent  |
--output=x | changed |
:(top)same | changed |
"""
"""What became of each file since the first commit, and where it is now."""


def test_what_became_of_each_file(lab: Lab, history: tuple[str, str, str]) -> None:
    first, second, _ = history
    expected = {name: (state, moved) for name, state, moved in rows(FILES)}
    found = lab.pins(*(pin(first, name) for name in expected))
    assert {(each["state"], each["committed"]) for each in found} == {("published", "2026-01-05")}
    files = [file for each in found for file in each["files"]]
    assert {file["path"]: (file["state"], file["moved"]) for file in files} == expected
    for each, file in zip(found, files, strict=True):
        assert each["stale"] == (file["state"] != "same")
        since = file["state"] in ("changed", "gone")
        assert (bool(file["commit"]), file["date"]) == ((True, "2026-03-09") if since else (False, ""))
        assert second.startswith(file["commit"])


def test_a_file_that_was_changed_and_changed_back_is_the_same(lab: Lab) -> None:
    made = lab.repository("notes")
    first = made.commit({"a": "1"})
    made.commit({"a": "2"})
    made.commit({"a": "1"})
    (found,) = lab.pins(pin(first, "a"))
    assert [file["state"] for file in found["files"]] == ["same"]


def test_whether_a_commit_is_published(lab: Lab, history: tuple[str, str, str]) -> None:
    first, second, unmerged = history
    found = lab.pins(
        pin(first, "same"),
        pin(second, "same", of="2026-03-09"),
        pin(unmerged, "same"),
        pin("0123456789"),
        pin(first, of=""),
        pin(first, of="2026-01-06"),
        f'"{HOST}/notes" at {first} of 2026-01-05',
    )
    assert [(each["state"], each["stale"]) for each in found] == [
        ("published", False),
        ("published", False),
        ("unpublished", True),
        ("unpublished", True),
        ("published", True),
        ("published", True),
        ("published", False),
    ]


def test_text_has_what_a_maintainer_should_look_at(lab: Lab, history: tuple[str, str, str]) -> None:
    first, second, unmerged = history
    ran = lab.run(
        pin(first, "same", "changed", "moved", "removed", "never"),
        pin(first, "same"),
        pin(unmerged, "same"),
        pin(first, "same", of=""),
        pin(first, of="2026-01-06"),
        form="text",
    )
    short = second[:7]
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert lines == [
        f"{HOST}/notes",
        f"lab-0 {first[:9]} changed: changed on 2026-03-09 ({short})",
        f"lab-0 {first[:9]} moved: moved to docs/moved on 2026-03-09 ({short})",
        f"lab-0 {first[:9]} removed: removed on 2026-03-09 ({short})",
        f"lab-0 {first[:9]} never: not in this commit",
        f"lab-2 {unmerged[:9]} is not on the published branch",
        f"lab-3 {first[:9]} is of 2026-01-05, which the pin does not say",
        f"lab-4 {first[:9]} is of 2026-01-05, not of 2026-01-06",
        "5 pins in 1 repository: 1 up to date, 4 to look at, 0 not read",
    ]
    assert (ran.status, ran.err) == (3, "")


def test_nothing_to_look_at(lab: Lab, history: tuple[str, str, str]) -> None:
    ran = lab.run(pin(history[0], "same"), form="text")
    assert (ran.status, ran.out, ran.err) == (
        0,
        "1 pin in 1 repository: 1 up to date, 0 to look at, 0 not read\n",
        "",
    )


def test_a_repository_that_cannot_be_read_does_not_stop_the_others(
    lab: Lab, history: tuple[str, str, str]
) -> None:
    gone, changed = pin("1234567", "a", name="gone"), pin(history[0], "changed")
    ran = lab.run(gone, changed, form="text")
    assert ran.status == 4
    assert ran.err.startswith(f"error[E0617]: the repository `{HOST}/gone` cannot be read\n")
    assert ran.out.endswith("2 pins in 2 repositories: 0 up to date, 1 to look at, 1 not read\n")
    data = json.loads(lab.run(gone, changed).out)
    jsonschema.validate(data, SCHEMA)
    assert [pin["state"] for each in data["repositories"] for pin in each["pins"]] == ["unread", "published"]
    assert [found["code"] for found in data["diagnostics"]] == ["E0617"]


def test_an_empty_repository_has_no_commit(lab: Lab) -> None:
    lab.repository("notes")
    assert [found["state"] for found in lab.pins(pin("1234567", "a"))] == ["unpublished"]


def test_a_branch_that_is_called_like_a_commit_is_none(lab: Lab) -> None:
    made = lab.repository("notes")
    made.commit({"a": "1"})
    made.git("branch", "--move", "abcdef123")
    assert [found["state"] for found in lab.pins(pin("abcdef123", "a"))] == ["unpublished"]


def test_digits_that_several_commits_begin_with_are_ambiguous(lab: Lab) -> None:
    made = lab.repository("notes")
    made.commit({"a": "1"})
    tree = made.git("rev-parse", "HEAD^{tree}")
    alike: dict[str, str] = {}
    for number in count():
        text = f"tree {tree}\nauthor A <a@example.org> 1 +0000\ncommitter A <a@example.org> 1 +0000\n\n{number}\n"
        digits = hashlib.sha1(f"commit {len(text)}\0{text}".encode()).hexdigest()[:7]
        if digits in alike:
            break
        alike[digits] = text
    parents = [
        made.git("hash-object", "-t", "commit", "-w", "--stdin", text=each) for each in (alike[digits], text)
    ]
    merged = made.git("commit-tree", tree, "-p", parents[0], "-p", parents[1], "-m", "both")
    made.git("reset", "--quiet", "--hard", merged)
    assert {parent[:7] for parent in parents} == {digits}
    short, whole = lab.pins(
        f'"{HOST}/notes" at {digits}', f'"{HOST}/notes" at {parents[0]} of 1970-01-01 "a"'
    )
    assert (short["state"], whole["state"]) == ("ambiguous", "published")


def test_the_variables_of_another_repository_are_not_meant(lab: Lab, history: tuple[str, str, str]) -> None:
    variables = {"GIT_DIR": "/nonexistent", "GIT_WORK_TREE": "/nonexistent", "GIT_INDEX_FILE": "/nonexistent"}
    assert lab.run(pin(history[0], "same"), form="text", env=variables).status == 0


def test_other_protocols_are_refused_unless_the_user_allows_them(
    lab: Lab, history: tuple[str, str, str]
) -> None:
    text = lab.configuration.read_text(encoding="utf-8")
    lab.configuration.write_text(text.replace('[protocol "file"]\n allow = always\n', ""), encoding="utf-8")
    ran = lab.run(pin(history[0], "same"), form="text", env={"GIT_ALLOW_PROTOCOL": "file"})
    assert (ran.status, "transport 'file' not allowed" in ran.err) == (4, True)


def test_a_site_with_a_wrong_pin_is_refused_before_git_is_asked(lab: Lab) -> None:
    ran = lab.run('"--upload-pack=touch canary" at 1234567', form="text", env={"PATH": "/nonexistent"})
    assert (ran.status, ran.err[:10]) == (1, "error[K22]")


def test_an_unknown_source_is_wrong_usage() -> None:
    ran = setpoint("kb", "pins", "--source", "redis-administratio")
    assert (ran.status, ran.err) == (
        2,
        "setpoint: unknown source `redis-administratio`; did you mean `redis-administration`?\n",
    )


def test_without_git(lab: Lab) -> None:
    ran = lab.run('"https://git.example/notes" at 1234567', form="text", env={"PATH": "/nonexistent"})
    assert (ran.status, ran.err.split("\n")[0]) == (4, "error[E0607]: git is not installed")


def test_a_repository_that_does_not_answer_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent = tmp_path / "git"
    silent.write_text('#!/bin/sh\ncase "$*" in *" clone "*) exec sleep 60 ;; esac\n', encoding="utf-8")
    silent.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(pins, "CLONING", pins.CLONING._replace(seconds=1))
    text = f'source lab {{ title "T"; publisher "P"; pin "{HOST}/notes" at 1234567; }}'
    (found,) = followed(knowledge_for(program_of_text(text)), frozenset({"lab"}))
    assert found.failure is not None
    assert found.failure.notes == ("git: the answer of `git clone` takes more than 1 seconds",)
    assert [each.state for each in found.pins] == ["unread"]


def test_contents_of_files_are_not_cloned(
    lab: Lab, history: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(lab.configuration))
    clone = pins.PublishedBranch(f"{HOST}/notes", str(lab.folder))
    assert clone.commits(history[0]) == [history[0]]
    made = Repository(lab.folder / "other")
    kinds = made.git(
        "-C", str(lab.folder / pins.BARE), "cat-file", "--batch-all-objects", "--batch-check=%(objecttype)"
    )
    assert set(kinds.split()) == {"commit", "tree"}
