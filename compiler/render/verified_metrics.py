"""What a verification found, as metrics in Prometheus's text format, which the textfile collector of its node exporter
reads.

A metric that is gone looks like one that nobody measures, so each server has a number for each state, 0 too. What is
not as planned is named besides, setting by setting.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from setpoint.compiler.render.visible import visible
from setpoint.compiler.verification.grouped import Verification
from setpoint.compiler.verification.model import DIFFERENCES, MEANINGS

SETTINGS = "setpoint_verify_settings"
DIFFERING = "setpoint_verify_setting_differs"
REFUSED = "setpoint_verify_capture_refused"


def verified_metrics(verification: Verification, refused: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The metrics, line by line; `refused` are the captures that were not compared, each with the reason."""
    states: Counter[tuple[str, str]] = Counter()
    for cause in verification.causes:
        states.update((host, cause.verdict.state) for host in cause.hosts)
    yield from _head(SETTINGS, "Settings of the plan of a server, by verdict.")
    for host, policy in verification.hosts.items():
        for state in MEANINGS:
            yield _sample(SETTINGS, states[host, state], host=host, policy=policy, state=state)
    yield from _head(DIFFERING, "Settings that are not as planned.")
    for cause in verification.causes:
        verdict = cause.verdict
        for host in cause.hosts if verdict.state in DIFFERENCES else ():
            yield _sample(
                DIFFERING, 1, host=host, policy=cause.policy, setting=verdict.setting, state=verdict.state
            )
    yield from _head(REFUSED, "Captures that were compared with no plan.")
    for host, _ in refused:
        yield _sample(REFUSED, 1, host=host)


def _head(name: str, help_: str) -> Iterator[str]:
    yield f"# HELP {name} {help_}\n# TYPE {name} gauge\n"


def _sample(name: str, value: int, **labels: str) -> str:
    pairs = ",".join(f'{label}="{_escaped(visible(text))}"' for label, text in labels.items())
    return f"{name}{{{pairs}}} {value}\n"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
