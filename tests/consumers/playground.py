"""The playground as it is served: the built manual, with all that `docs/playground/assemble.py` puts into it.

What others made (Pyodide, wheels) is fetched by tests/install-consumers. The compiler's archives are kept beside it until the
compiler changes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from consumers.requirement import unmet
from support.command import ROOT
from support.vscode import node

ASSEMBLE = ROOT / "docs" / "playground" / "assemble.py"


def site(folder: Path) -> Path:
    """The built manual with a playground, in `folder`; skipped (failed in CI) if something for it is missing."""
    environment = {**os.environ, "PATH": f"{node().parent}{os.pathsep}{os.environ['PATH']}"}
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "setpoint-tests" / "playground"
    assemble = [sys.executable, str(ASSEMBLE), "--downloads", str(cache)]
    if subprocess.run([*assemble, "--check"], check=False).returncode:
        unmet(f"Pyodide is not in {cache} (tests/install-consumers)")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    for command in (build, [*assemble, str(folder / "playground")]):
        subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=300)
    return folder
