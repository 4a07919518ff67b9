"""Lines, names of files and modules that their reader ignores, wherever they are written."""

from __future__ import annotations

import pytest

from audit import audited, codes, messages

OF_MODPROBE = "options kvm ignore_msrs=1\n"
DISKS = 'ACTION=="add|change", KERNEL=="sd[a-z]"'

CASES = [
    (f"{OF_MODPROBE}blacklist nouveau\ninstall cramfs /bin/false\n", []),
    (f"{OF_MODPROBE}blacklist nouveau pcspkr\n", ["W0923"]),  # one module to a line
    (f"{OF_MODPROBE}blacklist nouveau # of NVIDIA's cards\n", []),
    (f"{OF_MODPROBE}blacklist nouveau.ko\n", ["W0923"]),
    (f"{OF_MODPROBE}blacklist: nouveau\n", []),
    (f"{OF_MODPROBE}option nvme poll_queues=4\n", ["W0923"]),
    (f"{OF_MODPROBE}install udf\n", ["W0923"]),  # without a command
    (f"{OF_MODPROBE}install udf /bin/true\n", []),
    (f"{OF_MODPROBE}options nvme poll_queues =4\n", ["W0923"]),
    ("cat > /etc/modprobe.d/kvm.conf <<EOF\noptions kvm ignore_msrs=1\nEOF\n", []),
    ("cat > /etc/modprobe.d/kvm <<EOF\noptions kvm ignore_msrs=1\nEOF\n", ["W0923"]),
    ("echo 'vm.swappiness = 10' | sudo tee /etc/sysctl.d/99-memory\n", ["W0923"]),
    ("echo 'vm.swappiness = 10' > /etc/sysctl.d/99-memory.conf\n", []),
    ("echo 'vm.swappiness = 10' > /etc/sysctl.d/$NAME\n", []),
    (f"cat > /etc/udev/rules.d/60-disks <<'EOF'\n{DISKS}, ATTR{{queue/iostats}}=\"0\"\nEOF\n", ["W0923"]),
    (f'{DISKS}, ATTR{{queue/iostats}}="0", RUN+="/bin/echo 0 > /tmp/told"\n', ["W0923"]),  # no shell
    (f'{DISKS}, ATTR{{queue/iostats}}="0", RUN+="/bin/sh -c \'echo 0 > /tmp/told\'"\n', []),
    (f'{DISKS}, ATTR{{queue/iostats}}="0", RUN+="/bin/sh -c \'echo $i\'"\n', ["W0923"]),  # udev's own `$`
    (f'{DISKS}, ATTR{{queue/iostats}}="0", RUN+="/bin/sh -c \'echo $$i $kernel $attr{{size}}\'"\n', []),
    (f'{DISKS}, ATTR{{queue/iostats}}="0"\n{DISKS}, ATTR{{queue/nomerges}}=2\n', ["W0923"]),  # without quotes
    (f'{DISKS}, SUBSYSTEN=="block", ATTR{{queue/iostats}}="0"\n', ["W0923"]),  # no such key
    ('KERNEL=="nvme[0-9]", ATTR{queue/iostats}="0"\n', ["W0923"]),  # a controller
    ('KERNEL=="nvme[0-9]*", ATTR{queue/iostats}="0"\n', []),
    ('KERNEL=="sd[a-z]+", ATTR{queue/iostats}="0"\n', ["W0923"]),  # no regular expression
    (f"{OF_MODPROBE}options modprobe kvm_intel nested=1\n", ["W0923"]),
    ("[main]\ninclude=throughput-performance my-own\n", ["W0923"]),
    ("[main]\ninclude=throughput-performance, my-own\n", []),
    (
        f'cat > "$ROOT/etc/udev/rules.d/60-disks.conf" <<EOF\n{DISKS}, ATTR{{queue/iostats}}="0"\nEOF\n',
        ["W0923"],
    ),
    (f'{DISKS}, RUN+="hdparm -W 0 /dev/%k"\n', ["W0923"]),  # udev knows no folders but its own
    (f'{DISKS}, ATTR{{queue/iostats}}="0", RUN+="/usr/sbin/hdparm -W 0 /dev/%k"\n', []),
    ('KERNEL=="md[0-9]*", ATTR{queue/scheduler}="mq-deadline"\n', ["W0923"]),  # has no scheduler
    ('KERNEL=="md[0-9]*", ATTR{queue/read_ahead_kb}="4096"\n', []),
]

