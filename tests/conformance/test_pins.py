"""The commits at which repositories were read, and the day of each.

Compared with `git log -1 --format=%cs` on the branch that the repository publishes, and the files with
`git rev-parse COMMIT:FILE`. A commit without a date could not be: the repository is too large to be fetched whole, or,
for 20c6d73 of sapcc/helm-charts, the branch has no such commit. Which of the files have changed since,
`setpoint kb pins` lists.
"""

import re

from conformance.printed import rows
from setpoint.compiler.knowledge.model import Knowledge

HOST = "https://github.com/"

PINS = """
AMD-AGI/Hyperloom                                     | 434b26b   | 2026-08-22 | amd-epyc-9004-tuning; amd-hyperloom-audit; tools-that-read-settings
CiscoDevNet/intersight-ansible                        | 7b4abde   | 2026-08-03 | cisco-bios-tokens
ClickHouse/ClickHouse                                 | 023f9d5   |            | clickhouse-tips
ComplianceAsCode/content                              | b3a2cca   | 2026-08-21 | compliance-as-code
Cray-HPE/hms-smd                                      | 7b0dbd2   | 2025-11-18 | hms-smd-fixtures
DPDK/dpdk                                             | 03bd758   | 2025-07-21 | dpdk-linux-guide
DPDK/dpdk                                             | 0e45ace   | 2022-03-15 | dpdk-linux-guide
DPDK/dpdk                                             | 38f72e5   | 2026-07-23 | dpdk-linux-guide
DPDK/dpdk                                             | f45c706   | 2026-03-31 | dpdk-linux-guide
FDio/csit                                             | 2e9ac3f   | 2024-12-04 | fdio-csit-testbeds
HPEDevCom/redfishdocs                                 | 676416d   | 2025-12-15 | hpe-ilo-bios-reference; hpe-ilo-messages
HewlettPackard/ilo-rest-api-docs                      | 3109b8d   | 2020-01-30 | hpe-ilo5-reference
ManageIQ/manageiq-providers-redfish                   | 8139355   | 2026-06-02 | manageiq-redfish-recordings
MicrosoftDocs/azure-compute-docs                      | 02ba2ea   |            | azure-hbv4
MicrosoftDocs/azure-compute-docs                      | 1d8378b   |            | azure-hbv2; azure-hbv3
NVIDIA/libredfish                                     | c094c9e   | 2025-11-30 | libredfish-mockups
ODIM-Project/BMCOperator                              | 27a102d   | 2023-08-31 | odim-bmc-operator
ROCm/ROCm                                             | 353d2fe   | 2025-01-27 | rocm-mi200
ROCm/amdgpu-docs                                      | 67902e2   | 2025-09-17 | rocm-mi300x
RRZE-HPC/likwid                                       | d9c523b   | 2026-06-29 | likwid-features; tools-that-read-settings
RedHatInsights/insights-core                          | 43cbb25   | 2026-08-04 | insights-examples
SAP/arp142-hana                                       | 197154f   | 2021-12-16 | sap-hana-checks
SUSE/saptune                                          | 36f6306   | 2026-03-16 | saptune-notes
amd/esmi_ib_library                                   | d494a31   | 2026-06-10 | amd-hsmp-messages; tools-that-read-settings
ansible/ansible                                       | c9ac477   | 2024-10-24 | ansible-virtual-machines
apache/cassandra                                      | 280b8e7   |            | cassandra-production
apache/kafka                                          | 2bbb452   |            | kafka-operations
cai-fuqiang/linux-4.18.0-147                          | 17d7805   |            | enterprise-linux-8-kernel
canonical/cloud-init                                  | 04eacd0   | 2026-08-21 | cloud-init-clouds
canonical/maas                                        | 9e51f33   | 2026-08-21 | maas-hooks
chef/fauxhai                                          | 382114a   | 2026-06-18 | fauxhai-platforms
chef/ohai                                             | 283191d   | 2026-08-11 | ohai-guests
cybozu-go/setup-hw                                    | 846e70d   | 2026-07-23 | cybozu-setup-hw
dell/iDRAC-Redfish-Scripting                          | e7ba763   | 2026-08-07 | dell-redfish-scripting
dell/omsdk                                            | 7d7ff3d   | 2023-06-26 | dell-omsdk
dongzhiyan-stack/linux-4.18.0-240.el8                 | 66eed32   |            | enterprise-linux-8-kernel
elastic/elasticsearch                                 | 137fc33   |            | elasticsearch-system-settings
elastic/elasticsearch                                 | 15f24d8   |            | elasticsearch-system-settings
elastic/elasticsearch                                 | 44c7a05   |            | elasticsearch-system-settings
fwupd/fwupd                                           | 6e95049   | 2026-08-21 | fwupd-processor-security; tools-that-read-settings
google/cadvisor                                       | 6a0c4f2   | 2026-07-20 | cadvisor-examples
grid5000/reference-repository                         | 9ebe1b1   | 2026-03-23 | grid5000-reference
intel/Intel-Linux-Processor-Microcode-Data-Files      | f910b0a   | 2025-11-10 | intel-microcode
intel/PerfSpect                                       | c399daa   | 2026-08-07 | intel-perfspect; perfspect-readings; tools-that-read-settings
intel/optimization-zone                               | b2f339a   | 2025-08-08 | intel-mysql-postgresql-guide
intel/optimization-zone                               | d9832e2   | 2026-08-06 | intel-cassandra-guide; intel-java-numa-study; intel-kafka-guide
intel/pcm                                             | 03cc68c   | 2025-12-08 | intel-latency-optimized-mode
intel/pepc                                            | 009cd01   | 2026-04-09 | intel-pepc-elc
intel/pepc                                            | 5be6011   | 2026-06-12 | intel-pepc-layout; intel-pepc-registers; pepc-hosts; tools-that-read-settings
jaypipes/ghw                                          | fedd4fe   | 2026-07-14 | ghw-snapshots
jiho-dev/linux-3.10.0-1127                            | a618975   |            | enterprise-linux-7-kernel
jullienl/HPE-COM-PowerShell-Library                   | cae921f   | 2026-06-26 | hpe-com-cmdlets
ltbringer/rkv                                         | 61e2c67   | 2023-04-13 | lscpu-of-c6a
lyonel/lshw                                           | ad4f7aa   | 2026-03-26 | lshw-products
minio/minio                                           | 7aac2a2c5 | 2026-02-12 | minio-tuned
mlcommons/inference_results_v2.1                      | c43f76f   | 2022-09-09 | mlperf-power-xr12
mlcommons/inference_results_v3.0                      | dad59af   | 2023-04-04 | poweredge-xeon-captures
mongodb/docs                                          | 58f1c22   |            | mongodb-production-notes
mongodb/docs                                          | 739c9f7   |            | mongodb-production-notes
mongodb/docs                                          | fcfd0bb   |            | mongodb-production-notes
opensearch-project/documentation-website              | cf95a341c | 2026-08-21 | opensearch-installation
openshift/assisted-installer-agent                    | a272a11   | 2026-04-16 | assisted-installer-agent
openshift/assisted-service                            | 001c4a0   |            | rhcos-images
openshift/cluster-node-tuning-operator                | d2394aa   | 2026-08-21 | openshift-node-tuning
openshift/openshift-docs                              | 0532daa   |            | redhat-ztp-firmware
openshift/openshift-docs                              | 512d21e   |            | openshift-hyperthreading
openstack/nova                                        | 68fbace   | 2025-09-02 | openstack-nova-real-time
postgres/postgres                                     | 183bbd1   |            | postgresql-manual
puppetlabs/facter                                     | c222602   | 2025-10-17 | facter-hypervisors
qemu/qemu                                             | d45f24f   |            | qemu-processors
quattor/template-library-standard                     | 6fa9032   | 2025-02-20 | quattor-epyc-processors; quattor-processors
rackerlabs/understack                                 | 2c8c08d   | 2026-08-19 | understack-r7615
redhat-performance/tuned                              | 2bfa442   | 2026-08-08 | tuned-intel-pstate; tuned-kvm-guest; tuned-network-latency; tuned-ppd
redis/docs                                            | 63f31f699 | 2026-08-21 | redis-administration
redno2/Application-latency-optimization-Linux         | 047b435   |            | swissquote-forex
redpanda-data/redpanda                                | 1c6cff3   | 2024-12-20 | redpanda-tuners
sap-linuxlab/community.sap_install                    | 438d390   | 2026-03-18 | sap-install-roles
sapcc/helm-charts                                     | 0d28c00   | 2026-06-30 | poweredge-xeon-captures
sapcc/helm-charts                                     | 14641da   | 2026-08-21 | lenovo-amd-captures; lenovo-v1-captures; lenovo-v3-xeon-captures; proliant-gen11-captures; sap-metal-settings
sapcc/helm-charts                                     | 20c6d73   |            | lenovo-v1-captures
spyroot/redfish_ctl                                   | 4c1765c   | 2026-07-27 | redfish-ctl-fixtures
stmcginnis/gofish                                     | d5dd7af   | 2026-07-20 | gofish-documents
suse-edge/suse-edge.github.io                         | 8086f568  | 2026-06-12 | suse-flexran
systemd/systemd                                       | 0099e55   |            | systemd-virtual-machines
terraform-cisco-modules/terraform-intersight-policies | 5ac40a6   | 2026-02-08 | cisco-bios-templates
torvalds/linux                                        | 001415e   |            | linux-cpu-files
torvalds/linux                                        | 002bba5   |            | linux-x86-registers
torvalds/linux                                        | 0049f04c  |            | linux-apic
torvalds/linux                                        | 005401e   |            | linux-cpu-flags
torvalds/linux                                        | 00a7dd64  |            | linux-interrupt-remapping
torvalds/linux                                        | 03195c6   |            | linux-x86-registers
torvalds/linux                                        | 0410c612  |            | linux-interrupt-remapping
torvalds/linux                                        | 08df88f   |            | linux-security-processor
torvalds/linux                                        | 0b500f5   |            | linux-feature-control
torvalds/linux                                        | 30c0923   |            | linux-cppc-files
torvalds/linux                                        | 48a7107   |            | linux-attack-vectors
torvalds/linux                                        | 5b05bb3   |            | linux-hsmp-sensors
tremb1e/linux-3.10.0-1160.el7                         | de8b6b6   |            | enterprise-linux-7-kernel
util-linux/util-linux                                 | 4b53cfd   | 2026-08-18 | lscpu-of-arm
valkey-io/valkey-doc                                  | fe8f96a2  | 2026-06-18 | valkey-administration
vesposito/easyucs                                     | 393efcd   | 2026-02-26 | easyucs-catalogue
voxpupuli/facterdb                                    | 0b27918   | 2026-02-28 | facterdb
weka/bios_tool                                        | 51e2a75   | 2026-05-15 | lenovo-amd-captures; poweredge-xeon-captures; supermicro-h13-captures; weka-bios-tool
weka/bios_tool                                        | af339f0   | 2025-09-29 | lenovo-amd-captures; supermicro-h13-captures
wturner123/azurestack-docs                            | 0ff7102   | 2025-09-16 | dell-azure-local
xcat2/confluent-docs                                  | 13dd3b7   | 2026-07-15 | lenovo-v1-captures
"""

COMMIT = re.compile(r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b")

NAMED = """
amd-epyc-9004-tuning     | 5842f18      | its message quotes the guide
linux-vm-table           | c843966c556d | what it changed
mongodb-production-notes | fcfd0bb      | which pin is of the service file
quattor-epyc-processors  | 3f8c111      | what it added
"""
"""The commits in words, which are not what was read, or say of a pin what it is for."""


def test_commits_have_the_days_of_their_repositories(knowledge: Knowledge) -> None:
    found: dict[tuple[str, str, str], set[str]] = {}
    for source in knowledge.sources.values():
        for pin in source.pins:
            found.setdefault((pin.repository, pin.commit, pin.date), set()).add(source.name)
    assert {
        (repository.removeprefix(HOST), commit, date, "; ".join(sorted(names)))
        for (repository, commit, date), names in found.items()
    } == {tuple(row) for row in rows(PINS)}


def test_no_other_commit_is_left_in_words(knowledge: Knowledge) -> None:
    named = {
        (source.name, commit)
        for source in knowledge.sources.values()
        for commit in COMMIT.findall(source.about)
    }
    assert named == {(source, commit) for source, commit, _ in rows(NAMED)}
