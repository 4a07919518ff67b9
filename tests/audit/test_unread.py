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
    (  # a command in quotes ends with its text
        "#!/bin/sh\nsudo sh -c 'cat > /etc/tuned/a/tuned.conf <<EOF\n[main]\nsummary=a\n[vm]\ndirty_ratio=10\nEOF'\nmake install\n",
        [],
    ),
    (
        f'cat > "$ROOT/etc/udev/rules.d/60-disks.conf" <<EOF\n{DISKS}, ATTR{{queue/iostats}}="0"\nEOF\n',
        ["W0923"],
    ),
    (f'{DISKS}, RUN+="hdparm -W 0 /dev/%k"\n', ["W0923"]),  # udev knows no folders but its own
    (f'{DISKS}, ATTR{{queue/iostats}}="0", RUN+="/usr/sbin/hdparm -W 0 /dev/%k"\n', []),
    ('KERNEL=="md[0-9]*", ATTR{queue/scheduler}="mq-deadline"\n', ["W0923"]),  # has no scheduler
    ('KERNEL=="md[0-9]*", ATTR{queue/read_ahead_kb}="4096"\n', []),
    ('KERNEL=="sd*[^0-9]", ATTR{queue/iostats}="0"\n', []),  # a pattern has `^` as it has `!`
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


@pytest.mark.parametrize("case", cases(SHELLS))
def test_what_a_shell_makes_of_a_line(case: str) -> None:
    told("#!/bin/sh\nsysctl -w kernel.panic=10\n{}\n", case)


@pytest.mark.parametrize("case", cases(SYSCTLS))
def test_lines_of_sysctls(case: str) -> None:
    told(f"{SETTING}{{}}\n", case)