SESSIONS = """
* soft nofiles 65535                    | W0923 nofiles
* hard nofile 65535                     |
root nofile 65535                       | W0923 root nofile 65535
root nofile soft 65535                  | W0923 root nofile soft 65535
@dba - memlock 64GB                     | W0911 64GB
@dba - memlock 67108864                 |
* hard nofile unlimited                 | W0911 unlimited
* hard nproc unlimited                  |
* soft nofile 100000; * hard nofile 65535 | W0911 100000
* hard nofile 65535; * soft nofile 100000 | W0911 100000
* soft nofile 65535; * hard nofile 100000 |
* soft nofile 65535; * hard nproc 1024  |
"""

MOUNTS = """
/dev/sdb /srv ext4 noatime,data=writeback 0 2          | W0911 data=writeback
/dev/sdb /srv ext4 nobarrier 0 2                       | W0911 nobarrier
mount -o noatime,barrier=0 /dev/sdb /srv               | W0911 barrier=0
GRUB_CMDLINE_LINUX="rootflags=data=writeback"          | W0911 data=writeback
/dev/sdb /srv xfs noatime,nobarrier 0 2                | W0923 nobarrier
/dev/sdb /srv xfs nobarrier 0 2                        | W0923 nobarrier
/dev/sdb /srv xfs delaylog,noatime 0 2                 | E0907 delaylog
/dev/sdb /srv ext4 noatime,nodiratime 0 2              | W0905 nodiratime
/dev/sdb /srv ext4 nodiratime,relatime 0 2             |
- `nobarrier` is no longer an option of XFS            |
"""

SHELLS = """
echo 10 > /proc/sys/vm/swappiness                      |
sudo echo 10 > /proc/sys/vm/swappiness                 | E0907 > /proc/sys/vm/swappiness
sudo echo "vm.swappiness = 10" >> /etc/sysctl.conf     | E0907 >> /etc/sysctl.conf
echo 10 | sudo tee /proc/sys/vm/swappiness             |
sudo sh -c 'echo 10 > /proc/sys/vm/swappiness'         |
[ $EUID = 0 ] && sudo echo 10 > /proc/sys/vm/swappiness |
sysctl -w vm.swappiness = 10                           | E0907 vm.swappiness = 10
sysctl -w vm.swappiness 10                             | E0907 vm.swappiness 10
sysctl -w vm.swappiness=10                             |
sysctl -w vm.swappiness=10 vm.dirty_ratio=15           |
echo none > /sys/block/sd*/queue/scheduler             | E0907 > /sys/block/sd*/queue/scheduler
echo none | tee /sys/block/sd*/queue/scheduler         |
for disk in /sys/block/sd*; do echo none > $disk/queue/scheduler; done |
w /proc/sys/vm/swappiness - - - 10                     | E0907 - - - 10
w /proc/sys/vm/swappiness - - - - 10                   |
- w /proc/sys/vm/swappiness - - - - 10                 |
"""

SYSCTLS = """
\N{ZERO WIDTH SPACE}vm.max_map_count = 262144              | W0923 vm.max_map_count
vm.max_map_count\N{NO-BREAK SPACE}= 262144                 | W0923 vm.max_map_count
vm.max_map_count 262144                                | W0923 vm.max_map_count 262144
net.ipv4.conf.eth0.100.arp_ignore = 1                  | W0923 net.ipv4.conf.eth0.100.arp_ignore
net/ipv4/conf/eth0.100/arp_ignore = 1                  |
"""


def told(text: str, case: str) -> None:
    """Compare what is said of a line with the code that a case has, and with what it names."""
    line, _, expected = (part.strip(" \n") for part in case.rpartition("|"))
    code, _, name = expected.partition(" ")
    found = [finding for finding in audited(text.format(line)).findings if finding.code in LINES]
    assert [finding.code for finding in found] == [code] * bool(code), [finding.message for finding in found]
    assert all(name in finding.message for finding in found)


LINES = {"E0907", "W0905", "W0911", "W0923"}
SETTING = "kernel.panic = 10\n"


