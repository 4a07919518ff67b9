"""The playground as it is served: its page of the manual, with all that `docs/playground/assemble.py` puts beside it.

What others made (Pyodide, wheels) is fetched by tests/install-consumers. The compiler's archives are kept beside it
until the compiler changes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from consumers.requirement import unmet
from support.command import ROOT
from support.limits import PATIENCE
from support.vscode import node

ASSEMBLE = ROOT / "docs" / "playground" / "assemble.py"


CONFIGURATION = f"""
INHERIT: {ROOT}/mkdocs.yml
docs_dir: {ROOT}/docs
theme: {{custom_dir: {ROOT}/docs/theme}}
hooks: [{ROOT}/docs/hooks/pages.py]
nav: [index.md, playground.md]
exclude_docs: |
  *.md
  !index.md
  !playground.md
  *.py
  *.mjs
  playground/editor/
  playground/package*.json
  theme/
  editors/
"""
"""Builds of the manual what the page needs: the rest takes a while, and tests/docs/test_site.py builds it."""


def site(folder: Path) -> Path:
    """The page as it is in the manual, and what it loads, in `folder`; skipped (failed in CI) if something for it is
    missing."""
    environment = {**os.environ, "PATH": f"{node().parent}{os.pathsep}{os.environ['PATH']}"}
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "setpoint-tests" / "playground"
    assemble = [sys.executable, str(ASSEMBLE), "--downloads", str(cache)]
    if subprocess.run([*assemble, "--check"], check=False).returncode:
        unmet(f"Pyodide is not in {cache} (tests/install-consumers)")
    configuration = folder / "mkdocs.yml"
    configuration.write_text(CONFIGURATION, encoding="utf-8")
    built = folder / "site"
    build = [
        *(sys.executable, "-m", "mkdocs", "build", "--quiet"),
        *("--config-file", str(configuration), "--site-dir", str(built)),
    ]
    for command in (build, [*assemble, str(built / "playground")]):
        subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=PATIENCE)
    return built
