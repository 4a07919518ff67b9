"""The real Puppet: its parser, its linter, its compiler and rspec-puppet, on folders of modules.

A start of Puppet takes seconds. So one call looks at many modules, and the compiler of all `Compiler`s stays: what it
answers is the catalog that a server would send to its agent. `applying` stays, too: it forks for each run.
"""

from __future__ import annotations

import atexit
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from consumers.answering import Answering
from consumers.requirement import require
from support.limits import PATIENCE

HERE = Path(__file__).resolve().parent
COMPILER = HERE / "puppet_compiler.rb"
SERVER = HERE / "puppet_server.rb"
PATH = "/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"


class CompileError(AssertionError):
    """Puppet refused to compile: its message."""


class Ran(NamedTuple):
    """What a program did: exit status, and what it said on both streams."""

    status: int
    said: str


KERNELS = {"5": "2.6.18", "6": "2.6.32", "7": "3.10.0", "8": "4.18.0", "9": "5.14.0"}
"""The kernels of Enterprise Linux, by its release."""


def system(
    family: str, release: str, product: str = "PowerEdge R710", sockets: int = 2, system: str = "Linux"
) -> dict[str, Any]:
    """The facts of a server, as far as the modules ask for them."""
    return {
        "os": {"family": family, "name": family, "release": {"major": release}},
        "dmi": {"product": {"name": product}},
        "processors": {"physicalcount": sockets},
        "kernel": system,
        "kernelrelease": f"{KERNELS.get(release, '6.1.0')}-1.x86_64",
    }


class Catalog:
    """A compiled catalog.

    Attributes:
        resources: The parameters of each resource, by its reference (`File[/etc/motd]`).
        edges: What Puppet was told of order and containment, as pairs of references.
        warnings: What the manifest warned of.
        document: The whole, as JSON data.
    """

    def __init__(self, document: dict[str, Any], warnings: tuple[str, ...] = ()) -> None:
        self.document = document
        self.warnings = warnings
        self.resources: dict[str, dict[str, Any]] = {
            f"{r['type']}[{r['title']}]": r.get("parameters", {}) for r in document["resources"]
        }
        self.edges = {(edge["source"], edge["target"]) for edge in document["edges"]}

    def of(self, kind: str) -> dict[str, dict[str, Any]]:
        """The resources of one type, by their titles."""
        prefix = f"{kind}["
        return {k[len(prefix) : -1]: v for k, v in self.resources.items() if k.startswith(prefix)}


def _command(program: Path, *arguments: str) -> list[str]:
    """What runs a program in Ruby with Puppet's libraries."""
    require("puppet")
    return [str(require("ruby")), str(program), *arguments]


class Compiler:
    """Puppet's compiler, which finds modules in `modules`."""

    def __init__(self, modules: Path) -> None:
        self._modules = modules
        self._program = compiling()

    def compile(self, code: str, facts: Mapping[str, Any]) -> Catalog:
        """The catalog of a manifest. Raises CompileError with Puppet's message where it refuses."""
        answer = self._program.ask({"modulepath": str(self._modules), "code": code, "facts": facts})
        if "error" in answer:
            raise CompileError(answer["error"])
        return Catalog(answer["catalog"], tuple(answer["warnings"]))


@cache
def compiling() -> Answering:
    """What compiles, each time in an environment of its own (puppet_compiler.rb), until this process ends."""
    folder = tempfile.TemporaryDirectory(prefix="puppet-compiler-")
    program = Answering(_command(COMPILER, folder.name))
    atexit.register(folder.cleanup)
    atexit.register(program.close)
    return program


@cache
def applying() -> Answering:
    """What runs Puppet on systems made of files without loading it each time (puppet_server.rb), until this process
    ends."""
    server = Answering(_command(SERVER), {"PATH": PATH, "LC_ALL": "C.UTF-8", "HOME": "/root"})
    atexit.register(server.close)
    return server


def run(tool: str, *arguments: str | Path, cwd: Path | None = None) -> Ran:
    """Run a program of Puppet's."""
    done = subprocess.run(
        [str(require(tool)), *map(str, arguments)],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return Ran(done.returncode, done.stdout + done.stderr)


def of_modules(modules: Path, pattern: str) -> Iterable[Path]:
    """The files of all modules that match, in order: `manifests/*.pp`."""
    return sorted(modules.glob(f"*/{pattern}"))
