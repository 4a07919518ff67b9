"""Network cards: what the real tuned makes of a profile with values for them, what a verification says of cards that
lack a parameter, and the way back. A stand-in for ethtool has two cards; `tests/rollouts/test_network_cards_boot.py`
has real ones.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from consumers.requirement import require
from consumers.tuned_lint import require_tuned
from consumers.tuned_machine import SKYLAKE, build
from consumers.tuned_run import session
from setpoint.compiler.lowering.target import Emission
from setpoint.targets.systemd import TARGET as SYSTEMD
from setpoint.targets.tuned import TARGET as TUNED
from support.host import with_profile, words_of
from support.plans import HOSTILE, because, planned
from support.shell import code, shellcheck

CARDS = "".join(
    f'set {value} because "a test";'
    for value in (
        "adaptive-rx-coalescing off",
        "adaptive-tx-coalescing off",
        "rx-interrupt-delay 0us",
        "tx-interrupt-delay 8us",
        "rx-ring-size 4096",
        "tx-ring-size 2048",
        "network-queues 4",
    )
)
PLAN = planned(f"goal latency; cpu skylake; os debian 12; {CARDS}")
WITHOUT_TUNED = planned(f"goal latency; cpu skylake; os debian 12; tuned unused; {CARDS}")
WITHOUT = planned("goal latency; cpu skylake; os debian 12")
FIRST: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "eth0": {
        "coalesce": {"adaptive-rx": "on", "adaptive-tx": "on", "rx-usecs": "50", "tx-usecs": "50"},
        "ring": {"rx": "512", "tx": "512"},
        "channels": {"combined": "32"},
    },
    "eth1": {"coalesce": {"rx-usecs": "3"}, "ring": {"rx": "256", "tx": "256"}},
}
SET: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "eth0": {
        "coalesce": {"adaptive-rx": "off", "adaptive-tx": "off", "rx-usecs": "0", "tx-usecs": "8"},
        "ring": {"rx": "4096", "tx": "2048"},
        "channels": {"combined": "4"},
    },
    "eth1": {"coalesce": {"rx-usecs": "0"}, "ring": {"rx": "4096", "tx": "2048"}},
}
OURS = "setpoint-policy"
IGNORED = "product processor sockets system distribution kernel"
SESSION = """
export SETPOINT_IGNORE="product processor sockets system distribution kernel"
cards() { cat /fake/cards/*/* | tr '\\n' ' '; echo; }
sh /fake/bundle/host/setpoint-host verify /fake/bundle/tuned/tuned.plan >/dev/null; echo "verify $?"
sh /fake/bundle/host/setpoint-host apply /fake/bundle/tuned/tuned.plan >/dev/null; echo "apply $?"; cards
sh /fake/bundle/host/setpoint-host apply /fake/bundle/tuned/tuned.plan
tuned-adm verify >/dev/null
sh /fake/bundle/host/setpoint-host verify /fake/bundle/tuned/tuned.plan --json; echo
sed -i 's/^rx-usecs 0/rx-usecs 9/' /fake/cards/eth0/coalesce
tuned-adm verify >/dev/null
tuned-adm off; cards
sh /fake/bundle/host/setpoint-host apply /fake/bundle/tuned/tuned.plan >/dev/null; cards
sh /fake/other/host/setpoint-host apply /fake/other/tuned/tuned.plan >/dev/null; echo "other $?"; cards
sh /fake/other/host/setpoint-host undo /fake/other/tuned/tuned.plan >/dev/null; echo "rollback $?"; cards
sh /fake/bundle/host/setpoint-host undo /fake/bundle/tuned/tuned.plan --all >/dev/null; echo "rollback $?"; cards
ls /etc/tuned | grep setpoint
"""


def put(emission: Emission, folder: Path) -> None:
    """The artifacts in a folder."""
    for artifact in with_profile(emission.artifacts):
        place = folder / artifact.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(artifact.text, encoding="utf-8")
        place.chmod(artifact.mode)


def with_cards(root: Path) -> None:
    """Give a machine of files two network cards, and a device without one."""
    shutil.copy(Path(__file__).parents[1] / "consumers/ethtool_stand_in", root / "fake/bin/ethtool")
    for card, kinds in FIRST.items():
        (root / f"sys/class/net/{card}/device").mkdir(parents=True)
        for kind, values in kinds.items():
            path = root / f"fake/cards/{card}/{kind}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(lines(values), encoding="utf-8")
    (root / "sys/class/net/br0").mkdir()


def lines(values: Mapping[str, str]) -> str:
    """Parameters as the stand-in keeps them."""
    return "".join(f"{name} {text}\n" for name, text in values.items())


def shown(cards: Mapping[str, Mapping[str, Mapping[str, str]]]) -> str:
    """The line that the session prints of them."""
    files = {(card, kind): lines(values) for card, kinds in cards.items() for kind, values in kinds.items()}
    return "".join(files[key] for key in sorted(files)).replace("\n", " ").rstrip()


def test_tuned_sets_cards_and_puts_them_back(tmp_path: Path) -> None:
    root = tmp_path / "root"
    build(root, SKYLAKE)
    with_cards(root)
    put(TUNED.emit(PLAN), root / "fake/bundle")
    put(TUNED.emit(WITHOUT), root / "fake/other")
    done = session(root, SESSION)
    first, _, rest = done.stdout.partition('{"schema"')
    assert [line.rstrip() for line in first.splitlines()] == [
        "verify 3",
        "apply 0",
        shown(SET),
        "nothing to change",
    ], done
    document, end = json.JSONDecoder().raw_decode('{"schema"' + rest)
    results = {each["setting"]: (each["state"], each["reason"]) for each in document["results"]}
    assert results["rx-ring-size"] == ("ok", "")
    assert results["adaptive-rx-coalescing"] == ("ok", "without `coalesce adaptive-rx`: eth1")
    assert results["network-queues"] == ("ok", "without `channels combined`: eth1")
    assert [line.rstrip() for line in ('{"schema"' + rest)[end:].splitlines() if line.strip()] == [
        shown(FIRST),
        shown(SET),
        "other 0",
        shown(FIRST),
        "rollback 0",
        shown(SET),
        "rollback 0",
        shown(FIRST),
    ], done
    log = (root / "var/log/tuned/session.log").read_text(encoding="utf-8")
    said = re.findall(r"INFO +tuned.plugins.plugin_script: verify: .*|script '.*' error output: .*", log)
    script = "/etc/tuned/setpoint-policy/network-cards.sh"
    assert said == [
        f"INFO     tuned.plugins.plugin_script: verify: passed: '['{script}']'",
        *[f"script '{script}' error output: 'eth0 has 9 for coalesce rx-usecs, wanted 0'"] * 2,
    ]


PROBE = """
from tuned.plugins.plugin_net import NetTuningPlugin
from tuned.utils.commands import commands
net = NetTuningPlugin.__new__(NetTuningPlugin)
net._cmd = commands()
print(net._get_device_parameters("coalesce", "eth0"))
"""


@pytest.mark.parametrize(("former", "answer"), [("1", "'rx-usecs': '50'"), ("", "None")])
def test_tuneds_own_section_cannot_read_what_ethtool_prints(cards: Path, former: str, answer: str) -> None:
    """Why a profile has a script: tuned 2.20, that of Debian 12, reads what ethtool printed before 5.15, and nothing of
    later ones."""
    require_tuned()
    done = subprocess.run(
        ["/usr/bin/python3", "-c", PROBE],
        env={
            "PATH": f"{cards}/fake/bin:/usr/bin:/bin",
            "SETPOINT_ROOT": str(cards),
            "FORMER_ETHTOOL": former,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer in done.stdout
    assert ("unknown coalesce parameter(s): {'CQE mode RX'}" in done.stdout + done.stderr) is (not former)


@pytest.fixture
def cards(tmp_path: Path) -> Path:
    """A machine of files with two cards, and the script of the profile as `script`."""
    root = tmp_path / "root"
    (root / "fake/bin").mkdir(parents=True)
    with_cards(root)
    put(TUNED.emit(PLAN), tmp_path)
    return root


def call(root: Path, order: str, shell: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Call the script of the profile."""
    script = root.parent / "tuned" / OURS / "network-cards.sh"
    path = f"{root}/fake/bin:/usr/bin:/bin"
    return subprocess.run(
        [*shell.split(), str(script), *order.split()],
        env={"PATH": path, "SETPOINT_ROOT": str(root), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def state(root: Path) -> dict[str, dict[str, dict[str, str]]]:
    """What the cards have."""
    return {
        card: {
            kind: dict(
                line.split(" ") for line in (root / f"fake/cards/{card}/{kind}").read_text().splitlines()
            )
            for kind in kinds
        }
        for card, kinds in FIRST.items()
    }


@pytest.mark.parametrize(
    ("shell", "former"),
    [
        ("dash", ""),
        ("bash", "1"),
        ("busybox sh", ""),
        *(
            pytest.param(*each, marks=pytest.mark.repeated)
            for each in (("dash", "1"), ("bash", ""), ("busybox sh", "1"))
        ),
    ],
)
def test_the_script_keeps_what_it_found_first(cards: Path, shell: str, former: str) -> None:
    require(shell.split()[0])
    environment = {"FORMER_ETHTOOL": former}
    assert call(cards, "verify", shell, **environment).returncode == 1
    for _ in range(2):
        assert call(cards, "start", shell, **environment).returncode == 0
        assert state(cards) == SET
    assert call(cards, "verify", shell, **environment).returncode == 0
    assert call(cards, "stop full_rollback", shell, **environment).returncode == 0
    assert state(cards) == FIRST
    assert call(cards, "stop", shell, **environment).returncode == 0


def test_delays_are_set_after_adaptation_ends_and_put_back_before_it_begins(cards: Path) -> None:
    call(cards, "start", "dash")
    call(cards, "stop", "dash")
    calls = [line.split() for line in (cards / "fake/calls").read_text().splitlines()]
    asked = [name for card, name, _ in calls if card == "eth0"]
    assert asked[:4] == ["combined", "adaptive-rx", "adaptive-tx", "rx-usecs"]
    back = [name for card, name, _ in calls[len(calls) // 2 :] if card == "eth0"]
    assert back[-4:] == ["rx-usecs", "adaptive-tx", "adaptive-rx", "combined"]


def test_a_card_that_refuses_a_value_keeps_it_and_the_others_get_theirs(cards: Path) -> None:
    (cards / "fake/cards/eth1/ring").chmod(0o444)
    stand_in = cards / "fake/bin/ethtool"
    refusing = stand_in.read_text().replace(
        "set -eu\n", 'set -eu\ncase "$1 $2" in "-G eth1") exit 1 ;; esac\n', 1
    )
    stand_in.write_text(refusing)
    done = call(cards, "start", "dash")
    assert done.returncode == 1
    assert "eth1 does not take 4096 for ring rx" in done.stderr
    assert state(cards)["eth0"] == SET["eth0"]
    assert state(cards)["eth1"]["ring"] == FIRST["eth1"]["ring"]


def test_a_card_that_is_gone_is_not_put_back(cards: Path) -> None:
    call(cards, "start", "dash")
    shutil.rmtree(cards / "sys/class/net/eth1")
    assert call(cards, "stop", "dash").returncode == 0
    assert state(cards) == {"eth0": FIRST["eth0"], "eth1": SET["eth1"]}


def test_without_ethtool_a_verification_says_so(tmp_path: Path) -> None:
    root = tmp_path / "root"
    build(root, SKYLAKE)
    with_cards(root)
    (root / "fake/bin/ethtool").unlink()
    put(TUNED.emit(PLAN), tmp_path)
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ["awk", "od", "tr", "cat", "cksum", "cut", "sed", "uname", "tail", "cmp", "grep"]:
        (tools / name).symlink_to(require(name))
    (tools / "tuned-adm").symlink_to("/bin/true")
    found = []
    for script in (tmp_path / "host/setpoint-host", tmp_path / f"tuned/{OURS}/network-cards.sh"):
        text = script.read_text(encoding="utf-8")
        assert "PATH=$PATH:/sbin:/usr/sbin" in text
        script.write_text(text.replace("PATH=$PATH:/sbin:/usr/sbin", ""), encoding="utf-8")
        found.append(
            subprocess.run(
                [
                    "/bin/dash",
                    str(script),
                    "verify",
                    *(
                        [str(tmp_path / "tuned/tuned.plan"), "--json"]
                        if script.name == "setpoint-host"
                        else []
                    ),
                ],
                env={"PATH": str(tools), "SETPOINT_ROOT": str(root), "SETPOINT_IGNORE": IGNORED},
                capture_output=True,
                text=True,
                check=False,
            )
        )
    result = next(
        each for each in json.loads(found[0].stdout)["results"] if each["setting"] == "network-queues"
    )
    assert (result["state"], result["reason"]) == ("unreadable", "there is no ethtool on this server")
    assert (found[1].returncode, found[1].stderr) == (1, "there is no ethtool on this server\n")


def test_the_scripts_are_clean() -> None:
    made = [*with_profile(TUNED.emit(PLAN).artifacts), *SYSTEMD.emit(WITHOUT_TUNED).artifacts]
    for artifact in made:
        if artifact.text.startswith("#!/bin/sh"):
            assert shellcheck(artifact.text) == ""


def test_udev_gives_each_card_its_values() -> None:
    rules = {a.path: a.text for a in SYSTEMD.emit(WITHOUT_TUNED).artifacts}
    text = rules["systemd/files/etc/udev/rules.d/90-setpoint_policy.rules"]
    assert [line for line in text.splitlines() if line and not line.startswith("#")] == [
        'ACTION!="add|change", GOTO="setpoint_policy_end"',
        'SUBSYSTEM!="net", GOTO="setpoint_policy_end"',
        'DEVPATH=="*/virtual/*", GOTO="setpoint_policy_end"',
        'RUN+="/sbin/ethtool -L $name combined 4"',
        'RUN+="/sbin/ethtool -C $name adaptive-rx off"',
        'RUN+="/sbin/ethtool -C $name adaptive-tx off"',
        'RUN+="/sbin/ethtool -C $name rx-usecs 0"',
        'RUN+="/sbin/ethtool -C $name tx-usecs 8"',
        'RUN+="/sbin/ethtool -G $name rx 4096"',
        'RUN+="/sbin/ethtool -G $name tx 2048"',
        'LABEL="setpoint_policy_end"',
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_reason_becomes_code(text: str) -> None:
    for target, plan in ((TUNED, PLAN), (SYSTEMD, WITHOUT_TUNED)):
        plain, hostile = (
            {
                a.path: (words_of if a.path.endswith(".plan") else code)(a.text)
                for a in target.emit(each).artifacts
            }
            for each in (plan, because(plan, text))
        )
        assert hostile == plain


SITE = """
source lab { title "ethtool on our servers"; publisher "Our lab"; date 2026-11-01; }
setting frames { title "Packets until an interrupt"; layer os; range 1 to 128; }
options of lab when os debian-12 { frames 1 to 128 default unknown at "Run 1"; }
spelling ethtool of lab when os debian-12 { frames in "coalesce rx-frames" at "Run 1"; }
"""


def test_a_parameter_of_a_site_is_set_and_compared() -> None:
    policy = f'{SITE} goal latency; cpu skylake; os debian 12; set frames 32 because "a test";'
    tuned = {a.path: a.text for a in with_profile(TUNED.emit(planned(policy)).artifacts)}
    assert "each_card 'coalesce rx-frames' '32'" in tuned[f"tuned/{OURS}/network-cards.sh"]
    assert re.search(r"^card +frames +coalesce rx-frames = 32 ", tuned["tuned/tuned.plan"], re.MULTILINE)
    files = {a.path: a.text for a in SYSTEMD.emit(planned(f"{policy} tuned unused;")).artifacts}
    rules = files["systemd/files/etc/udev/rules.d/90-setpoint_policy.rules"]
    assert 'RUN+="/sbin/ethtool -C $name rx-frames 32"' in rules
