"""Run by warm.mjs, within Pyodide: compile the modules, make the caches, and put everything into two archives.

The archives have the compiled modules alone: half as many files to load and to unpack.
"""

import io
import json
import os
import py_compile
import sys
import tarfile

APP, SITE = "/app", "/app/site"

ONLY_FOR_ARTIFACTS = (
    "pydantic",
    "typing_extensions",
    "typing_inspection",
    "annotated_types",
)
"""How the names of what only artifacts need begin."""

EXAMPLE = {"policy.tune": "goal latency; platform r750; os rhel 9;"}

WITH_SOURCE = tuple(
    f"{SITE}/{kept}"
    for kept in (
        "lark/__init__.py",
        "setpoint/targets/_client/",
        "setpoint/targets/ansible/action_plugins/",
        "setpoint/targets/ansible/module_utils/",
    )
)
"""How the paths begin of what keeps its text: the compiler reads the release of lark there, and the others are put into
bundles."""


def compile_modules() -> None:
    """Replace the modules by what they compile to, as old as the archives will say, since the caches depend on that."""
    checked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    for place, _, names in os.walk(SITE):
        for path in (os.path.join(place, name) for name in names if name.endswith(".py")):
            is_kept = path.startswith(WITH_SOURCE)
            compiled = py_compile.compile(
                path, None if is_kept else f"{path}c", doraise=True, invalidation_mode=checked
            )
            assert compiled is not None
            os.utime(compiled, (0, 0))
            if not is_kept:
                os.remove(path)


compile_modules()
sys.path.insert(0, SITE)

from setpoint.compiler.knowledge.load import trees  # noqa: E402 - only now is it there
from setpoint.compiler.playground.answers import Playground  # noqa: E402
from setpoint.compiler.render.compiled import keep_changed  # noqa: E402

playground = Playground()
for ask in ("plans", "artifacts"):
    answer = json.loads(playground.answer(json.dumps({"ask": ask, "files": EXAMPLE, "today": "2026-01-01"})))
    if not (answer.get("html") or answer.get("files")):
        sys.exit(f"{ask}: the compiler does not answer in Pyodide: {answer}")
trees()
keep_changed()

with (
    tarfile.open("/tmp/plans.tar", "w", format=tarfile.PAX_FORMAT) as plans,
    tarfile.open("/tmp/libraries.tar", "w", format=tarfile.PAX_FORMAT) as libraries,
):
    for place, folders, names in os.walk(APP):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                content = file.read()
            entry = tarfile.TarInfo(path.lstrip("/"))
            entry.size, entry.mode = len(content), 0o600 if "/.cache/" in path else 0o644
            is_late = path.removeprefix(f"{SITE}/").startswith(ONLY_FOR_ARTIFACTS)
            (libraries if is_late else plans).addfile(entry, io.BytesIO(content))
