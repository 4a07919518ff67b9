"""Install what `pyproject.toml` asks for into the environment whose Python runs this: by uv, in seconds where pip takes
a minute.

    .venv/bin/python .ci/dependencies.py '.[dev]'

uv does not read the configuration of pip, by which sites name their mirror, certificate and proxy, so it is told what
pip has been told. Where pip has been told what uv does not know, where there is no uv for this machine, or where uv
fails, pip installs.
"""

import ast
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

VARIABLES = {
    "index-url": "UV_DEFAULT_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
    "default-timeout": "UV_HTTP_TIMEOUT",
    "timeout": "UV_HTTP_TIMEOUT",
    "no-cache-dir": "UV_NO_CACHE",
}
"""What pip can be told, and the variable by which uv is told the same."""

OF_PIP_ALONE = frozenset(
    ["disable-pip-version-check", "no-compile", "no-input", "progress-bar", "quiet", "root-user-action"]
)
"""What pip can be told that changes nothing about what is installed."""

SECTIONS = ("global", "install", ":env:")
"""Where `pip install` looks, the last word last."""

PIP = (sys.executable, "-m", "pip")
QUIETLY = ("install", "--quiet", "--disable-pip-version-check", "--no-compile")


def main(wanted: str) -> int:
    """Install a requirement, editable. The status is that of the program that did it."""
    listed = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=True).stdout
    told = variables(listed.splitlines())
    if told is not None and _is_done((*PIP, *QUIETLY, "--only-binary", ":all:", "uv>=0.5"), {}):
        uv = Path(sys.executable).with_name("uv")
        if _is_done(
            (uv, "pip", "install", "--quiet", "--python", sys.executable, "--editable", wanted), told
        ):
            return 0
    return subprocess.run((*PIP, *QUIETLY, "--editable", wanted)).returncode


def _is_done(command: tuple[str | Path, ...], told: Mapping[str, str]) -> bool:
    """Run a program that has been told something. Whether it succeeded."""
    return not subprocess.run(command, env={**os.environ, **told}).returncode


def variables(listed: Iterable[str]) -> Mapping[str, str] | None:
    """The environment of uv from the lines of `pip config list`; None where pip has been told what cannot be said to
    uv."""
    told: dict[str, dict[str, str]] = {section: {} for section in SECTIONS}
    for line in listed:
        key, _, value = line.partition("=")
        section, _, option = key.partition(".")
        if section not in told or option in OF_PIP_ALONE:
            continue
        if option not in VARIABLES:
            return None
        said = ast.literal_eval(value)
        told[section][VARIABLES[option]] = ",".join(said.split()) if option == "find-links" else said
    return {variable: value for section in SECTIONS for variable, value in told[section].items()}


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
