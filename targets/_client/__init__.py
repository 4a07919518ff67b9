"""The client for controllers: one program of one file, of the standard library alone, the same bytes in every bundle.

    wire      one connection; readings that are repeated; what a service says, in words
    server    where the links of a service lead; its jobs, and its restarts
    journal   what a server had before, and what was staged
    state     what a server has beside what its plan wants
    identity  whether it is the right server
    fleet     which servers the hosts of a play are
    proof     what proves that it restarted
    run       staging, restart, way back
    once      actions that a restart performs once
    program   what the client is given, and what it answers
    plan_files  the data of a plan, from the files of a bundle
    command   the client for somebody who has only a bundle

It is written in these modules, and `client` joins them. What differs between policies is data, which it is given (`Wanted`).
"""

import ast
import os
import re
from functools import cache

import setpoint.targets._client as package
from setpoint.compiler.lowering.target import Artifact
from setpoint.targets._shared.data import folder

PARTS = (
    "wire",
    "server",
    "journal",
    "state",
    "identity",
    "fleet",
    "proof",
    "run",
    "once",
    "program",
    "plan_files",
    "command",
)
"""The modules in the order of the file: each needs those before it alone."""

NAME = "setpoint_bmc"
"""What the file is called, and the action plugin of a role that runs it."""

PATH = f"redfish/{NAME}.py"
"""The path of the file in a bundle."""

HEAD = '''#!/usr/bin/python3
"""Set the BIOS of a server through its controller's Redfish service (DSP0266): compare, stage, restart, prove, put back.

This is the same program in every bundle, of the standard library alone. `--help` says how it is used by hand; roles of Ansible load it.
"""

from __future__ import annotations
'''


TOP = re.compile(r'"""(.*?)"""\n((?:\n|import [^\n]*\n|from [^\n(]*(?:\([^)]*\))?\n)*)', re.DOTALL)
"""A module's essay and imports. The rest is only copied: to parse it would take a sixth of what a bundle takes."""

VERSION = re.compile(r'^VERSION = "([^"]+)"$', re.MULTILINE)
"""The line that states the version of what the program is given and answers. To import it would load all that it needs for controllers."""


@cache
def client() -> Artifact:
    """The program, as the one file that a bundle has."""
    text = _joined()
    (version,) = VERSION.findall(text)
    return Artifact(PATH, text, 0o755, version)


def _joined() -> str:
    imports: dict[str, set[str]] = {}
    bodies = []
    for part in PARTS:
        with open(os.path.join(folder(package), f"{part}.py"), encoding="utf-8") as file:
            text = file.read()
        top = TOP.match(text)
        assert top is not None, part
        for node in ast.parse(top[2]).body:
            assert isinstance(node, ast.Import | ast.ImportFrom)
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            if not module.startswith((__name__, "__future__")):
                imports.setdefault(module, set()).update(alias.name for alias in node.names)
        heading = "\n".join(f"# {line}".rstrip() for line in top[1].strip().splitlines())
        bodies.append(f"\n# {'-' * 100} {part}\n{heading}\n\n\n{text[top.end() :].strip()}")
    plain = [f"import {name}" for name in sorted(imports.pop("", ()))]
    plain += [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(imports.items())]
    return "\n\n".join([HEAD.rstrip(), "\n".join(plain), *bodies]) + "\n"
