"""A connection that never comes about, as to a host that is down."""

from ansible.errors import AnsibleConnectionFailure
from ansible.plugins.connection.local import DOCUMENTATION as LOCAL
from ansible.plugins.connection.local import Connection as Local

DOCUMENTATION = LOCAL.replace("name: local", "name: broken")


class Connection(Local):  # type: ignore[misc]
    """One that fails with the words of ssh."""

    transport = "broken"

    def _connect(self) -> None:
        raise AnsibleConnectionFailure("Failed to connect to the host: No route to host")

    def exec_command(self, *arguments: object, **more: object) -> None:
        """Run nothing."""
        self._connect()

    def put_file(self, *arguments: object, **more: object) -> None:
        """Copy nothing."""
        self._connect()
