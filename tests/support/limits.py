"""How long a command of a test may take: in CPU time, which a busy machine does not change. The clock only ends what hangs."""

import resource

MOST_CPU = 300
"""The CPU time of one process, in seconds: several times that of a proof of the whole library."""

PATIENCE = 900
"""The time by the clock, in seconds."""


def limit_cpu() -> None:
    """Limit the process that calls this, and those that it starts, each by itself."""
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU, MOST_CPU))
