"""A connection to this machine that `ansible.builtin.reboot` restarts through: over `local` it refuses to.

Only for a `System`, whose `shutdown` is a stand-in (`ansible_sandbox`).
"""

from ansible.plugins.connection.local import DOCUMENTATION as LOCAL
from ansible.plugins.connection.local import Connection as Local

DOCUMENTATION = LOCAL.replace("name: local", "name: restartable")


class Connection(Local):  # type: ignore[misc]
    """That of `local`, under a name of its own."""

    transport = "restartable"
