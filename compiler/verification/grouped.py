"""The verdicts on many servers, by cause: the same verdict with the same readings is said once, with the servers that
have it.

Servers are added one after the other, so that a fleet needs the memory of its causes, not of its servers.
"""

from collections import Counter
from collections.abc import Mapping

from setpoint.compiler.record import NamedTuple
from setpoint.compiler.verification.model import (
    DIFFERENCES,
    MEANINGS,
    UNDECIDED,
    HostVerdicts,
    SettingVerdict,
)

DIFFERS_STATUS, UNDECIDED_STATUS = 3, 4
"""The exit status if something is not as planned; else if something could not be decided."""


class VerdictCause(NamedTuple):
    """A verdict of a policy, and the servers that have it, in their order."""

    policy: str
    verdict: SettingVerdict
    hosts: tuple[str, ...]


class Verification(NamedTuple):
    """The verdicts on all servers.

    `hosts` has the policy of each server that was compared. `causes` are in the order of `MEANINGS`, those of most
    servers first, and `notes` has each note with its servers.
    """

    hosts: Mapping[str, str]
    causes: tuple[VerdictCause, ...]
    notes: Mapping[str, tuple[str, ...]]

    @property
    def counts(self) -> Mapping[str, int]:
        """How many settings of servers have each state."""
        counted: Counter[str] = Counter()
        for cause in self.causes:
            counted[cause.verdict.state] += len(cause.hosts)
        return {state: counted[state] for state in MEANINGS if counted[state]}

    @property
    def status(self) -> int:
        """The exit status: 0 if all is as planned."""
        counts = self.counts
        if any(state in DIFFERENCES for state in counts):
            return DIFFERS_STATUS
        return UNDECIDED_STATUS if any(state in UNDECIDED for state in counts) else 0


class Grouping:
    """Takes the verdicts on one server after the other."""

    def __init__(self) -> None:
        self._hosts: dict[str, str] = {}
        self._causes: dict[tuple[str, SettingVerdict], list[str]] = {}
        self._notes: dict[str, list[str]] = {}

    def add(self, server: HostVerdicts) -> None:
        """Add the verdicts on a server."""
        self._hosts[server.host] = server.policy
        for verdict in server.verdicts:
            self._causes.setdefault((server.policy, verdict), []).append(server.host)
        for note in server.notes:
            self._notes.setdefault(note, []).append(server.host)

    def verification(self) -> Verification:
        """All verdicts."""
        order = list(MEANINGS)
        causes = [
            VerdictCause(policy, verdict, tuple(hosts)) for (policy, verdict), hosts in self._causes.items()
        ]
        causes.sort(key=lambda cause: (order.index(cause.verdict.state), -len(cause.hosts)))
        return Verification(
            self._hosts, tuple(causes), {note: tuple(hosts) for note, hosts in self._notes.items()}
        )
