"""What the wheel brings along of what every first command would otherwise have to make: the library, its trees and the
grammar's tables.

An editable installation has nothing of this: its files change.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CODE = """
import sys, types
package = sys.modules["setpoint"] = types.ModuleType("setpoint")
package.__path__ = [sys.argv[1]]
from setpoint.compiler.knowledge.load import ship_made
ship_made(sys.argv[2])
"""
"""Makes all of it from the source of the package, into a folder."""

ALWAYS_THE_SAME = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
"""The order of Python's sets depends on a number that each process draws, and which equal texts are one depends on
whether modules are read as byte code: so the number is fixed, and a folder for byte code is named that is never
there."""


class Made(BuildHookInterface):  # type: ignore[type-arg]  # it has no configuration of its own
    """Adds it to a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the files, and name their places in the wheel."""
        self._folder = tempfile.mkdtemp()
        if version == "editable":
            return
        env = {**os.environ, **ALWAYS_THE_SAME, "PYTHONPYCACHEPREFIX": os.path.join(self._folder, "none")}
        subprocess.run([sys.executable, "-c", CODE, self.root, self._folder], env=env, check=True)
        places = {os.path.join(self._folder, name): name for name in os.listdir(self._folder)}
        build_data["force_include"] |= {
            file: f"setpoint/compiler/files/made/{name}" for file, name in places.items()
        }

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete them."""
        shutil.rmtree(self._folder)
