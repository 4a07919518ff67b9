"""`setpoint new`: a folder to keep policies in, with what a repository of them needs.

The files are in `files`, as they will be; those whose names begin with a dot have other names there, so that no tool
takes them for its own.
"""

import json
import os
import sys

from setpoint.compiler.cli import OK
from setpoint.compiler.cli.arguments import Options, argument
from setpoint.compiler.cli.common import verb
from setpoint.compiler.diagnostics import SetpointError
from setpoint.compiler.files.reading import read_text
from setpoint.compiler.files.writing import write_text
from setpoint.compiler.lowering.bundle import replace_folder
from setpoint.compiler.render.visible import visible

FILES = {
    "README.md": "README.md",
    "servers.tune": "servers.tune",
    "hosts.csv": "hosts.csv",
    "site/knowledge.tune": "site/knowledge.tune",
    ".github/workflows/policies.yml": "github.yml",
    ".gitlab-ci.yml": "gitlab.yml",
    ".pre-commit-config.yaml": "pre-commit.yml",
    "CODEOWNERS": "CODEOWNERS",
    ".gitignore": "gitignore",
}
"""The files of the new folder, each with the name that it has here."""

INSTALL = "{install}"
"""Where the pipelines have what Setpoint is installed from."""


@verb(
    "new",
    "Make a folder for policies: an example of a policy, a place for your own knowledge, pipelines for GitHub and GitLab, hooks, "
    "and a README about the day's work.",
    "new policies --install git+https://git.example.org/tuning/setpoint@v1",
    {
        "folder DIR": "the folder, which must not exist or be empty",
        "--install FROM": argument(
            "what the pipelines install Setpoint from, as pip takes it: git+https://…@TAG, or the path of a wheel in the folder "
            "(default: the tag of this release, if it names its repository; else to be filled in)",
            default=None,
        ),
    },
)
def run(options: Options) -> int:
    """Make the folder, completely or not at all; exit 4 if it has something in it, or cannot be written."""
    folder = options.folder
    if os.path.lexists(folder) and not (os.path.isdir(folder) and not os.listdir(folder)):
        message = f"`{folder}` has something in it already"
        help_ = "name a folder that does not exist, or is empty"
        raise SetpointError.of("E0605", message, help=(help_,))
    install = this_release() if options.install is None else options.install
    replace_folder(folder, lambda place: _fill(place, install))
    sys.stdout.write(f"{visible(folder)}: {len(FILES)} files; README.md says how to go on\n")
    if not install:
        sys.stdout.write(
            "state as SETPOINT in the pipelines what Setpoint is installed from; they fail until then\n"
        )
    return OK


def this_release() -> str:
    """The tag of this release as pip takes it; "" if the package names no repository, as in a checkout."""
    from importlib.metadata import metadata

    stated = metadata("setpoint")
    urls = dict(entry.split(", ", 1) for entry in stated.get_all("Project-URL") or ())
    return f"git+{urls['Repository']}@v{stated['Version']}" if "Repository" in urls else ""


def _fill(folder: str, install: str) -> None:
    for name, here in FILES.items():
        path = os.path.join(folder, *name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        text = read_text(os.path.join(os.path.dirname(__file__), "files", *here.split("/")))
        if here.endswith(".yml"):  # in YAML as in JSON, a text in double quotes
            text = text.replace(INSTALL, json.dumps(install))
        write_text(path, text)