CONTAINERS = [
    ("docker run --network host --sysctl net.core.somaxconn=8192 web\n", ["net.core.somaxconn"]),
    ("docker run --sysctl net.core.somaxconn=8192 web\n", []),
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


def test_a_text_of_tpm_1_2_beside_tpm_2_0() -> None:
    text = "racadm set BIOS.SysSecurity.TpmSecurity OnPbm\n"
    assert codes(
        audited(f"{text}racadm set BIOS.SysSecurity.Tpm2Hierarchy Enabled\n", server="vendor dell")
    ) == ["E0907"]
    assert codes(audited(text, server="vendor dell")) == []


def test_a_long_dash_begins_no_option() -> None:
    assert codes(audited("sysctl –w vm.swappiness=10\nsysctl -w kernel.sysrq=0\n")) == ["E0907"]
    assert codes(audited("# sysctl – a command\nsysctl -w kernel.sysrq=0 # sysctl – it\n")) == []


BIOS = "https://$H/redfish/v1/Systems/System.Embedded.1/Bios"
BODY = '{"Attributes": {"SysProfile": "Custom"}}'
REQUESTS = [
    (f"curl -X PATCH {BIOS} -d '{BODY}'\n", ["E0907"]),
    (f"curl -X PATCH \\\n  {BIOS} \\\n  -d '{BODY}'\n", ["E0907"]),
    (f"curl -X PATCH {BIOS}/Settings -d '{BODY}'\n", []),
    (f"curl {BIOS} # before the PATCH\ncurl -X PATCH {BIOS}/Settings -d '{BODY}'\n", []),
]


@pytest.mark.parametrize(("text", "expected"), REQUESTS)
def test_requests_are_for_what_takes_them(text: str, expected: list[str]) -> None:
    assert codes(audited(text, server="vendor dell")) == expected


def test_values_of_the_bios_wait_for_a_restart() -> None:
    body = '{"Attributes": {"SysProfile": "Custom"}, "@Redfish.SettingsApplyTime": {"ApplyTime": "TIME"}}'
    for time, expected in (("Immediate", ["E0907"]), ("OnReset", [])):
        text = f"curl -X PATCH {BIOS}/Settings -d '{body.replace('TIME', time)}'\n"
        assert codes(audited(text, server="vendor dell")) == expected


def test_a_module_that_is_misspelt() -> None:
    (message,) = messages(audited("blacklist noveau\nblacklist pcspkr\n"), "E0902")
    assert message == "`noveau` is misspelt: it is not the name of a module"


@pytest.mark.parametrize("name", ["nvme_fabrics", "nvmem_core", "dvb_usb_dib0700", "i2c_nvidia_gpu", "vxlan"])
def test_a_module_that_is_called_almost_so(name: str) -> None:
    assert codes(audited(f"blacklist {name}\n")) == []


LISTS = [
    ("blocked:\n  - cramfs\n  - freevxfs\n  - jjfs2\n  - hfs\n", ["E0902"]),
    ("blocked: [cramfs, freevxfs, 'jffs2', udf, usb-storage]\n", []),
    ("blocked:\n  - cramfs\n  - customer\n  - jjfs2\n", []),  # words of another list
]


@pytest.mark.parametrize(("text", "expected"), LISTS)
def test_a_list_of_modules(text: str, expected: list[str]) -> None:
    assert codes(audited(f"sysctl:\n  vm.swappiness: 10\n{text}")) == expected


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


UNIT = """\
[Unit]
Description=Keep CPUs for one program
{unit}
[Service]
Type={type}
ExecStart=/usr/bin/program --now
{service}
[Install]
WantedBy=multi-user.target
"""

OF_UNITS = [
    ("", "oneshot", "RestartSec=1min 30s", []),
    ("", "simple", "StartLimitIntervalSec=0", ["W0923"]),  # a key of [Unit]
    ("StartLimitIntervalSec=0", "simple", "", []),
    ("LimitNOFILE=65536", "simple", "", ["W0923"]),  # a key of [Service]
    ("ConditionPathExists=/sys/fs/cgroup", "simple", "X-Note=of ours", []),
    ("", "simple", "LimitNOFILE=unlimited", ["W0923"]),
    ("", "simple", "LimitNOFILE=65536 131072", ["W0923"]),
    ("", "simple", "LimitNOFILE=65536:infinity\nLimitNICE=-1", []),
    ("", "simple", "LimitNOFILE=65536 # of the guide", ["W0923"]),
    ("", "simple", "CPUQuota=200", ["W0923"]),
    ("", "simple", "CPUQuota=200%", []),
    ("", "simple", "MemoryMax=512m\nMemoryHigh=2GB", ["W0923", "W0923"]),
    ("", "simple", "MemoryMax=1.5G\nMemorySwapMax=80%", []),
    ("", "simple", "CPUSchedulingPolicy=SCHED_FIFO", ["E0907"]),
    ("", "simple", "CPUSchedulingPolicy=fifo\nCPUSchedulingPriority=99\nNice=-20\nNUMAPolicy=bind", []),
    ("", "simple", "IOSchedulingClass=best_effort\nIOSchedulingPriority=8\nTasksMax=max", ["E0907"] * 3),
    ("", "simple", "CPUWeight=20000\nOOMScoreAdjust=-1001\nNice=20", ["E0907"] * 3),
    ("", "oneshot", "Restart=always", ["E0907"]),
    ("", "oneshot", "Restart=on-failure", []),
    ("", "simple", "ExecStart=/usr/bin/program --more", ["E0907"]),  # several commands
    ("", "oneshot", "ExecStart=/usr/bin/program --more", []),
    ("", "simple", "ExecStart=\nExecStart=/usr/bin/program --more", []),
    ("", "simple", "ExecStartPost=/bin/echo 1 > /tmp/told", ["W0923"]),
    ("", "simple", "ExecStartPost=/bin/sh -c 'echo 1 > /tmp/told'", []),
    ("", "simple", "ExecStartPost=/usr/bin/program <name> --of {{ a | default('b') }}", []),
    ("", "simple", "MemoryLimit=1G\nCPUShares=512", ["W0920", "W0920"]),
    ("", "simple", "Restart=always\nLimitNOFILE=65536\nRestart=on-failure", ["W0923"]),  # the last one counts
    ("", "simple", "Environment=A=1\nEnvironment=B=2\nLimitNOFILE=\nLimitNOFILE=65536", []),
]


@pytest.mark.parametrize(("unit", "kind", "service", "expected"), OF_UNITS)
def test_a_unit_of_systemd(unit: str, kind: str, service: str, expected: list[str]) -> None:
    """Beside a command, since a unit alone has no settings; what follows the unit is none of it."""
    text = UNIT.format(unit=unit, type=kind, service=service)
    script = f"sysctl -w vm.swappiness=10\ncat > /etc/systemd/system/a.service <<EOF\n{text}EOF\nLimit=none\n"
    assert codes(audited(script)) == expected


def test_a_unit_whose_command_writes_by_the_path_of_tee() -> None:
    unit = UNIT.format(
        unit="", type="oneshot", service="ExecStartPost=/bin/sh -c '/bin/echo nevr | /usr/bin/tee {}'"
    )
    assert codes(audited(unit.format("/sys/kernel/mm/transparent_hugepage/enabled"))) == ["E0902"]


PROFILE = "[main]\nsummary=Of ours\n\n[sysctl]\nvm.swappiness=10\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("# dirty pages", []),
        ("  of two lines", []),  # goes on
        ("dirty pages", ["E0907"]),
        ("net.ipv4.tcp_sack", ["E0907"]),
        ("net.ipv4.tcp_sack: 1", ["E0907"]),
    ],
)
def test_a_line_that_keeps_tuned_from_loading_a_profile(line: str, expected: list[str]) -> None:
    script = f"cat > /etc/tuned/ours/tuned.conf <<EOF\n{PROFILE}{line}\nEOF\ntuned-adm profile ours\n"
    assert codes(audited(script)) == expected
    assert codes(audited(f"{PROFILE}{line}\n")) == expected


