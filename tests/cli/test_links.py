"""Links that others planted: what is read stays in its folder and is of its kind, and nothing else is ever shown."""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest

from setpoint.compiler.cli import main
from setpoint.compiler.files import links
from setpoint.compiler.files.links import OtherKindError, file_read, folder_read
from setpoint.compiler.files.reading import read_text
from support.command import in_shell, setpoint

SECRET = "npm_Abc123SECRET"
TOKEN = f"//registry/:_authToken={SECRET}\n"
POLICY = "goal latency; cpu westmere"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A checkout in a folder with secrets: beside it, and in it in a file of the name that tools give it."""
    checkout = tmp_path / "checkout"
    (checkout / "policies").mkdir(parents=True)
    (checkout / "policies/web.tune").write_text(POLICY)
    for name in ("secret", "secret.tune", "secret.csv", "secret.json", "secret.toml"):
        (tmp_path / name).write_text(TOKEN)
    (checkout / ".npmrc").write_text(TOKEN)
    return checkout


def said(place: Path, *words: str) -> tuple[int, str]:
    """The exit status, and all that a command said or wrote anywhere below the folder."""
    ran = setpoint(*words, cwd=place)
    written = [
        path.read_text(errors="replace")
        for path in place.rglob("*")
        if path.is_file() and not path.is_symlink() and path.name != ".npmrc"
    ]
    return ran.status, "".join((ran.out, ran.err, *written))


ALSO = [f"--also={form}=found.{form}" for form in ("json", "sarif", "junit", "github")]

READERS = [
    # what is linked          the command that reads it
    ("policies/e.tune", ["check", ".", *ALSO]),
    ("policies/e.tune", ["check", "--root", ".", ".", *ALSO]),
    ("policies/e.tune", ["check", "policies/e.tune", *ALSO]),
    ("policies/e.tune", ["check", "--root", "policies", "policies/e.tune"]),
    ("policies/e.tune", ["fmt", "policies"]),
    ("policies/e.tune", ["plan", "policies/e.tune"]),
    ("policies/e.tune", ["waivers", "policies"]),
    ("policies/e.tune", ["test", "policies", "--junit", "found.junit"]),
    ("policies/e.tune", ["kb", "check", "policies/e.tune"]),
    ("policies/e.tune", ["kb", "coverage", "policies"]),
    ("policies/e.tune", ["diff", "policies", "policies/web.tune"]),
    ("policies/e.tune", ["compare", "policies/e.tune", "policies/web.tune"]),
    ("record.json", ["kb", "coverage", "record.json"]),
    ("hosts.csv", ["check", "policies", "--inventory", "hosts.csv", *ALSO]),
    ("hosts.csv", ["fleet", "policies/web.tune", "--inventory", "hosts.csv", "-o", "out"]),
    ("captures/c1.json", ["check", "policies", "--inventory", "captures"]),
    ("captures/c1/os-release", ["check", "policies", "--inventory", "captures"]),
    ("facts.toml", ["check", "policies", "--inventory", "policies", "--facts", "facts.toml"]),
    ("registry.json", ["plan", "policies/web.tune", "--registry", "registry.json"]),
    ("registries/a.json", ["check", "policies", "--inventory", "h.csv", "--registry", "registries"]),
    ("current.json", ["plan", "policies/web.tune", "--current", "current.json"]),
    ("bundle/plan.json", ["diff", "bundle", "policies"]),
    ("audit.json", ["audit", "audit.json", "-e", POLICY]),
    ("grub", ["audit", "grub", "-e", POLICY]),
]  # fmt: skip


@pytest.mark.parametrize("outside", [True, False])
@pytest.mark.parametrize(("name", "command"), READERS)
def test_no_reader_follows_a_link_to_a_secret(
    place: Path, name: str, command: list[str], outside: bool
) -> None:
    """Neither out of the folder, nor to a file of another kind in it, which everybody's tools put there."""
    (place / "h.csv").write_text("host,model\nc1,PowerEdge R740\n")
    if name.startswith("bundle"):
        assert setpoint("compile", "-e", POLICY, "-o", "bundle", cwd=place).status == 0
        (place / name).unlink()
    link = place / name
    link.parent.mkdir(parents=True, exist_ok=True)
    (link.parent / ".npmrc").write_text(TOKEN)
    target = place.parent / f"secret{link.suffix}" if outside else link.parent / ".npmrc"
    link.symlink_to(os.path.relpath(target, link.parent))
    status, text = said(place, *command)
    assert SECRET not in text
    assert (status, ("E0603" if outside else "E0615") in text) == (4, True), text


