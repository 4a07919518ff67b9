"""Protections that scripts, answers of installers, tasks and modules switch off."""

from __future__ import annotations

import pytest

from audit import DEBIAN, audited, codes
from setpoint.compiler.diagnostics import SetpointError

SYSCTL = "sysctl -w vm.swappiness=10\n"
SCRIPT = f"#!/bin/bash\n{SYSCTL}"
RHEL = "cpu skylake; platform r740; os rhel 9"

OFF = [
    "setenforce 0",
    "sudo /usr/sbin/setenforce Permissive",
    "sed -i 's/^SELINUX=.*/SELINUX=disabled/' /etc/selinux/config",
    "sed -i 's/SELINUX=enforcing/SELINUX=permissive/g' /etc/sysconfig/selinux",
    "sed -i 's/enforcing/disabled/g' /etc/selinux/config",
    'sed -i "s/^SELINUX\\=enforcing/SELINUX\\=disabled/g" /etc/selinux/config',
    "sed -ri '/^SELINUX=/cSELINUX=disabled' /etc/selinux/config",
    'echo "SELINUX=disabled" > /etc/selinux/config',
    "cat > /etc/selinux/config <<EOF\nSELINUX=disabled\nEOF",
    "SELINUX=disabled 로 변경",  # in the words of a guide
    "SELINUX=enforcing → SELINUX=disabled",
    "systemctl disable --now firewalld",
    "systemctl mask nftables.service",
    "service iptables stop",
    "chkconfig iptables off",
    "/etc/init.d/iptables stop",
    "if systemctl is-active firewalld; then systemctl stop firewalld; fi",
    "ssh node1 'systemctl stop firewalld'",
    "ufw --force disable",
    "iptables -F",
    "nft flush ruleset",
    "apt-get purge -y apparmor",
    "systemctl disable apparmor",
    "systemctl stop auditd",
    "sudo auditctl -e 0",
    "echo 0 > /sys/fs/selinux/enforce",
    "aa-complain /etc/apparmor.d/usr.sbin.mysqld",
    "rcSuSEfirewall2 stop",
    "[root@node1 ~]# systemctl stop firewalld",
    "$ sudo -E systemctl disable ufw",
    "chroot /mnt systemctl disable apparmor",
    "d-i preseed/late_command string in-target systemctl disable ufw",
    'ansible all -m shell -a "systemctl stop firewalld"',
    "for node in a b; do ssh $node systemctl disable firewalld; done",
    'racadm set iDRAC.WebServer.TLSProtocol "TLS 1.0 and Higher"',
    "racadm -r $H set idrac.webserver.TLSProtocol 1",
    "racadm set iDRAC.WebServer.HostHeaderCheck 0",
    "racadm set iDRAC.Telnet.Enable 1",
    "ilorest set IPMI/ProtocolEnabled=True --select ManagerNetworkProtocol. --commit",
    "ilorest set Oem/Hpe/RequireHostAuthentication=false --select Manager. --commit",
    "ilorest set Oem/Hpe/RequiredLoginForiLORBSU=False --select Manager. --commit",
    "ilorest set Oem/Hpe/EnforcePasswordComplexity=False --select AccountService. --commit",
    "ilorest set Oem/Hpe/MinPasswordLength=6 --select AccountService. --commit",
    "ilorest set Oem/Hpe/AuthFailureLoggingThreshold=0 --select AccountService. --commit",
    "ilorest set Oem/Hpe/SNMPv1Enabled=True --select SnmpService. --commit",
    "ilorest set SecureBootEnable=False --select SecureBoot. --commit",
    "racadm set iDRAC.SNMP.AgentCommunity public",
    "racadm set iDRAC.LDAP.CertValidationEnable Disabled",
    "racadm set iDRAC.VirtualConsole.EncryptEnable 0",
    "racadm set iDRAC.WebServer.HttpsRedirection 0",
    "racadm set idrac.users.2.password calvin",
]
"""Commands of a script, each of which switches something off."""


@pytest.mark.parametrize("command", OFF)
def test_a_command_that_switches_a_protection_off(command: str) -> None:
    assert codes(audited(f"{SCRIPT}{command}\n", server=RHEL)) == ["W0907"]