def cases(table: str) -> list[str]:
    """The lines of a table, each a case."""
    return [line for line in table.split("\n") if line]


@pytest.mark.parametrize("case", cases(SESSIONS))
def test_limits_of_sessions(case: str) -> None:
    told(
        "cat >> /etc/security/limits.conf <<EOF\n{}\nEOF\nsysctl -w kernel.panic=10\n",
        case.replace("; ", "\n"),
    )


@pytest.mark.parametrize("case", cases(MOUNTS))
def test_options_of_mounts(case: str) -> None:
    told("#!/bin/sh\ncat >> /etc/fstab <<EOF\n{}\nEOF\nsysctl -w kernel.panic=10\n", case)


@pytest.mark.parametrize("case", cases(SHELLS))
def test_what_a_shell_makes_of_a_line(case: str) -> None:
    told("#!/bin/sh\nsysctl -w kernel.panic=10\n{}\n", case)


@pytest.mark.parametrize("case", cases(SYSCTLS))
def test_lines_of_sysctls(case: str) -> None:
    told(f"{SETTING}{{}}\n", case)


CONTAINERS = [
    ("docker run --network host --sysctl net.core.somaxconn=8192 web\n", ["net.core.somaxconn"]),
    ("docker run --sysctl net.core.somaxconn=8192 web\n", []),
    (
        "services:\n  web:\n    image: web\n    network_mode: host\n    sysctls:\n      - net.core.somaxconn=8192\n"
        "  other:\n    image: web\n    sysctls:\n      - net.core.somaxconn=8192\n",
        ["net.core.somaxconn"],
    ),
    (
        "kind: Pod\nspec:\n  hostNetwork: true\n  securityContext:\n    sysctls:\n    - name: net.core.somaxconn\n"
        '      value: "8192"\n',
        ["net.core.somaxconn"],
    ),
    (
        "kind: Pod\nspec:\n  securityContext:\n    sysctls:\n    - name: net.core.somaxconn\n      value: '8192'\n",
        [],
    ),
]


@pytest.mark.parametrize(("text", "names"), CONTAINERS)
def test_sysctls_of_the_servers_network(text: str, names: list[str]) -> None:
    found = [
        message for message in messages(audited(text), "E0907") if "network is that of the server" in message
    ]
    assert [message.split("`")[1] for message in found] == names


FIRST = """kind: Pod
spec:
  initContainers:
  - name: first
    command: ["sysctl", "-w", "vm.max_map_count=262144"]
"""


@pytest.mark.parametrize(("more", "expected"), [("", 1), ("    securityContext: {privileged: true}\n", 0)])
def test_a_container_that_may_not_write(more: str, expected: int) -> None:
    assert len(messages(audited(f"{FIRST}{more}"), "W0908")) == expected


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_what_is_ignored(text: str, expected: list[str]) -> None:
    assert [code for code in codes(audited(text)) if code == "W0923"] == expected


def test_a_module_that_is_misspelt() -> None:
    (message,) = messages(audited("blacklist noveau\nblacklist pcspkr\n"), "E0902")
    assert message == "`noveau` is misspelt: it is not the name of a module"


@pytest.mark.parametrize("name", ["nvme_fabrics", "nvmem_core", "dvb_usb_dib0700", "i2c_nvidia_gpu", "vxlan"])
def test_a_module_that_is_called_almost_so(name: str) -> None:
    assert codes(audited(f"blacklist {name}\n")) == []


MODULES = [
    ("debian 12", "decnet", ["W0904"]),
    ("debian 11", "decnet", []),
    ("rhel 7", "nf_conntrack_ipv4", []),  # a module of its own until 4.18
    ("debian 12", "nf_conntrack_ipv4", ["W0904"]),
    ("debian 12", "usb-storage", []),
]


@pytest.mark.parametrize(("system", "name", "expected"), MODULES)
def test_a_module_that_a_system_lacks(system: str, name: str, expected: list[str]) -> None:
    script = f"cat <<'EOF' > /etc/modprobe.d/blacklist.conf\ninstall {name} /bin/true\nEOF\n"
    assert codes(audited(script, server=f"cpu skylake; platform r740; os {system}")) == expected