@pytest.mark.parametrize("how", ["a folder in a folder", "a walked folder", "a folder of captures"])
def test_a_link_to_a_folder_is_not_followed_outside(place: Path, how: str) -> None:
    elsewhere = place.parent / "elsewhere"
    elsewhere.mkdir()
    for name in ("telling-name.tune", "telling-name.json"):
        (elsewhere / name).write_text(TOKEN)
    match how:
        case "a folder in a folder":
            (place / "captures").mkdir()
            (place / "captures/c1").symlink_to(elsewhere)
            status, text = said(place, "check", "policies", "--inventory", "captures")
        case "a walked folder":
            (place / "e").symlink_to(elsewhere)
            status, text = said(place, "check", "e")
        case _:
            (place / "captures").symlink_to(elsewhere)
            status, text = said(place, "check", "policies", "--inventory", "captures")
    assert (status, "E0603" in text, "telling-name" in text, SECRET in text) == (4, True, False, False), text


def test_links_within_a_folder_are_followed(place: Path) -> None:
    """As by who mounts a version of a folder: a link to the file, through a link to the version."""
    shutil.move(place / "policies", place / "..v1")
    (place / "..data").symlink_to("..v1")
    (place / "web.tune").symlink_to("..data/web.tune")
    assert setpoint("check", "web.tune", cwd=place).status == 0
    assert setpoint("check", ".", cwd=place).status == 0


@pytest.mark.parametrize(
    ("link", "target", "is_followed"),
    [
        ("folder", ".git", False),
        ("folder", "policies/../.git/hooks", False),
        ("config", ".git/config", False),
        ("facts.json", ".vault/facts.json", False),
        ("through", "config-of-git", False),
        ("folder", "..v1", True),
        (".git/folder", "hooks", True),
        (".git/config-too", "config", True),
    ],
)
def test_a_link_leads_to_nothing_hidden(place: Path, link: str, target: str, is_followed: bool) -> None:
    """Where tools keep passwords. A link that is hidden itself may, and so may one to what a system mounts."""
    for folder in (".git/hooks", ".vault", "..v1"):
        (place / folder).mkdir(parents=True)
    for file in (".git/config", ".vault/facts.json"):
        (place / file).write_text(TOKEN)
    (place / "config-of-git").symlink_to(".git/config")
    (place / link).symlink_to(target)
    reads = folder_read if (place / link).is_dir() else file_read
    with chdir(place):
        if is_followed:
            assert reads(link) == str((place / link).resolve())
        else:
            with pytest.raises(OtherKindError, match="leads to something hidden"):
                reads(link)


def test_a_link_of_a_folder_may_lead_through_the_root(place: Path) -> None:
    (place / "common.tune").write_text(POLICY)
    (place / "policies/common.tune").symlink_to("../common.tune")
    with chdir(place.parent):
        assert main(["check", str(place / "policies"), "--root", str(place)]) == 0
        os.chdir("/tmp")
        assert main(["check", str(place / "policies")]) == 4, "a walk has no wider root"


def test_a_path_that_the_user_names_elsewhere_is_followed(place: Path) -> None:
    (place.parent / "mine.tune").write_text(POLICY)
    (place.parent / "link.tune").symlink_to("mine.tune")
    assert setpoint("check", "../link.tune", cwd=place).status == 0


def test_a_checkout_may_be_reached_through_a_link(place: Path) -> None:
    """The user's own link leads into the folder; the one of the checkout leads out of it."""
    (place.parent / "short").symlink_to(place)
    (place / "e.tune").symlink_to("/proc/self/environ")
    assert setpoint("check", "../short/policies/web.tune", cwd=place).status == 0
    assert setpoint("check", str(place.parent / "short/e.tune"), cwd=place).status == 4


