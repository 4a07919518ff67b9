"""Network cards of QEMU under Linux, udev and systemd: what target `systemd` sets, what a card that comes later gets, and the way back.

One of the two cards has a delay of interrupts. The other shows its channels, and does not let them be changed.
"""

from __future__ import annotations

from pathlib import Path

from consumers.systemd_boot import started
from setpoint.targets.systemd import TARGET
from support.plans import planned

PLAN = planned(
    'policy web { goal latency; cpu skylake; os debian 12; tuned unused; set adaptive-rx-coalescing off because "a test";'
    'set rx-interrupt-delay 0us because "a test"; set rx-ring-size 2048 because "a test"; set network-queues 1 because "a test"; }'
)
FILES = {a.path.removeprefix("systemd"): (a.text, a.mode) for a in TARGET.emit(PLAN).artifacts}
SCRIPT = """
export SETPOINT_IGNORE="product sockets system distribution kernel"
busybox insmod /e1000e.ko; busybox insmod /vmxnet3.ko; udevadm settle
show() {
    usecs=$(ethtool -c eth0 | sed -n 's/^rx-usecs: *//p')
    ring=$(for card in eth0 eth1; do ethtool -g $card | sed -n 's/^RX:[^0-9]*//p' | tail -n 1; done)
    echo $1 $usecs $ring $(ethtool -l eth1 | sed -n 's/^Combined:[^0-9]*//p' | tail -n 1)
}
cards() { grep -e adaptive -e 'interrupt-delay' -e ring-size -e queues; }
show before
sh /apply.sh >/dev/null; echo "apply $?"
show applied
sh /apply.sh --verify | cards
busybox rmmod e1000e; busybox insmod /e1000e.ko; udevadm settle
show again
sh /apply.sh --rollback >/dev/null; echo "rollback $?"
show back
"""


def test_what_is_set_on_cards_is_in_force_and_comes_back(tmp_path: Path) -> None:
    lines = started(tmp_path, {"/apply.sh": FILES["/apply.sh"]}, SCRIPT, ["e1000e", "vmxnet3"])
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
