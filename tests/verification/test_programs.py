"""Values in what programs print, as systemd 252 and ethtool 6.1 print it."""

import pytest

from setpoint.compiler.verification.programs import printed_value

COALESCE = "Coalesce parameters for eth0:\nAdaptive RX: on  TX: off\nstats-block-usecs:\tn/a\nrx-usecs:\t8\ntx-usecs:\t16\n"
CHANNELS = "Channel parameters for eth0:\nPre-set maximums:\nRX:\t\tn/a\nCombined:\t63\nCurrent hardware settings:\nRX:\t\tn/a\nCombined:\t8\n"
UNIT = "LoadState={}\nActiveState={}\nUnitFileState=masked\n"


@pytest.mark.parametrize(
    ("interface", "name", "text", "value"),
    [
        ("unit", "fwupd-refresh.timer", UNIT.format("masked", "inactive"), "masked"),
        ("unit", "fwupd-refresh.timer", UNIT.format("masked", "active"), "masked, and still active"),
        ("unit", "fwupd-refresh.timer", UNIT.format("loaded", "inactive"), "loaded"),
        ("unit", "fwupd-refresh.timer", "", None),
        ("ethtool", "coalesce adaptive-rx", COALESCE, "on"),
        ("ethtool", "coalesce adaptive-tx", COALESCE, "off"),
        ("ethtool", "coalesce rx-usecs", COALESCE, "8"),
        ("ethtool", "channels combined", CHANNELS, "8"),  # not the maximum
        ("ethtool", "ring rx", "Cannot get device ring settings: Operation not supported\n", None),
        ("drop-in", "system.conf [Manager] CPUAffinity", "CPUAffinity=0 1 2\n", "0,1,2"),
        ("drop-in", "system.conf [Manager] CPUAffinity", "CPUAffinity=0-1\n", "0-1"),
        (
            "drop-in",
            "system.conf [Manager] DefaultLimitMEMLOCK",
            "DefaultLimitMEMLOCK=infinity\nDefaultLimitMEMLOCKSoft=infinity\n",
            "infinity",
        ),
        (
            "drop-in",
            "system.conf [Manager] DefaultLimitNOFILE",
            "DefaultLimitNOFILE=600000\nDefaultLimitNOFILESoft=1024\n",
            "1024:600000",
        ),
        (
            "drop-in",
            "irqbalance.service [Service] Environment=IRQBALANCE_BANNED_CPULIST",
            "Environment=A=1 IRQBALANCE_BANNED_CPULIST=2-5\n",
            "2-5",
        ),
        (
            "drop-in",
            "irqbalance.service [Service] Environment=IRQBALANCE_BANNED_CPULIST",
            "Environment=\n",
            "",
        ),
    ],
)
def test_a_value_is_found_in_what_a_program_prints(
    interface: str, name: str, text: str, value: str | None
) -> None:
    assert printed_value(interface, name, text) == value