@pytest.mark.parametrize(
    "command",
    [
        "# setenforce 0",
        "yum install -y chrony  # as after setenforce 0",
        'echo "run setenforce 0 first"',
        "if grep -q SELINUX=disabled /etc/selinux/config; then exit 1; fi",
        "sed -i 's/SELINUX=disabled/SELINUX=enforcing/' /etc/selinux/config",
        "sed -i '/SELINUX=disabled/d' /etc/selinux/config",
        "systemctl status firewalld",
        "systemctl disable postfix cups",
        "systemctl stop firewalld\nmake install\nsystemctl start firewalld",
        "systemctl disable firewalld\nyum install -y iptables-services\nsystemctl enable iptables",
        "iptables -F\niptables -A INPUT -p tcp --dport 22 -j ACCEPT\niptables -A INPUT -j DROP",
        "iptables -t nat -F",
        "iptables -F DOCKER-USER",
        "setenforce 0\n./install.sh\nsetenforce 1",
        "ufw disable\nufw enable",
        'racadm set iDRAC.WebServer.TLSProtocol "TLS 1.2 Only"',
        "racadm set iDRAC.Telnet.Enable 0",
    ],
)
def test_a_command_that_switches_none_off_for_good(command: str) -> None:
    assert codes(audited(f"{SCRIPT}{command}\n", server=RHEL)) == []


def test_of_one_service_the_command_that_lasts_is_told() -> None:
    found = audited(f"{SCRIPT}systemctl stop firewalld\nsystemctl disable firewalld\n", server=RHEL)
    (finding,) = found.findings
    assert (finding.at.line, [label.span.line for label in finding.others]) == (4, [3])


KICKSTART = """\
selinux --disabled
firewall --disabled
services --disabled="kdump,iptables,cpuspeed" --enabled=chronyd,cpuspeed
%packages
%end
"""


def test_the_answers_of_an_installer() -> None:
    found = audited(KICKSTART, server=RHEL)
    assert [(finding.at.line, finding.code) for finding in found.findings] == [
        (1, "W0907"),
        (2, "W0907"),
        (3, "E0906"),  # cpuspeed is in both lists
        (3, "W0907"),
    ]


def test_hashes_of_passwords_that_an_installer_writes() -> None:
    answers = "auth --useshadow --enablemd5\nrootpw --iscrypted $1$of.ours$a\n%packages\n%end\n"
    assert codes(audited(answers, server=RHEL)) == ["W0907"] * 2
    with pytest.raises(SetpointError):
        audited(
            "authconfig --passalgo=sha512\nrootpw --iscrypted $6$of.ours$a\n%packages\n%end\n", server=RHEL
        )


def test_an_installer_takes_the_beginning_of_an_option() -> None:
    assert (
        codes(audited("selinux --disable\nfirewall --disable\n%packages\n%end\n", server=RHEL))
        == ["W0907"] * 2
    )


@pytest.mark.parametrize(
    "text", ["selinux --enforcing\n%packages\n%end\n", "firewall --enabled --ssh\n%packages\n%end\n"]
)
def test_answers_that_keep_what_protects(text: str) -> None:
    with pytest.raises(SetpointError, match="has no settings"):
        audited(text, server=RHEL)


def test_the_configuration_of_selinux() -> None:
    assert codes(audited("# see selinux(8)\nSELINUX=permissive\nSELINUXTYPE=targeted\n", server=RHEL)) == [
        "W0907"
    ]


TASKS = """\
- name: Swap less
  sysctl: name=vm.swappiness value=10
- name: {title}
  {module}:
    {first}
    {second}
"""


@pytest.mark.parametrize(
    ("module", "first", "second", "expected"),
    [
        ("ansible.posix.selinux", "state: disabled", "", ["W0907"]),
        ("selinux", "policy: targeted", "state: permissive", ["W0907"]),
        ("selinux", "policy: targeted", "state: enforcing", []),
        ("service", "name: firewalld", "enabled: no", ["W0907"]),
        ("ansible.builtin.systemd", "enabled: false", 'name: "ufw"', ["W0907"]),
        ("service", "name: firewalld", "enabled: yes", []),
        ("service", "name: firewalld", "state: restarted", []),
        ("service", "name: postfix", "enabled: no", []),
        ("community.general.ufw", "state: disabled", "", ["W0907"]),
        ("ufw", "state: enabled", "policy: deny", []),
        ("command", "cmd: setenforce 0", "", ["W0907"]),
        ("lineinfile", "path: /etc/selinux/config", "line: SELINUX=disabled", ["W0907"]),
        ("lineinfile", "path: /etc/selinux/config", "regexp: SELINUX=disabled", []),
        ("replace", "path: /etc/selinux/config", "replace: 'SELINUX=disabled'", ["W0907"]),
        ("apt", "name: [ufw, apparmor]", "state: absent", ["W0907"] * 2),
        ("package", "state: absent", "name:\n      - cups\n      - ufw", ["W0907"]),
        ("package", "name: ufw", "state: present", []),
        ("yum", "name: cups", "state: absent", []),
    ],
)
def test_a_task(module: str, first: str, second: str, expected: list[str]) -> None:
    text = TASKS.format(title="setenforce 0 if there is no policy", module=module, first=first, second=second)
    assert codes(audited(text)) == expected


