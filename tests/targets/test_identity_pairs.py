"""No artifact of one server accepts the product name of another: all pairs, in the shells and in the client of roles.

The program for hosts has one text that compares names, and the client another one. Each is asked about the names of all
servers.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from consumers.requirement import require
from setpoint.compiler.knowledge.model import Knowledge
from setpoint.compiler.knowledge.reported import OPEN, accepted_reports, is_product
from setpoint.compiler.lowering.target import emission_of
from setpoint.targets._client.identity import require_kind
from setpoint.targets._client.wire import StopError
from setpoint.targets._shared.identity import Check, Identification
from support.host import identity
from support.limits import PATIENCE
from support.plans import planned
from support.servers import server

GOES_ON = "SX"
"""What a server reports behind an open name."""


class Names(NamedTuple):
    """The names that each platform accepts, all names that servers report, and those of them that each platform should
    accept."""

    accepted: Mapping[str, tuple[str, ...]]
    reported: tuple[str, ...]
    right: Mapping[str, set[str]]


@pytest.fixture(scope="module")
def names(knowledge: Knowledge) -> Names:
    variable, values = knowledge.variables["platform"], knowledge.values["platform"]
    found = {name: accepted_reports(variable, values, name, "product").names for name in values}
    accepted = {name: each for name, each in found.items() if each}
    reported = {
        name: {printed for each in accepted[name] for printed in _reported_as(each)} for name in accepted
    }
    every = sorted({printed for each in reported.values() for printed in each})
    related = {
        name: {other for other in accepted if variable.below(name) & variable.below(other)}
        for name in accepted
    }
    right = {
        name: {
            printed
            for other in related[name]
            for printed in reported[other]
            if any(is_product(each, printed) for each in accepted[name])
        }
        for name in accepted
    }
    return Names(accepted, tuple(every), right)


def _reported_as(name: str) -> tuple[str, ...]:
    return (name.removesuffix(OPEN), name.removesuffix(OPEN) + GOES_ON) if name.endswith(OPEN) else (name,)


# ---------------------------------------------------------------------------------------------------------- the scripts

ASKED = """
while IFS= read -r printed; do
    printf '%s\\n' "$printed" >"$SETPOINT_ROOT/sys/class/dmi/id/product_name"
    if is_the_server >/dev/null 2>&1; then printf '%s\\n' "$printed"; fi
done
"""


@pytest.mark.parametrize("shell", ["dash", "bash", "busybox"])
def test_a_script_accepts_no_other_server(tmp_path: Path, shell: str, names: Names) -> None:
    root = server(tmp_path)
    command = [str(require(shell)), *(["sh"] if shell == "busybox" else []), "-c"]
    for platform, accepted in names.accepted.items():
        check = Check(
            kind="product", fact="platform", value=platform, verb="states", names=accepted, since=()
        )
        script = f"set -fu\n{identity(Identification(checks=(check,)))}{ASKED}"
        done = subprocess.run(
            [*command, script],
            env={"PATH": os.environ["PATH"], "SETPOINT_ROOT": str(root)},
            input="".join(f"{name}\n" for name in names.reported),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert set(done.stdout.splitlines()) == names.right[platform], platform


COMPARING = re.compile(r"^accepts\(\) \{.*?^\}\n\nmust_report\(\) \{.*?^\}\n", re.MULTILINE | re.DOTALL)
"""What compares names in a script."""

SCRIPTS = [
    ("kernel-args", "goal latency; platform r740; os rhel 8"),
    ("tuned", "goal latency; platform r740; os rhel 8"),
    ("systemd", "goal latency; platform r740; os debian 12; tuned unused"),
    ("racadm", "goal latency; platform r740; os rhel 8"),
    ("syscfg", "goal latency; cpu westmere; platform r710; workload comm-bound; os rhel 6.4"),
    ("ansible", "goal latency; platform r740; os rhel 8"),
]


@pytest.mark.parametrize(("target", "policy"), SCRIPTS)
def test_each_target_has_that_text(target: str, policy: str) -> None:
    (text,) = set(COMPARING.findall(identity(Identification(checks=()))))
    emission = emission_of(target, planned(policy))
    assert emission is not None
    comparing = [a.text for a in emission.artifacts if "must_report()" in a.text]
    assert comparing
    assert all(text in each for each in comparing)


# ------------------------------------------------------------------------------------------------------------- the role


def test_a_role_accepts_no_other_server(names: Names) -> None:
    """What the role's client compares with the model that a controller reports; on the host the role and the module
    run the script above."""
    found = {
        platform: {product for product in names.reported if _accepts(accepted, product)}
        for platform, accepted in names.accepted.items()
    }
    assert found == names.right


def _accepts(accepted: Sequence[str], product: str) -> bool:
    wanted = {"accepted": accepted, "fact": "platform", "value": "x", "verb": "states"}
    try:
        require_kind({"Model": product}, {"product": wanted}, "Nothing was changed")
    except StopError:
        return False
    return True