def test_a_refusal_names_the_target(place: Path) -> None:
    (place / "e.tune").symlink_to("/proc/self/environ")
    ran = setpoint("check", "e.tune", cwd=place)
    assert ran.out.startswith(
        "error[E0603]: cannot follow `e.tune`: a link leads out of the folder, to `/proc/self/environ`\n"
        "help: if you trust it, name `/proc/self/environ` itself\n"
    )


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "github"])
def test_an_include_of_something_else_shows_nothing_of_it(place: Path, form: str) -> None:
    """In no form; without a link, only by its name."""
    (place / "web.tune").write_text(f'include ".npmrc"; {POLICY};')
    ran = setpoint("check", "web.tune", "--format", form, cwd=place)
    assert (ran.status, SECRET in ran.out + ran.err) == (1, False)
    assert "E0615" in ran.out


ENVIRONMENT, LATIN = b"TOKEN=npm_Abc123SECRET\0PATH=/bin\0", b"npm_Abc123SECRET \xff"


@pytest.mark.parametrize(
    ("name", "content"),
    [("e.tune", ENVIRONMENT), ("e.tune", LATIN), ("hosts.csv", ENVIRONMENT), ("facts.toml", ENVIRONMENT), ("facts.toml", LATIN),
     ("registry.json", ENVIRONMENT), ("registry.json", LATIN)],
)  # fmt: skip
def test_what_is_no_text_is_not_shown(place: Path, name: str, content: bytes) -> None:
    """NUL is UTF-8, but no text has it; a file with it is refused as one in another encoding is.

    A table in another encoding is read, with escapes for the bytes of names.
    """
    (place / name).write_bytes(content)
    words = {
        "e.tune": ["check", "e.tune"],
        "hosts.csv": ["check", "policies", "--inventory", "hosts.csv"],
        "facts.toml": ["check", "policies", "--inventory", "hosts.csv", "--facts", "facts.toml"],
        "registry.json": ["plan", "-e", POLICY, "--registry", "registry.json"],
    }[name]
    ran = setpoint(*words, cwd=place)
    assert (ran.status, SECRET in ran.out + ran.err) == (4, False)
    assert f"error[E0604]: `{name}` is not UTF-8 text" in ran.out + ran.err


def test_the_language_server_shows_nothing_either(place: Path) -> None:
    from setpoint.compiler.lsp.document import Document
    from setpoint.compiler.lsp.references import tune_files

    web = place / "policies/web.tune"
    (place / "policies/e.tune").symlink_to("../.npmrc")
    (place / "policies/o.tune").symlink_to("../../secret.tune")
    text = 'include "e.tune"; include "o.tune"; include "../.npmrc"; goal latency;'
    document = Document(str(web), {str(web): text})
    assert [each.code for each in document.findings] == ["E0603", "E0603", "E0603"]
    assert SECRET not in json.dumps(document.findings)
    assert list(tune_files([str(place)])) == [str(web)]


def the_file(place: Path) -> None:
    (place / "policies/web.tune").unlink()
    (place / "policies/web.tune").symlink_to("../../secret.tune")


def its_folder(place: Path) -> None:
    shutil.move(place / "policies", place / "old")
    (place / "policies").symlink_to("..")


@pytest.mark.parametrize("swap", [the_file, its_folder])
def test_what_becomes_a_link_after_it_was_looked_at_is_not_followed(
    place: Path, swap: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    (place.parent / "web.tune").write_text(TOKEN)
    looked = links.file_read

    def look_and_swap(path: str, within: str = "") -> str:
        found = looked(path, within)
        swap(place)
        return found

    monkeypatch.setattr("setpoint.compiler.files.reading.file_read", look_and_swap)
    with chdir(place), pytest.raises(OSError, match=r"policies/web\.tune"):
        read_text("policies/web.tune")


def test_a_text_from_the_shell_is_no_link(place: Path) -> None:
    for command in (
        "cat policies/web.tune | setpoint plan -",
        "setpoint plan /dev/stdin <policies/web.tune",
        "exec 3<policies/web.tune; setpoint check /dev/fd/3",
        "exec 3<policies/web.tune; setpoint check /proc/self/fd/3",
    ):
        ran = in_shell(command, place)
        assert ran.status == 0, ran.err
