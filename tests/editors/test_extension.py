"""The extension of Visual Studio Code: its package, and what it does with the client library of the editor and the real
server.

The editor itself is too large to be installed for tests. `stand_in.js` takes its place, and `session.js` runs in
either.
"""

import json
import sys
import tomllib
from pathlib import Path

import pytest

from setpoint.compiler.lsp.server import SHOW_CHANGES
from support import vscode
from support.command import ROOT

HERE = Path(__file__).parent

PACKED = """
    [Content_Types].xml
    extension.vsixmanifest
    extension/LICENSE.txt
    extension/dist/NOTICES.txt
    extension/dist/extension.js
    extension/language-configuration.json
    extension/package.json
    extension/readme.md
    extension/snippets/tune.json
    extension/syntaxes/tune.tmLanguage.json
"""
MANIFEST = json.loads((vscode.EXTENSION / "package.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> vscode.Package:
    return vscode.package(tmp_path_factory.mktemp("checkout"))


def test_the_package_has_what_it_should_and_nothing_else(package: vscode.Package) -> None:
    assert package.names == {line.strip() for line in PACKED.strip().splitlines()}
    assert "WARNING" not in package.said
    assert (package.folder / "LICENSE.txt").read_text(encoding="utf-8") == (ROOT / "LICENSE").read_text(
        encoding="utf-8"
    )
    notices = (package.folder / "dist/NOTICES.txt").read_text(encoding="utf-8")
    assert "vscode-languageclient 11.0.0 (MIT)\n\nCopyright (c) Microsoft Corporation" in notices


def test_types_are_right(tmp_path: Path) -> None:
    done = vscode.run(
        vscode.modules() / "typescript/bin/tsc", "-p", "jsconfig.json", cwd=vscode.copy(tmp_path)
    )
    assert done.returncode == 0, done.stdout


def test_it_has_the_version_of_setpoint() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (MANIFEST["version"], MANIFEST["license"]) == (project["version"], project["license"])


def test_releases_are_fixed_and_name_no_registry() -> None:
    for dependencies in (MANIFEST["dependencies"], MANIFEST["devDependencies"]):
        assert all(release[0].isdigit() for release in dependencies.values())
    lock = json.loads((vscode.EXTENSION / "package-lock.json").read_text(encoding="utf-8"))
    assert not [name for name, each in lock["packages"].items() if "resolved" in each]


def test_no_command_has_the_name_of_one_of_the_server() -> None:
    """The client library registers those of the server, and a name can be registered once."""
    assert SHOW_CHANGES not in {each["command"] for each in MANIFEST["contributes"]["commands"]}


def test_it_does_what_it_should_with_the_client_library_and_the_server(
    package: vscode.Package, tmp_path: Path
) -> None:
    program = tmp_path / "setpoint"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m setpoint.compiler "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    folder = tmp_path / "folder"
    folder.mkdir()
    env = {"PYTHONPATH": str(ROOT / ".dev")}
    done = vscode.run(HERE / "client.js", package.folder, folder, program, cwd=folder, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