OF_SCRIPTS = [
    ("services --disabled=kdump\nbootloader --append='crashkernel=256M'", ["W0908"]),
    ("services --disabled=cups --enabled=kdump\nbootloader --append='crashkernel=256M'", []),
    ("grubby --update-kernel=ALL --args=crashkernel=256M\nsystemctl disable --now kdump", ["W0908"]),
    ("grubby --update-kernel=ALL --args=crashkernel=256M\nsystemctl enable kdump", []),
    ("echo '/dev/sdb1 /data xfs noatime,nobarrier 0 0' >> /etc/fstab", ["W0920"]),
    ("mount -t xfs -o noatime,nobarrier /dev/sdb1 /data", ["W0920"]),
    ("mount -t ext4 -o barrier=0,data=writeback /dev/sdb1 /data", ["W0401", "W0401"]),
    ("mount -t ext4 -o barrier=1,data=ordered /dev/sdb1 /data", []),
    ('GRUB_CMDLINE_LINUX="rootflags=data=writeback"', ["W0401"]),
    ("mount -o noatime,nodiratime /dev/sdb1 /data", ["W0905"]),
    ("mount -o nodiratime /dev/sdb1 /data", []),
    ("part / --fstype=ext4 --fsoptions='noatime,barrier=0'", ["W0401"]),
    ("cpupower -c all frequency-set --governor performance", []),
    ("cpupower frequency-set -g performence", ["E0907"]),
    ("cpufreq-set -c 0 -g powersafe", ["E0907"]),
    ("echo 'GOVERNOR=\"perfomance\"' > /etc/default/cpufrequtils", ["E0907"]),
    ("echo 'GOVERNOR=\"performance\"' > /etc/default/cpufrequtils", []),
    ("x86_energy_perf_policy balance_performance", ["E0907"]),
    ("x86_energy_perf_policy -c all balance-performance", []),
    ("ethtool -K eth0 tso on lro off gsoo on", ["E0907"]),
    ("ethtool -K eth0 tso on rx-udp-gro-forwarding on hw-tc-offload off", []),
    ("ethtool -K eth0 ufo on", ["W0904"]),
    ("ethtool -C $IF adaptive-rx on rx-usec 5", ["E0907"]),
    ("ethtool -G eth0 rx 4096 tx 4096 2>/dev/null", []),
    ("ethtool -L eth0 combine 4", ["E0907"]),
    ("export IRQBALANCE_BANNED_CPUS=2-7", ["E0907"]),
    ("export IRQBALANCE_BANNED_CPU=2", ["W0923"]),
    ("export IRQBALANCE_BANNED_CPULIST=2-7", []),
    ("sudo tuned-adm profiles balanced", ["E0907"]),
    ("tuned-adm profile balanced", []),
    ("echo 'bonding mode=4' > /etc/modules-load.d/bond.conf", ["W0923"]),
    ("cat <<EOF | sudo tee /etc/modules-load.d/k8s.conf\noverlay br_netfilter\nEOF\nexport A=b", ["W0923"]),
    (
        "cat <<EOF | sudo tee /etc/modules-load.d/k8s.conf\noverlay\n# bridges\nbr_netfilter\nEOF\nexport A=b",
        [],
    ),
]


@pytest.mark.parametrize(("text", "expected"), OF_SCRIPTS)
def test_a_line_of_a_script(text: str, expected: list[str]) -> None:
    assert codes(audited(f"sysctl -w vm.swappiness=10\n{text}\n")) == expected


def test_options_of_a_mount_in_a_task() -> None:
    task = "- mount:\n    path: /data\n    fstype: xfs\n    opts: noatime,nobarrier\n"
    assert codes(audited(f"- sysctl: name=vm.swappiness value=10\n{task}")) == ["W0920"]
    other = "- mount:\n    path: /other\n    opts: noatime,nobarrier\n    fstype: {}\n"
    assert codes(audited(f"- sysctl: name=vm.swappiness value=10\n{other.format('xfs')}")) == ["W0920"]
    both = f"{other.format('tmpfs')}{task.replace(',nobarrier', '')}"
    assert codes(audited(f"- sysctl: name=vm.swappiness value=10\n{both}")) == []