LOOP = """\
- sysctl: name=vm.swappiness value=10
- name: Stop what nobody needs
  service:
    name: "{{ item }}"
    enabled: no
  loop:
    - cups
    - firewalld
"""


def test_a_task_for_several_services() -> None:
    found = audited(LOOP)
    assert [(finding.code, finding.at.line) for finding in found.findings] == [("W0907", 3)]
    assert (
        codes(audited(LOOP.replace("    - firewalld\n", "- service: name=firewalld state=started\n"))) == []
    )


def test_a_list_of_services_in_variables_or_for_ignition() -> None:
    """A task of that name is none."""
    services = "sysctl:\n  vm.swappiness: 10\nservices:\n  - name: apparmor\n    state: stopped\n    enabled: false\n"
    assert codes(audited(services)) == ["W0907"]
    assert codes(audited(services.replace("false", "true").replace("stopped", "started"))) == []
    task = "- name: firewalld\n  firewalld:\n    port: 80/tcp\n    state: disabled\n"
    assert codes(audited(f"- sysctl: name=vm.swappiness value=10\n{task}")) == []


STATES = """\
apparmor.gone:
  pkg.purged:
    - name: apparmor
nftables:
  service.dead:
    - enable: False
"""


def test_states_of_salt() -> None:
    assert [finding.at.line for finding in audited(STATES).findings] == [2, 4]
    with pytest.raises(SetpointError):
        audited("nftables:\n  service.running:\n    - enable: True\n")


def test_a_task_is_not_what_the_next_one_is() -> None:
    tasks = "- systemd:\n    name: firewalld\n    daemon_reload: yes\n- service:\n    name: cups\n    enabled: no\n"
    assert codes(audited(f"- sysctl: name=vm.swappiness value=10\n{tasks}")) == []


@pytest.mark.parametrize(
    "text",
    [
        "sysctl { 'vm.swappiness': value => '10' }\nservice { 'firewalld':\n  ensure => stopped,\n  enable => false,\n}\n",
        "sysctl 'vm.swappiness' do\n  value 10\nend\nservice 'iptables' do\n  action [:disable, :stop]\nend\n",
        "sysctl { 'vm.swappiness': value => '10' }\nservice { ['cups', 'firewalld']:\n  ensure => stopped,\n}\n",
        "sysctl { 'vm.swappiness': value => '10' }\npackage { 'apparmor':\n  ensure => purged,\n}\n",
        "sysctl 'vm.swappiness' do\n  value 10\nend\nselinux_state 'off' do\n  action :disabled\nend\n",
        "class { 'selinux':\n  mode => 'disabled',\n}\nsysctl { 'vm.swappiness': value => '10' }\n",
        '{\n  boot.kernel.sysctl = {\n    "vm.swappiness" = 10;\n  };\n  networking.firewall.enable = false;\n}\n',
    ],
)
def test_a_module_of_configuration_management(text: str) -> None:
    assert codes(audited(text, server=DEBIAN)) == ["W0907"]


RIBCL = """<RIBCL VERSION="2.0">
  <LOGIN USER_LOGIN="admin" PASSWORD="">
    <RIB_INFO MODE="write">
      <MOD_GLOBAL_SETTINGS>
        <SSH_STATUS VALUE="Y"/>
        <IPMI_DCMI_OVER_LAN_ENABLED VALUE="{ipmi}"/>
        <MIN_PASSWORD VALUE="{length}"/>
      </MOD_GLOBAL_SETTINGS>
    </RIB_INFO>
  </LOGIN>
</RIBCL>
"""


def test_settings_for_hponcfg_are_read_for_what_they_switch_off() -> None:
    found = audited(RIBCL.format(ipmi="Y", length=0)).findings
    assert [(each.at.line, each.code) for each in found] == [(6, "W0907"), (7, "W0907")]


def test_other_xml_has_nothing_to_say() -> None:
    with pytest.raises(SetpointError, match="has no settings"):
        audited(RIBCL.format(ipmi="N", length=12))
