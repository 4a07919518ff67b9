"""A connection to a `System`, as SSH to a server: what is run there finds the system's folders and programs
(`ansible_sandbox`).

The variable `stand_in_system` names the system's folder; what its programs need of the environment is in the file
`environment` of it, a line `NAME=VALUE` each.
"""

import shlex
from pathlib import Path
from typing import Any

from ansible.plugins.connection.local import DOCUMENTATION as LOCAL
from ansible.plugins.connection.local import Connection as Local

SANDBOX = Path(__file__).resolve().parents[1] / "ansible_sandbox"
OPTIONS = """options:
        system:
            description: The folder of the system.
            type: path
            required: true
            vars:
                - name: stand_in_system
"""
DOCUMENTATION = LOCAL.replace("name: local", "name: stand_in").replace("options:\n", OPTIONS, 1)


class Connection(Local):  # type: ignore[misc]
    """That of `local`, but for where a command runs."""

    transport = "stand_in"

    def exec_command(self, cmd: str, in_data: Any = None, sudoable: bool = True) -> Any:
        """Run a command in the system."""
        root = Path(self.get_option("system"))
        path = f"PATH={root}/programs:/usr/sbin:/usr/bin:/sbin:/bin"
        environment = (root / "environment").read_text(encoding="utf-8").splitlines()
        inside = ["env", path, *environment, "/bin/sh", "-c", cmd]
        command = shlex.join(["unshare", "--mount", str(SANDBOX), str(root), *inside])
        return super().exec_command(command, in_data=in_data, sudoable=sudoable)
