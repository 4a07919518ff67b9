"""Network cards of QEMU under Linux: what the script of a profile of tuned sets and puts back by the real ethtool; and,
with udev and systemd, what target `systemd` sets, what a card that comes later gets, and the way back.

One of the two cards has a delay of interrupts. The other shows its channels, and does not let them be changed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from consumers.systemd_boot import alone, started
from setpoint.targets.systemd import TARGET as SYSTEMD
from setpoint.targets.tuned import TARGET as TUNED
from support.host import PROGRAM, plan_of, with_profile
from support.plans import planned

CARDS = ["e1000e", "vmxnet3"]
POLICY = (
    "policy web { goal latency; cpu skylake; os debian 12; %s"
    'set adaptive-rx-coalescing off because "a test"; set rx-interrupt-delay 0us because "a test";'
    'set rx-ring-size 2048 because "a test"; set network-queues 1 because "a test"; }'
)
PROFILE = "tuned/setpoint-web/network-cards.sh"
SHOW = """
show() {
    usecs=$(ethtool -c eth0 | sed -n 's/^rx-usecs: *//p')
    ring=$(for card in eth0 eth1; do ethtool -g $card | sed -n 's/^RX:[^0-9]*//p' | tail -n 1; done)
    echo $1 $usecs $ring $(ethtool -l eth1 | sed -n 's/^Combined:[^0-9]*//p' | tail -n 1)
}
"""
OF_TUNED = """
busybox insmod /e1000e.ko; busybox insmod /vmxnet3.ko
show before
sh /cards.sh start; echo "start $?"
show started
sh /cards.sh verify; echo "verify $?"
sh /cards.sh stop; echo "stop $?"
show back
"""
OF_SYSTEMD = """
export SETPOINT_IGNORE="product processor sockets system distribution kernel"
busybox insmod /e1000e.ko; busybox insmod /vmxnet3.ko; udevadm settle
cards() { grep -e adaptive -e 'interrupt-delay' -e ring-size -e queues; }
show before
sh /setpoint-host apply /systemd.plan >/dev/null; echo "apply $?"
show applied
sh /setpoint-host verify /systemd.plan | cards
busybox rmmod e1000e; busybox insmod /e1000e.ko; udevadm settle
show again
sh /setpoint-host undo /systemd.plan >/dev/null; echo "rollback $?"
show back
"""


def test_the_script_of_a_profile_sets_cards_and_puts_them_back(tmp_path: Path) -> None:
    (script,) = (
        a.text for a in with_profile(TUNED.emit(planned(POLICY % "")).artifacts) if a.path == PROFILE
    )
    lines = alone(tmp_path, {"/cards.sh": (script, 0o755)}, SHOW + OF_TUNED, CARDS)
    said = [" ".join(line.split()) for line in lines]
    assert said[said.index("before 3 256 1024 2") :] == [
        "before 3 256 1024 2",
        "eth1 does not take 1 for channels combined: netlink error: Operation not supported",
        "start 1",
        "started 0 2048 2048 2",
        "eth1 has 2 for channels combined, wanted 1",
        "verify 1",
        "stop 0",
        "back 3 256 1024 2",
    ]


@pytest.mark.repeated  # by the same steps on a machine of files, and by the script above on the same cards
def test_what_is_set_on_cards_is_in_force_and_comes_back(tmp_path: Path) -> None:
    made = SYSTEMD.emit(planned(POLICY % "tuned unused; ")).artifacts
    files = {"/setpoint-host": (PROGRAM, 0o755), "/systemd.plan": (plan_of(made), 0o644)}
    lines = started(tmp_path, files, SHOW + OF_SYSTEMD, CARDS)
    said = [" ".join(line.split()) for line in lines]
    lacking = "not-applicable adaptive-rx-coalescing: nothing found, wanted off (without `coalesce adaptive-rx`: eth0, eth1)"
    refused = "differs network-queues: 2, wanted 1 (eth1 has 2; without `channels combined`: eth0)"
    assert said[said.index("before 3 256 1024 2") :] == [
        "before 3 256 1024 2",
        "apply 3",
        "applied 0 2048 2048 2",
        refused,
        lacking,
        "ok rx-interrupt-delay: 0, wanted 0 (without `coalesce rx-usecs`: eth1)",
        "ok rx-ring-size: 2048, wanted 2048",
        "again 0 2048 2048 2",
        "rollback 0",
        "back 3 256 1024 2",
    ]
