"""The digest of the library: what it depends on, and every output that records it."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from setpoint.compiler.knowledge.library import library_digest, stdlib_folder, texts_digest
from setpoint.compiler.plan.made_with import VERSION, short
from support.command import ROOT, setpoint

INSTALLED = library_digest(stdlib_folder())


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the library in another folder, with other times."""
    folder = tmp_path / "elsewhere"
    shutil.copytree(ROOT / "stdlib", folder)
    for path in folder.rglob("*"):
        os.utime(path, (1, 1))
    return folder


def edited(name: str, old: str, new: str) -> Callable[[Path], None]:
    """An edit of the first such text of a file."""

    def edit(folder: Path) -> None:
        content = (folder / name).read_bytes()
        assert old.encode() in content
        (folder / name).write_bytes(content.replace(old.encode(), new.encode(), 1))

    return edit


def unix_to_windows(folder: Path) -> None:
    """Other line ends, as a checkout on Windows has them."""
    for path in folder.rglob("*.tune"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


CHANGES: dict[str, tuple[Callable[[Path], object], bool]] = {
    # what changes                                                                            whether the digest does
    "nothing": (lambda folder: None, False),
    "line ends": (unix_to_windows, False),
    "a file that is no knowledge": (lambda folder: (folder / "notes.txt").write_text("read me"), False),
    "a word": (edited("settings.tune", "title", 'title "x" #'), True),
    "a comment": (edited("settings.tune", "title", "# a comment\ntitle"), True),
    "white space": (edited("facts.tune", "\n", "\n\n"), True),
    "a table": (edited("inventory.toml", "\n", "\n# a comment\n"), True),
    "the name of a file": (lambda folder: (folder / "facts.tune").rename(folder / "fact.tune"), True),
    "a new file": (lambda folder: (folder / "new.tune").write_text(""), True),
}


@pytest.mark.parametrize("what", CHANGES)
def test_the_digest_depends_on_the_text_alone(what: str, copy: Path) -> None:
    change, matters = CHANGES[what]
    change(copy)
    assert (library_digest(str(copy)) != INSTALLED) == matters


def test_anybody_can_compute_it() -> None:
    """The command in the manual gives the same."""
    page = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    (command,) = (
        line.strip() for line in page.splitlines() if line.strip().startswith("find . -name '*.tune'")
    )
    done = subprocess.run(
        ["sh", "-c", command], cwd=ROOT / "stdlib", capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[0] == INSTALLED


def test_a_sites_knowledge_counts_by_its_texts() -> None:
    assert texts_digest([]) == ""
    assert texts_digest(["a", "b"]) == texts_digest(["b", "a"])
    assert (
        len({texts_digest(["a"]), texts_digest(["b"]), texts_digest(["a", "b"]), texts_digest(["ab"])}) == 4
    )


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == VERSION


def test_version_shows_both_and_reads_no_knowledge() -> None:
    code = (
        "import sys; from setpoint.compiler.cli import main; main(['--version']); "
        "print([m for m in ('setpoint.compiler.knowledge.load', 'setpoint.compiler.pipeline', 'importlib.metadata') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"setpoint {VERSION}", f"library {INSTALLED}", "[]"]


# ---------------------------------------------------------------------------------------------- what records it

LIBRARY = {"setpoint": VERSION, "library": INSTALLED}
SHOWN = f"Made with Setpoint {VERSION}, library "
SITE = 'source lab { title "Our runs"; publisher "Our lab"; date 2026-11-01; }\n'


def document(path: Path) -> dict[str, object]:
    """The content of a JSON file."""
    found: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_a_bundle_records_it(tmp_path: Path) -> None:
    (tmp_path / "lab.tune").write_text(SITE, encoding="utf-8")
    (tmp_path / "plain.tune").write_text("goal latency; cpu westmere;", encoding="utf-8")
    (tmp_path / "own.tune").write_text('include "lab.tune";\ngoal latency; cpu westmere;', encoding="utf-8")
    site = {**LIBRARY, "site": texts_digest([SITE])}
    for name, expected in {"plain": LIBRARY, "own": site}.items():
        for folder, targets in {name: (), f"{name}-report": ("--target", "report")}.items():
            ran = setpoint("compile", f"{name}.tune", "-o", folder, *targets, cwd=tmp_path)
            assert ran.status == 0, ran.err
        assert document(tmp_path / name / "plan.json")["made_with"] == expected
        assert document(tmp_path / name / "manifest.json")["made_with"] == expected
        report = tmp_path / f"{name}-report"
        markdown, html = ((report / f"report.{end}").read_text("utf-8") for end in ("md", "html"))
        assert f"{SHOWN}`{short(INSTALLED)}`" in markdown
        assert f"{SHOWN}<code>{short(INSTALLED)}</code>" in html
        assert (f"site knowledge `{short(site['site'])}`" in markdown) == (name == "own")
    artifacts = (path for path in (tmp_path / "plain").rglob("*/*") if path.is_file())
    assert not [path for path in artifacts if short(INSTALLED) in path.read_text("utf-8")]


def test_what_is_above_several_bundles_records_it(tmp_path: Path) -> None:
    """Without the site's knowledge if only some have it: the manifest of each says so."""
    (tmp_path / "policies").mkdir()
    (tmp_path / "lab.tune").write_text(SITE, encoding="utf-8")
    for name in "ab":
        (tmp_path / f"policies/{name}.tune").write_text("goal latency; cpu westmere;", encoding="utf-8")
    command = ("compile", "policies", "--root", ".", "-o", "out")
    assert setpoint(*command, cwd=tmp_path).status == 0
    assert document(tmp_path / "out/manifest.json")["made_with"] == LIBRARY
    own = 'include "../lab.tune";\ngoal latency; cpu westmere;'
    for name in "ab":  # one after the other has it
        (tmp_path / f"policies/{name}.tune").write_text(own, encoding="utf-8")
        assert setpoint(*command, cwd=tmp_path).status == 0
        site = {"site": texts_digest([SITE])} if name == "b" else {}
        assert document(tmp_path / "out/manifest.json")["made_with"] == {**LIBRARY, **site}


def test_a_fleet_records_it_and_the_table_of_facts(tmp_path: Path) -> None:
    (tmp_path / "site.tune").write_text("goal latency;", encoding="utf-8")
    (tmp_path / "hosts.csv").write_text("name,cpu\nhost1,westmere\n", encoding="utf-8")
    table = '[facts]\ncpu = ["processor"]\n'
    (tmp_path / "facts.toml").write_text(table, encoding="utf-8")
    command = ("fleet", "site.tune", "--inventory", "hosts.csv", "-o", "out")
    for options, expected in (
        ((), LIBRARY),
        (("--facts", "facts.toml"), {**LIBRARY, "facts": texts_digest([table])}),
    ):
        ran = setpoint(*command, *options, cwd=tmp_path)
        assert ran.status == 0, ran.err
        assert document(tmp_path / "out/fleet.json")["made_with"] == expected
        assert document(tmp_path / "out/manifest.json")["made_with"] == expected
        summary = (tmp_path / "out/summary.md").read_text(encoding="utf-8")
        assert f"made with: Setpoint {VERSION}, library `{short(INSTALLED)}`" in summary
        assert ("table of facts" in summary) == bool(options)
