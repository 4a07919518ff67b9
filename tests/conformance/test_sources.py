"""The title pages: who wrote what, when, for whom, and where it can be read.

Compared with:

* the title pages of the 11G paper in both editions (the first is Japanese; its title is translated) and of the CERN
  study. The text of the 12G paper that is at hand lacks its title page: title, author and month are those of public
  copies. The 14G study is a page of Dell's HPC community: title and address are those of the page, the day is in the
  address. The day of the 12G paper and that of the Cascade Lake study are not printed, and 1 stands for them. No
  address of Dell's or CERN's own was found of the other papers;
* the pages of Red Hat's solutions 46111, 60365 and 202743 (which has "C-states" in quotation marks), of its Performance
  Tuning Guide 7 (section 7.4), its manual for Enterprise Linux 10 (the section; book and chapter are told in one
  title), its retirement notice, of IBM's tip (its address there has a further parameter), Microsoft's post, TuneD's
  issue 582 (its author signs the comment as yarda) and Dell's BIOS of the M420;
* the first lines and the last commits of the repositories DMI, os_release and distro, and the message of commit
  0bdc924bfb31;
* a copy of Red Hat's life cycle page, of which the title was seen alone;
* the kernel's pages on intel_idle and on the energy bias hint: title and author;
* Dell's page on Cascade Lake, the catalogue of servers, the copy of Intel's specifications and the R740xd's attributes;
* the patch "tick: Add tick skew boot option", which changelogs name with its author; the patch on Ubuntu's huge pages
  by its address, which has author and day, and not its title; the title of Red Hat's merge request, not its author.

Not compared, and from memory of them: titles and authors of the kernel's other pages and of x86_energy_perf_policy, and
Len Brown as the author of intel_idle. Where a file of the kernel or of a package is a source, its title says in this
library's words what is read there.
"""

import pytest

from conformance.printed import rows
from setpoint.compiler.knowledge.model import Knowledge, Source

TITLES = """
intel-microcode | Release notes of microcode (releasenote.md) |  | Intel | 2025-11-10 |  | https://github.com/intel/Intel-Linux-Processor-Microcode-Data-Files
linux-amd-generations | Generations of AMD's cores by family and model (arch/x86/kernel/cpu/amd.c) |  | The Linux kernel |  |  | https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git
linux-6.12-manual | The administrator's guide of Linux 6.12: kernel-parameters, sysctl, and networking/ip-sysctl |  | The Linux kernel |  |  | https://www.kernel.org/doc/html/v6.12/admin-guide/
linux-tables-of-sysctls | Tables of sysctls in the code that they are for |  | The Linux kernel |  |  | https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git
amd-hsmp-messages | Messages of HSMP (include/asm/amd_hsmp.h, src/e_smi.c of the E-SMI library) |  | AMD | 2026-06-10 |  | https://github.com/amd/esmi_ib_library
fwupd-processor-security | fwupd: what it reads of a processor's security (plugins/msr, plugins/acpi-dmar) | Richard Hughes | The fwupd project | 2026-08-21 |  | https://github.com/fwupd/fwupd
intel-pepc-layout | pepc: CPUs, and power saving of PCIe links (docs/guide-cpu-hotplug.md, pepclibs/ASPM.py) | Artem Bityutskiy | Intel | 2026-06-12 |  | https://github.com/intel/pepc
intel-pepc-registers | pepc: registers of power management (pepclibs/msr) | Antti Laakso, Artem Bityutskiy | Intel | 2026-06-12 |  | https://github.com/intel/pepc
likwid-features | LIKWID: features of processors (src/sysFeatures_*.c) |  | Erlangen National High Performance Computing Center | 2026-06-29 |  | https://github.com/RRZE-HPC/likwid
linux-cppc-files | Collaborative Processor Performance Control (admin-guide/acpi/cppc_sysfs) |  | The Linux kernel |  |  | https://github.com/torvalds/linux
linux-cpu-files | Files of CPUs (Documentation/ABI/testing/sysfs-devices-system-cpu) |  | The Linux kernel |  |  | https://github.com/torvalds/linux
linux-cpu-flags | Flags of processors (arch/x86/include/asm/cpufeatures.h) |  | The Linux kernel |  |  | https://github.com/torvalds/linux
linux-feature-control | What the kernel makes of IA32_FEAT_CTL (arch/x86/kernel/cpu/feat_ctl.c) |  | The Linux kernel |  |  | https://github.com/torvalds/linux
linux-hsmp-sensors | Sensors of HSMP (drivers/platform/x86/amd/hsmp/hwmon.c) |  | The Linux kernel |  |  | https://github.com/torvalds/linux
linux-security-processor | Files of AMD's security processor (Documentation/ABI/testing/sysfs-driver-ccp) |  | The Linux kernel |  |  | https://github.com/torvalds/linux
linux-x86-registers | Registers of x86 processors (arch/x86/include/asm/msr-index.h, apicdef.h) |  | The Linux kernel |  |  | https://github.com/torvalds/linux
perfspect-readings | PerfSpect: what it reads of a system's configuration (internal/script/scripts.go, internal/extract) |  | Intel | 2026-08-07 |  | https://github.com/intel/PerfSpect
tools-that-read-settings | What seven tools read of a server's settings |  | The authors of this library | 2026-11-27 |  |
amd-esmi | E-SMI in-band library: the header e_smi.h |  | AMD |  |  | https://github.com/amd/esmi_ib_library
amd-specifications | Product specifications: AMD EPYC |  | AMD |  |  | https://github.com/felixsteinke/cpu-spec-dataset
centos-stream-9-mr-3972         | arch/x86: mark x86_64-v1 and x86_64-v2 processors as deprecated                                    | Prarit Bhargava                | Red Hat                     |            |                   | https://gitlab.com/redhat/centos-stream/src/kernel/centos-stream-9/-/merge_requests/3972
cern-nehalem                    | Evaluation of energy consumption and performance of Intel's Nehalem architecture                   | Axel Busch, Julien Leduc       | CERN openlab                | 2009-10-29 |                   |
livepatch-kernels | Kernels covered by Livepatch |  | Canonical |  |  | https://ubuntu.com/security/livepatch/docs/kernels
os-catalog | os_catalog: files of distributions (linux/DISTRIBUTION/VERSION/etc/os-release) |  | HiganWorks | 2023-10-29 |  | https://github.com/higanworks/os_catalog
sap-hana-checks | saphana-checks: does the kernel match the release (scripts/lib/check/0050_os_release_kernel_sles.check) | Peter Pitterling | SAP | 2021-12-16 |  | https://github.com/SAP/arp142-hana
cms-singularity                 | Using singularity to develop/run CMSSW                                                             |                                | CMS offline software        |            |                   |
cpuspeed                        | /etc/sysconfig/cpuspeed, as the cpuspeed package ships it                                          |                                | Red Hat                     |            |                   |
dell-11g-hpc                    | Optimal BIOS Settings for High Performance Computing with PowerEdge 11G Servers                    | Jacob Liberman, Garima Kochhar | Dell                        | 2010-08-23 | dell-11g-hpc-2009 |
dell-11g-hpc-2009               | Optimal BIOS Settings for HPC Workloads on PowerEdge 11G Servers (first edition, in Japanese)      | Jacob Liberman, Garima Kochhar | Dell                        | 2009-07-13 |                   |
dell-12g-tuning                 | BIOS Performance and Power Tuning Guidelines for Dell PowerEdge 12th Generation Servers            | John Beckett                   | Dell                        | 2012-12-01 |                   |
dell-14g-hpc                    | BIOS characterization for HPC with Intel Skylake processor                                         | Ashish Kumar Singh             | Dell EMC HPC Innovation Lab | 2017-08-01 |                   | http://en.community.dell.com/techcenter/high-performance-computing/b/general_hpc/archive/2017/08/01/bios-characterization-for-hpc-with-intel-skylake-processor
dell-bios-m420-2.7.0            | Dell Server PowerEdge BIOS M420 Version 2.7.0                                                      |                                | Dell                        | 2018-06-27 |                   | https://www.dell.com/support/home/en-ph/drivers/driversdetails?driverId=DGJP2
dell-bios-r740xd-2.24.0         | BIOS attributes of a PowerEdge R740xd, BIOS 2.24.0                                                 |                                | Dell                        |            |                   | https://github.com/djsincla/GroundZero
dell-bios-registries | BIOS attribute registries of PowerEdge R710, R720, R630, R740 and R750, and values of an R7615 and a T630 |  | Dell |  |  |
dell-cascade-lake-hpc           | BIOS characterization for HPC with Intel Cascade Lake processors                                   | Varun Bawa, Savitha Pareek, Ashish K Singh | Dell EMC HPC and AI Innovation Lab | 2019-04-01 |        | https://www.dell.com/support/kbdoc/en-us/000176921/bios-characterization-for-hpc-with-intel-cascade-lake-processors
dell-omsdk                      | OMSDK: the registry of BIOS attributes (omdrivers/iDRAC/xml/BIOS.xml)                              |                                | Dell                        | 2023-06-26 |                   | https://github.com/dell/omsdk
dell-redfish-scripting          | iDRAC-Redfish-Scripting                                                                            |                                | Dell                        | 2026-08-07 |                   | https://github.com/dell/iDRAC-Redfish-Scripting
dell-t610-manual                | Dell PowerEdge T610 Hardware Owner's Manual                                                        |                                | Dell                        |            |                   | https://www.manualowl.com/m/Dell/PowerEdge-T610/Manual/189808?page=125
distro-test-files               | distro: files of distributions for its tests (tests/resources/distros)                             |                                | python-distro               | 2026-06-29 |                   | https://github.com/python-distro/distro
hpe-com-cmdlets | HPE Compute Ops Management PowerShell library: New-HPECOMSettingServerBios (Modules/COM-Settings.psm1) | Lionel Jullien | HPE | 2026-06-26 |  | https://github.com/jullienl/HPE-COM-PowerShell-Library
hpe-ilo-bios-reference | BIOS resource definitions of iLO 5 v3.09 and iLO 6 v1.70 |  | HPE | 2025-12-15 |  | https://github.com/HPEDevCom/redfishdocs
hpe-ilo-messages | Response message definitions of HPE iLO 6 version 1.70 |  | HPE | 2025-12-15 |  | https://github.com/HPEDevCom/redfishdocs
hpe-dl360-gen10-plus-registry | BIOS attribute registry of a ProLiant DL360 Gen10 Plus |  | HPE |  |  |
hpe-dl385-gen10-plus-v2-registry | BIOS attribute registry of a ProLiant DL385 Gen10 Plus v2 |  | HPE |  |  |
hpe-dl380a-gen11-registry | BIOS attribute registry of a ProLiant DL380a Gen11 |  | HPE |  |  |
ibm-h207000                     | Linux Ignores C-State Settings in Unified Extensible Firmware Interface (UEFI)                     |                                | IBM                         |            |                   | http://www-947.ibm.com/support/entry/portal/docdisplay?lndocid=MIGR-5091901
intel-specifications            | Product specifications                                                                             |                                | Intel                       |            |                   | https://github.com/felixsteinke/cpu-spec-dataset
lenovo-bios-registries | BIOS attribute registry of a Lenovo ThinkSystem SR670 V2 |  | Lenovo |  |  |
libredfish-mockups              | libredfish: mockups of Redfish services (tests/mockups)                                            |                                | NVIDIA                      | 2025-11-30 |                   | https://github.com/NVIDIA/libredfish
linux-0bdc924bfb31              | net: openvswitch: Fix the dead loop of MPLS parse (commit 0bdc924bfb31)                            | Faicker Mo                     | The Linux kernel            |            |                   | https://git.kernel.org/linus/0bdc924bfb31
linux-cpufreq                   | drivers/cpufreq/Kconfig: the default governor                                                      |                                | The Linux kernel            |            |                   |
linux-amd-pstate | amd-pstate CPU Performance Scaling Driver (admin-guide/pm/amd-pstate) | Huang Rui | The Linux kernel |  |  | https://docs.kernel.org/admin-guide/pm/amd-pstate.html
linux-block-schedulers | Switching Scheduler (block/switching-sched) |  | The Linux kernel |  |  | https://docs.kernel.org/block/switching-sched.html
ethtool-manual | ethtool(8) |  | The Linux kernel |  |  | https://manpages.debian.org/bookworm/ethtool/ethtool.8.en.html
linux-i40e | Linux Base Driver for the Intel(R) Ethernet Controller 700 Series (ethernet/intel/i40e) | Intel | The Linux kernel |  |  | https://docs.kernel.org/networking/device_drivers/ethernet/intel/i40e.html
linux-ice | Linux Base Driver for the Intel(R) Ethernet Controller 800 Series (ethernet/intel/ice) | Intel | The Linux kernel |  |  | https://docs.kernel.org/networking/device_drivers/ethernet/intel/ice.html
linux-net-dim | Net DIM - Generic Network Dynamic Interrupt Moderation (networking/net_dim) | Tal Gilboa | The Linux kernel |  |  | https://docs.kernel.org/networking/net_dim.html
linux-hugetlb | HugeTLB Pages (admin-guide/mm/hugetlbpage) |  | The Linux kernel |  |  | https://docs.kernel.org/admin-guide/mm/hugetlbpage.html
linux-ip-sysctl | IP Sysctl (networking/ip-sysctl) |  | The Linux kernel |  |  | https://docs.kernel.org/networking/ip-sysctl.html
linux-ksm | Kernel Samepage Merging (admin-guide/mm/ksm) |  | The Linux kernel |  |  | https://docs.kernel.org/admin-guide/mm/ksm.html
linux-sched-rt | Real-Time group scheduling (scheduler/sched-rt-group) |  | The Linux kernel |  |  | https://docs.kernel.org/scheduler/sched-rt-group.html
linux-thp-admin | Transparent Hugepage Support (admin-guide/mm/transhuge) |  | The Linux kernel |  |  | https://docs.kernel.org/admin-guide/mm/transhuge.html
linux-x86-boot-options | AMD64 Specific Boot Options (x86/x86_64/boot-options) |  | The Linux kernel |  |  | https://docs.kernel.org/arch/x86/x86_64/boot-options.html
linux-cpu-isolation | CPU Isolation (admin-guide/cpu-isolation) |  | The Linux kernel |  |  | https://docs.kernel.org/admin-guide/cpu-isolation.html
openshift-node-tuning | Cluster Node Tuning Operator (assets/performanceprofile/tuned) |  | Red Hat | 2026-08-21 |  | https://github.com/openshift/cluster-node-tuning-operator
systemctl-manual | systemctl(1) |  | systemd |  |  | https://www.freedesktop.org/software/systemd/man/systemctl.html
openshift-fwupd-refresh | Unconditionally disable fwupd-refresh.timer (cluster-node-tuning-operator, pull request 1591) | Bart Wensley | Red Hat | 2026-08-18 |  | https://github.com/openshift/cluster-node-tuning-operator/pull/1591
sap-hana-checks-vmware | cpuidle: add SAP Note for VMware (arp142-hana, pull request 438) | Peter Pitterling | SAP | 2025-11-27 |  | https://github.com/SAP/arp142-hana/pull/438
rhcos-images | assisted-service: images of RHEL CoreOS by release of OpenShift |  | Red Hat |  |  | https://github.com/openshift/assisted-service
amazon-linux-2023-guide | Amazon Linux 2023 user guide: naming and versioning |  | Amazon Web Services |  |  | https://docs.aws.amazon.com/linux/al2023/ug/naming-and-versioning.html
openshift-hyperthreading | Configuring hyperthreading for a cluster (openshift-docs, modules/configuring_hyperthreading_for_a_cluster.adoc) |  | Red Hat |  |  | https://github.com/openshift/openshift-docs/blob/main/modules/configuring_hyperthreading_for_a_cluster.adoc
systemd-of-suse | systemd-system.conf(5) of the systemd of SLES (openSUSE/systemd, man/systemd-system.conf.xml) |  | SUSE |  |  | https://github.com/openSUSE/systemd
sap-install-roles | Ansible roles for SAP software (roles/ROLE/vars/RedHat_RELEASE.yml) |  | SAP LinuxLab | 2026-03-18 |  | https://github.com/sap-linuxlab/community.sap_install
tuned-kvm-guest | TuneD: profiles/sap-hana-kvm-guest/tuned.conf |  | Red Hat | 2026-08-08 |  | https://github.com/redhat-performance/tuned
tuned-ppd | TuneD: tuned-ppd, which takes requests for power profiles (tuned/ppd) |  | Red Hat | 2026-08-08 |  | https://github.com/redhat-performance/tuned
firecracker-c-states | Stop messing with C-states in performance tests (firecracker, pull request 4981) |  | Amazon Web Services | 2025-01-07 |  | https://github.com/firecracker-microvm/firecracker/pull/4981
linux-apic | arch/x86/kernel/apic/apic.c: try_to_enable_x2apic(); arch/x86/kernel/cpu/topology.c: how APIC IDs are laid out |  | The Linux kernel |  |  | https://github.com/torvalds/linux
linux-interrupt-remapping | drivers/iommu/intel/irq_remapping.c and drivers/iommu/amd/init.c: what interrupt remapping needs |  | The Linux kernel |  |  | https://github.com/torvalds/linux
linux-kvm | arch/x86/kvm/x86.c: kvm_arch_init() |  | The Linux kernel |  |  |
linux-vfio | VFIO - "Virtual Function I/O" (driver-api/vfio) |  | The Linux kernel |  |  | https://docs.kernel.org/driver-api/vfio.html
nvidia-kernel-dl-server | Skip DL server initialization on nohz_full CPUs (NV-Kernels, pull request 400) |  | NVIDIA | 2026-04-29 |  | https://github.com/NVIDIA/NV-Kernels/pull/400
tuned-intel-pstate | TuneD: function_intel_recommended_pstate.py |  | Red Hat | 2026-08-08 |  | https://github.com/redhat-performance/tuned
linux-attack-vectors | Attack Vector Controls (admin-guide/hw-vuln/attack_vector_controls) |  | The Linux kernel |  |  | https://docs.kernel.org/admin-guide/hw-vuln/attack_vector_controls.html
linux-uncore-frequency | Intel Uncore Frequency Scaling (admin-guide/pm/intel_uncore_frequency_scaling) | Srinivas Pandruvada | The Linux kernel |  |  | https://docs.kernel.org/admin-guide/pm/intel_uncore_frequency_scaling.html
intel-pepc-elc | Intel Xeon Uncore ELC (Efficiency Latency Control) (docs/misc-uncore-elc.md) | Artem Bityutskiy | Intel | 2026-04-09 |  | https://github.com/intel/pepc
inotify-manual | inotify(7) |  | Linux man-pages |  |  | https://man7.org/linux/man-pages/man7/inotify.7.html
proc-manual | proc(5) |  | Linux man-pages |  |  | https://man7.org/linux/man-pages/man5/proc.5.html
linux-listen-backlog | net: increase sk_[max_]ack_backlog (commit becb74f0acca) |  | The Linux kernel | 2015-03-19 |  | https://git.kernel.org/linus/becb74f0acca
linux-tcp-init | net/ipv4/tcp.c: the buffers of TCP when it starts |  | The Linux kernel |  |  |
enterprise-linux-7-kernel | The kernel of Enterprise Linux 7: 3.10.0-1127 of 7.8 and 3.10.0-1160 of 7.9 |  | Red Hat |  |  |
enterprise-linux-8-kernel | The kernel of Enterprise Linux 8: 4.18.0-147 of 8.1 and 4.18.0-240 of 8.3 |  | Red Hat |  |  |
lenovo-spec-flags | SPEC CPU2006 platform settings for Lenovo systems (Lenovo-Platform-Flags-V1.2-SKL-C) |  | Lenovo |  |  | https://spec.org/cpu2006/flags/Lenovo-Platform-Flags-V1.2-SKL-C.html
linux-before-5.6 | The kernel's documentation of Linux 4.12, 5.3 and 5.4 |  | The Linux kernel |  |  | https://www.kernel.org/doc/html/v5.4/admin-guide/index.html
linux-intel-idle-before-5.6 | drivers/idle/intel_idle.c of Linux 4.12, 5.3 and 5.4 |  | The Linux kernel |  |  | https://git.kernel.org/pub/scm/linux/kernel/git/stable/linux.git/tree/drivers/idle/intel_idle.c?h=v5.4
linux-cpuidle                   | CPU Idle Time Management                                                                           | Rafael J. Wysocki              | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/pm/cpuidle.html
linux-cpusets                   | Control groups, version 2: the cpuset controller                                                   |                                | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/cgroup-v2.html
linux-energy-perf-policy        | tools: create power/x86/x86_energy_perf_policy (commit d5532ee7b40b)                               | Len Brown                      | The Linux kernel            |            |                   | https://git.kernel.org/linus/d5532ee7b40b
linux-hardware-dmi              | DMI Tables: decoded DMI tables of computers, collected by Linux users                              |                                | linux-hardware.org          | 2025-01-06 |                   | https://github.com/linuxhw/DMI
linux-kernel-messages | Messages to the mailing lists of the Linux kernel | | lore.kernel.org | | | https://lore.kernel.org/
lshw-products | lshw: src/core/dmi.cc | Lyonel Vincent | lshw | 2026-03-26 | | https://github.com/lyonel/lshw
hms-smd-fixtures | Hardware State Manager: answers of controllers, collected for tests | | Hewlett Packard Enterprise | 2025-11-18 | | https://github.com/Cray-HPE/hms-smd
maas-hooks | MAAS: src/metadataserver/builtin_scripts/tests/test_hooks.py | | Canonical | 2026-08-21 | | https://github.com/canonical/maas
assisted-installer-agent | Assisted Installer Agent: src/inventory/system_vendor.go | | Red Hat | 2026-04-16 | | https://github.com/openshift/assisted-installer-agent
grid5000-reference | Grid'5000 reference repository | The Grid'5000 technical team | Grid'5000 | 2026-03-23 | | https://github.com/grid5000/reference-repository
chameleon-alamo | Nodes of the cluster alamo | | Chameleon | | | https://api.chameleoncloud.org/sites/tacc/clusters/alamo/nodes
tenable-dsa-2024-035 | Dell Client BIOS Privilege Escalation (DSA-2024-035) | | Tenable | 2024-04-05 | | https://www.tenable.com/plugins/nessus/192946
easyucs-catalogue | EasyUCS: catalogue of UCS servers | | Cisco | 2026-02-26 | | https://github.com/vesposito/easyucs
linux-hardware-lscpu            | LsCPU: output of lscpu on computers, collected by Linux users                                       |                                | linux-hardware.org          |            |                   | https://github.com/linuxhw/LsCPU
linux-intel-epb                 | Intel Performance and Energy Bias Hint (admin-guide/pm/intel_epb)                                  | Rafael J. Wysocki              | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/pm/intel_epb.html
linux-intel-idle                | intel_idle: drivers/idle/intel_idle.c, and its page in the admin guide (admin-guide/pm/intel_idle) | Len Brown, Rafael J. Wysocki   | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/pm/intel_idle.html
linux-intel-pstate              | intel_pstate CPU Performance Scaling Driver (admin-guide/pm/intel_pstate)                          | Rafael J. Wysocki              | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/pm/intel_pstate.html
linux-kernel-parameters         | The kernel's command-line parameters                                                               |                                | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/kernel-parameters.html
linux-numa-balancing            | init/Kconfig: automatic NUMA balancing                                                             |                                | The Linux kernel            |            |                   |
linux-sysctl                    | Documentation for /proc/sys (admin-guide/sysctl: fs, kernel, net, vm)                                  |                                | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/sysctl/index.html
linux-sysctl-el7                | Documentation/sysctl/vm.txt of Linux 3.10                                                          |                                | The Linux kernel            |            |                   |
linux-sysfs-block               | sysfs-block: the attributes of block devices (ABI/stable)                                          |                                | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/abi-stable.html
linux-thp                       | mm/Kconfig: Transparent Hugepage Support sysfs defaults                                            |                                | The Linux kernel            |            |                   |
linux-tick-skew                 | tick: Add tick skew boot option                                                                    | Mike Galbraith                 | The Linux kernel            |            |                   |
ubuntu-2604-image | Ubuntu 26.04 LTS: the software of an image (images/ubuntu/Ubuntu2604-Readme.md) |  | GitHub Actions | 2026-07-12 |  | https://github.com/actions/runner-images
linux-uts                       | include/linux/uts.h: what uname returns                                                            |                                | The Linux kernel            |            |                   | https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git/tree/include/linux/uts.h
linux-vm-table                  | kernel/sysctl.c: the table of the vm sysctls, with their bounds                                    |                                | The Linux kernel            |            |                   |
linux-x86-process               | arch/x86/kernel/process.c: the idle routine of x86                                                 |                                | The Linux kernel            |            |                   |
microsoft-hardware-support-2016 | Clarifying our hardware platform support                                                           |                                | Microsoft                   | 2016-02-19 |                   | https://cloudblogs.microsoft.com/windowsserver/2016/02/19/clarifying-our-hardware-platform-support/
os-release-files                | os_release: /etc/os-release files from various distributions                                       |                                | Chef                        | 2026-04-17 |                   | https://github.com/chef/os_release
poweredge-catalogue             | Catalogue of Dell PowerEdge servers (DELL_SERVER_CATALOGUE)                                        | Tigerblue77 and contributors   | Dell iDRAC fan controller Docker image |   |                   | https://github.com/tigerblue77/Dell_iDRAC_fan_controller_Docker
racadm-commands                 | Published commands for racadm                                                                      |                                | Administrators              |            |                   |
redfish-captures                | Redfish resources of captured servers                                                              |                                | Administrators              |            |                   |
redhat-202743                   | What are CPU C-states and how to disable them if needed?                                           |                                | Red Hat                     |            |                   | https://access.redhat.com/solutions/202743
linux-serial-console            | Linux Serial Console (admin-guide/serial-console)                                                  |                                | The Linux kernel            |            |                   | https://docs.kernel.org/admin-guide/serial-console.html
linux-x86-boot                  | The Linux/x86 Boot Protocol (x86/boot)                                                             |                                | The Linux kernel            |            |                   | https://docs.kernel.org/arch/x86/boot.html
suse-flexran                    | Deploying Intel FlexRAN on the SUSE Adaptive Telco Infrastructure Platform                         | Alberto Morgante Medina        | SUSE                        | 2023-07-28 |                   | https://github.com/suse-edge/suse-edge.github.io/blob/main/blog/2023-07-28-flexran.md
systemd-kernel-command-line     | kernel-command-line(7)                                                                             |                                | systemd                     |            |                   | https://www.freedesktop.org/software/systemd/man/kernel-command-line.html
redhat-46111                    | How to use, monitor, and disable transparent hugepages in Red Hat Enterprise Linux 6?              |                                | Red Hat                     |            |                   | https://access.redhat.com/solutions/46111
redhat-60365                    | RHEL 6.1/6.2 System Experiencing Short, Recoverable Hangs                                          |                                | Red Hat                     |            |                   | https://access.redhat.com/solutions/60365
redhat-el10-c-states            | Network troubleshooting and performance tuning, Enterprise Linux 10: improving the network latency |                                | Red Hat                     |            |                   | https://docs.redhat.com/en/documentation/red_hat_enterprise_linux/10
redhat-el6-retirement           | Red Hat Enterprise Linux 6 retirement notice                                                       |                                | Red Hat                     |            |                   |
redhat-el7-tuning               | Red Hat Enterprise Linux 7 Performance Tuning Guide                                                |                                | Red Hat                     |            |                   |
redhat-life-cycle               | Red Hat Enterprise Linux Life Cycle                                                                |                                | Red Hat                     |            |                   | https://access.redhat.com/support/policy/updates/errata
rocky-version-table             | Rocky Linux wiki: version table                                                                    |                                | Rocky Enterprise Software Foundation |            |                   | https://wiki.rockylinux.org/include/releng/version_table
supermicro-bios-registries | BIOS attribute registry of a Supermicro SYS-821GE-TNHR, BIOS 1.4 |  | Supermicro |  |  |
saptune-notes | saptune: the notes (ospackage/usr/share/saptune/notes) |  | SUSE | 2026-03-16 |  | https://github.com/SUSE/saptune
intel-cassandra-guide | Tuning guide for Apache Cassandra on Intel Xeon (software/cassandra/README.md) |  | Intel | 2025-08-08 |  | https://github.com/intel/optimization-zone
intel-java-numa-study | Java server-side workload: taking advantage of NUMA (hardware/NUMA/case_studies/java_server_side_workload.md) |  | Intel | 2026-08-06 |  | https://github.com/intel/optimization-zone
intel-latency-optimized-mode | Latency Optimized Mode in Intel Xeon 6 processors (doc/LATENCY-OPTIMIZED-MODE.md) |  | Intel | 2025-12-08 |  | https://github.com/intel/pcm
sap-metal-settings | Metal settings: BIOS settings of servers (system/metal-settings/bios_settings) |  | SAP | 2026-08-21 |  | https://github.com/sapcc/helm-charts
intel-kafka-guide | Tuning guide for Apache Kafka on Intel Xeon (software/kafka/README.md) |  | Intel | 2026-02-17 |  | https://github.com/intel/optimization-zone
redpanda-tuners | rpk: the tuners (src/go/rpk/pkg/tuners) |  | Redpanda | 2024-12-20 |  | https://github.com/redpanda-data/redpanda
tuned-el6                       | tuned 0.2: the shipped profiles (tune-profiles/NAME/)                                              |                                | Red Hat                     |            |                   | https://github.com/redhat-performance/tuned
irqbalance-manual | irqbalance(1) |  | Irqbalance |  |  | https://github.com/Irqbalance/irqbalance/blob/master/irqbalance.1
linux-cpufreq-sysfs | CPU Performance Scaling (admin-guide/pm/cpufreq) | Rafael J. Wysocki | The Linux kernel |  |  | https://docs.kernel.org/admin-guide/pm/cpufreq.html
linux-power-sysfs | sysfs-devices-power (ABI/testing) | Rafael J. Wysocki | The Linux kernel |  |  | https://docs.kernel.org/admin-guide/abi-testing.html
systemd-resource-control | systemd.resource-control(5) |  | systemd |  |  | https://www.freedesktop.org/software/systemd/man/systemd.resource-control.html
systemd-system-conf | systemd-system.conf(5) |  | systemd |  |  | https://www.freedesktop.org/software/systemd/man/systemd-system.conf.html
tuned-plugins | TuneD: the plugins (tuned/plugins/plugin_NAME.py) |  | Red Hat |  |  | https://github.com/redhat-performance/tuned
tuned-later-plugins | TuneD 2.28.0-rc.1: the plugins (tuned/plugins/plugin_NAME.py) |  | Red Hat |  |  | https://github.com/redhat-performance/tuned/tree/v2.28.0-rc.1
linux-6.12-parameters | The kernel's command-line parameters, Linux 6.12 |  | The Linux kernel |  |  | https://www.kernel.org/doc/html/v6.12/admin-guide/kernel-parameters.html
linux-modules | Parameters and sysctls of modules: nvme/host/core.c, cpuidle/cpuidle-haltpoll.c, sunrpc/xprtsock.c |  | The Linux kernel |  |  |
linux-mq-deadline | The scheduler mq-deadline (block/mq-deadline.c) |  | The Linux kernel |  |  | https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git
linux-scaling | Scaling in the Linux Networking Stack (networking/scaling) |  | The Linux kernel |  |  | https://docs.kernel.org/networking/scaling.html
linux-conntrack | Netfilter Conntrack Sysfs variables (networking/nf_conntrack-sysctl) |  | The Linux kernel |  |  | https://docs.kernel.org/networking/nf_conntrack-sysctl.html
fdio-csit-testbeds | FD.io CSIT: the settings of its test beds (docs/content/infrastructure/testbed_configuration) |  | FD.io | 2024-12-04 |  | https://github.com/FDio/csit
suse-epyc-9004 | Optimizing Linux for AMD EPYC 9004 Series Processors with SUSE Linux Enterprise 15 SP4 | Mel Gorman, Martin Jambor, Dario Faggioli, Brent Hollingsworth | SUSE | 2025-04-24 |  | https://documentation.suse.com/sbp/tuning-performance/html/SBP-AMD-EPYC-4-SLES15SP4/index.html
suse-epyc-9005 | Optimizing Linux for AMD EPYC 9005 Series Processors with SUSE Linux Enterprise 15 SP6 | Yousaf Kaukab, Mel Gorman, Tony Jones, Martin Jambor, Dario Faggioli, Kim Naru | SUSE | 2025-04-24 |  | https://documentation.suse.com/sbp/tuning-performance/html/SBP-AMD-EPYC-5-SLES15SP6/index.html
tuned-issue-582                 | How does tuned work behind the scene for power saving (issue 582 of TuneD)                         | Jaroslav Škarvada              | Red Hat                     | 2024-01-25 |                   | https://github.com/redhat-performance/tuned/issues/582
tuned-2.15                      | TuneD 2.15.0: the shipped profiles (profiles/NAME/tuned.conf)                                      |                                | Red Hat                     |            |                   | https://github.com/redhat-performance/tuned/tree/v2.15.0
tuned-2.25                      | TuneD 2.25.1: the shipped profiles (profiles/NAME/tuned.conf)                                      |                                | Red Hat                     |            |                   | https://github.com/redhat-performance/tuned/tree/v2.25.1
tuned-releases                  | TuneD: the shipped profiles in each release from 2.10.0 to 2.28.0-rc.1 (profiles/NAME/tuned.conf)  |                                | Red Hat                     |            |                   | https://github.com/redhat-performance/tuned/tags
tuned-profiles                  | TuneD: the shipped profiles (profiles/NAME/tuned.conf)                                             |                                | Red Hat                     |            |                   | https://github.com/redhat-performance/tuned
amd-epyc-9004-tuning | BIOS & Workload Tuning Guide for AMD EPYC 9004 Series Processors (58011) |  | AMD | 2025-05-09 |  | https://docs.amd.com/v/u/en-US/58011-epyc-9004-tg-bios-and-workload
understack-r7615 | understack: the BIOS values of an R7615 (_redfish_v1_Systems_System.Embedded.1_Bios.json) |  | Rackspace | 2026-08-19 |  | https://github.com/rackerlabs/understack
cybozu-setup-hw | setup-hw: pkg/setup-hw/dell.go |  | Cybozu | 2026-07-23 |  | https://github.com/cybozu-go/setup-hw
dell-azure-local | Dell solutions for Azure Local: BIOS and iDRAC configuration recommendations |  | Dell | 2025-09-16 |  | https://github.com/wturner123/azurestack-docs
dell-16g-bios-settings | BIOS Settings for Optimized Performance on Next-Generation Dell PowerEdge Servers |  | Dell | 2023-11-02 |  | https://infohub.delltechnologies.com/en-us/p/bios-settings-for-optimized-performance-on-next-generation-dell-poweredge-servers/
intel-perfspect | PerfSpect: insights of its report (cmd/report/report_tables.go) |  | Intel | 2026-08-07 |  | https://github.com/intel/PerfSpect
poweredge-xeon-captures | BIOS attributes of Dell PowerEdge servers with Xeon processors since the fourth generation |  | Administrators | 2026-10-10 |  |
quattor-epyc-processors | Quattor template library: hardware/cpu/amd |  | Quattor | 2025-02-20 |  | https://github.com/quattor/template-library-standard
quattor-processors | Quattor template library: hardware/cpu/intel |  | Quattor | 2025-02-20 |  | https://github.com/quattor/template-library-standard
linux-intel-pstate-driver | drivers/cpufreq/intel_pstate.c |  | The Linux kernel |  |  | https://github.com/torvalds/linux/blob/master/drivers/cpufreq/intel_pstate.c
kubernetes-topology-manager | Kubernetes: control topology management policies on a node |  | Kubernetes |  |  | https://kubernetes.io/docs/tasks/administer-cluster/topology-manager/
hpe-gen10-profiles | UEFI workload-based performance tuning for Gen10: workload profiles dependencies overview |  | HPE |  |  | https://techlibrary.hpe.com/docs/iss/proliant-gen10-uefi/GUID-589E2F09-2C71-4945-886B-84CA37BD5B43.html
hpe-ilo5-reference | iLO 5 RESTful API: resource definitions and examples |  | HPE | 2020-01-30 |  | https://github.com/HewlettPackard/ilo-rest-api-docs
odim-bmc-operator | BMC Operator for ODIM: user guide |  | ODIM project | 2023-08-31 |  | https://github.com/ODIM-Project/BMCOperator
lenovo-v1-captures | UEFI values of Lenovo ThinkSystem V1 servers with Xeon |  | Administrators and Lenovo |  |  |
proliant-gen11-captures | BIOS values of HPE ProLiant Gen11 servers with Xeon |  | Administrators | 2026-08-21 |  | https://github.com/sapcc/helm-charts
lenovo-v3-xeon-captures | UEFI values of Lenovo ThinkSystem V3 servers with Xeon |  | Administrators | 2026-08-21 |  | https://github.com/sapcc/helm-charts
lenovo-amd-captures | UEFI values of Lenovo ThinkSystem V3 servers with EPYC 9004 processors |  | Administrators | 2026-08-21 |  |
supermicro-h13-captures | BIOS values of a Supermicro AS-1115CS-TNR |  | Administrators | 2026-05-15 |  | https://github.com/weka/bios_tool
poweredge-amd-captures | BIOS values of Dell PowerEdge servers with EPYC processors |  | Administrators |  |  |
cisco-bios-templates | terraform-intersight-policies, defaults.yaml: bios_templates |  | Cisco | 2026-02-08 |  | https://github.com/terraform-cisco-modules/terraform-intersight-policies
cisco-bios-tokens | cisco.intersight.intersight_bios_policy |  | Cisco | 2026-08-03 |  | https://github.com/CiscoDevNet/intersight-ansible
cisco-m6-tuning | Performance Tuning Guide for Cisco UCS M6 Servers |  | Cisco | 2022-04-01 |  | https://www.cisco.com/c/en/us/products/collateral/servers-unified-computing/ucs-b-series-blade-servers/performance-tuning-guide-ucs-m6-servers.html
cisco-m7-tuning | Cisco UCS M7 platforms: white paper on BIOS settings (ucs-m7-platforms-wp) |  | Cisco |  |  | https://www.cisco.com/c/en/us/products/collateral/servers-unified-computing/ucs-b-series-blade-servers/ucs-m7-platforms-wp.html
cisco-server-guide | Cisco UCS Manager Server Management Guide, Release 4.3 |  | Cisco |  |  | https://www.cisco.com/c/en/us/td/docs/unified_computing/ucs/ucs-manager/GUI-User-Guides/Server-Mgmt/4-3/b_cisco_ucs_manager_server_mgmt_guide_4_3.html
systemd-debug-shell | systemd-debug-generator(8) |  | systemd |  |  | https://www.freedesktop.org/software/systemd/man/latest/systemd-debug-generator.html
cisco-m8-intel-tuning | BIOS performance and workload tuning guide for Cisco UCS M8 platforms, using the Intel Xeon 6 processor family |  | Cisco | 2026-03-26 |  | https://www.cisco.com/c/en/us/products/collateral/servers-unified-computing/ucs-c-series-rack-servers/bios-tuning-guide-ucs-m8-intel-xeon-wp.html
clickhouse-tips | Usage recommendations (docs/en/operations/tips.md) |  | ClickHouse |  |  | https://github.com/ClickHouse/ClickHouse
compliance-as-code | SCAP content of ComplianceAsCode: rules for sysctls (linux_os/guide/system) |  | ComplianceAsCode | 2026-08-21 |  | https://github.com/ComplianceAsCode/content
elasticsearch-system-settings | Important system configuration (docs/reference/setup/sysconfig) |  | Elastic |  |  | https://github.com/elastic/elasticsearch
intel-mysql-postgresql-guide | MySQL & PostgreSQL tuning guide (software/mysql-postgresql/README.md) |  | Intel | 2025-07-09 |  | https://github.com/intel/optimization-zone
minio-tuned | Tuned profile of MinIO (docs/tuning/tuned.conf) |  | MinIO | 2026-02-12 |  | https://github.com/minio/minio
mongodb-production-notes | Production notes for self-managed deployments; TCMalloc performance optimization (MongoDB manual) |  | MongoDB |  |  | https://www.mongodb.com/docs/manual/administration/production-notes/
opensearch-installation | Install OpenSearch: important settings (_install-and-configure/install-opensearch/index.md) |  | OpenSearch | 2026-08-21 |  | https://github.com/opensearch-project/documentation-website
redis-administration | Redis administration: setup tips (content/operate/oss_and_stack/management/admin.md) |  | Redis | 2026-08-21 |  | https://github.com/redis/docs
valkey-administration | Valkey administration: setup tips (topics/admin.md) |  | Valkey | 2026-06-18 |  | https://github.com/valkey-io/valkey-doc
dpdk-linux-guide | Getting Started Guide for Linux (doc/guides/linux_gsg) |  | DPDK | 2026-07-23 |  | https://github.com/DPDK/dpdk/tree/main/doc/guides/linux_gsg
oracle-installation-guide | Oracle Database 19c: Database Installation Guide for Linux |  | Oracle |  |  | https://docs.oracle.com/en/database/oracle/oracle-database/19/cwlin/configure-hugepages.html
postgresql-manual | PostgreSQL: managing kernel resources (doc/src/sgml/runtime.sgml) |  | PostgreSQL |  |  | https://www.postgresql.org/docs/current/kernel-resources.html
linux-proc | The /proc Filesystem (filesystems/proc) |  | The Linux kernel |  |  | https://docs.kernel.org/filesystems/proc.html
cassandra-production | Production recommendations (doc/modules/cassandra/pages/getting-started/production.adoc) |  | Apache Cassandra |  |  | https://github.com/apache/cassandra
kafka-operations | Hardware and OS (docs/operations/hardware-and-os.md) |  | Apache Kafka |  |  | https://github.com/apache/kafka
amd-onload-guide | Onload User Guide (UG1586) |  | AMD | 2026-06-08 |  | https://docs.amd.com/r/en-US/ug1586-onload-user
solarflare-adapter-guide | Solarflare Server Adapter User Guide (SF-103837-CD, issue 20) |  | Solarflare Communications |  |  | https://manualshive.com/en/manual/solarflare/solarflare-xtremescale-series/1313800
swissquote-forex | OS level latency optimization on forex systems: technical recommendations (README.md) |  | Swissquote |  |  | https://github.com/redno2/Application-latency-optimization-Linux
tuned-network-latency | TuneD: the profile network-latency (profiles/network-latency/tuned.conf) |  | Red Hat | 2026-08-08 |  | https://github.com/redhat-performance/tuned
kubernetes-kubelet | Kubernetes: kernel settings that the kubelet needs (component-helpers/node/util/sysctl; kubelet, setupKernelTunables) |  | Kubernetes |  |  | https://github.com/kubernetes/kubernetes
linux-overcommit | Overcommit Accounting (mm/overcommit-accounting) |  | The Linux kernel |  |  | https://docs.kernel.org/mm/overcommit-accounting.html
linux-yama | Yama (admin-guide/LSM/Yama) |  | The Linux kernel |  |  | https://docs.kernel.org/admin-guide/LSM/Yama.html
linux-i915-mitigations | The driver of Intel's graphics processors: mitigations (drivers/gpu/drm/i915/i915_mitigations.c) |  | The Linux kernel |  |  | https://github.com/torvalds/linux/blob/master/drivers/gpu/drm/i915/i915_mitigations.c
linux-vfio-type1 | VFIO: the driver of the IOMMU (drivers/vfio/vfio_iommu_type1.c) |  | The Linux kernel |  |  | https://github.com/torvalds/linux/blob/master/drivers/vfio/vfio_iommu_type1.c
acs-override-on-proxmox | proxmox-acs-override-stability |  | cr0x.net |  |  | https://cr0x.net/en/proxmox-acs-override-stability
nvidia-counters | NVIDIA Development Tools Solutions: ERR_NVGPUCTRPERM |  | NVIDIA |  |  | https://developer.nvidia.com/ERR_NVGPUCTRPERM
nvidia-gpudirect-storage | NVIDIA GPUDirect Storage Best Practices Guide |  | NVIDIA | 2025-03-11 |  | https://docs.nvidia.com/gpudirect-storage/pdf/best-practices-guide.pdf
nvidia-gds-for-nvme | GDS support for NVMe: setting cufile.json configuration |  | NVIDIA |  |  | https://docs.nvidia.com/deploy/gds-support-for-nvme/setting-cufilejson-configuration.html
nvidia-nccl | NCCL user guide: troubleshooting |  | NVIDIA |  |  | https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/troubleshooting.html
openstack-nova-real-time | Real Time (nova, doc/source/admin/real-time.rst) |  | OpenStack | 2025-09-02 |  | https://docs.openstack.org/nova/latest/admin/real-time.html
redhat-ztp-firmware | Configuring host firmware for low latency and high performance (modules/ztp-du-host-firmware-requirements.adoc) |  | Red Hat |  |  | https://github.com/openshift/openshift-docs
dune-daq-dpdklibs | BIOS settings of AMD EPYC 7003 series (wiki of dpdklibs) |  | DUNE DAQ |  |  | https://github.com/DUNE-DAQ/dpdklibs/wiki/BIOS-settings-of-AMD-EPYC-7003-series
dell-numa-epyc-7002 | NUMA Configuration settings on AMD EPYC 2nd Generation | Mohan Rokkam | Dell | 2023-01-16 |  | https://infohub.delltechnologies.com/en-us/p/numa-configuration-settings-on-amd-epyc-2nd-generation/
amd-hyperloom-audit | Hyperloom: audits of the host's tuning (scripts/platform_audit.py, scripts/platform_audit_bmc.py) |  | AMD | 2026-08-22 |  | https://github.com/AMD-AGI/Hyperloom
rocm-mi200 | AMD Instinct MI200 system optimization (docs/how-to/system-optimization/mi200.md) |  | AMD | 2025-01-27 |  | https://github.com/ROCm/ROCm
rocm-mi300x | AMD Instinct MI300X system optimization (docs/system-optimization/mi300x.rst)        |  | AMD | 2025-09-17 |  | https://github.com/ROCm/amdgpu-docs
azure-hbv2 | HBv2 series virtual machine overview (articles/virtual-machines/hbv2-series-overview.md) |  | Microsoft | 2026-05-04 |  | https://github.com/MicrosoftDocs/azure-compute-docs
azure-hbv3 | HBv3-series virtual machine overview (articles/virtual-machines/hbv3-series-overview.md) |  | Microsoft | 2026-05-04 |  | https://github.com/MicrosoftDocs/azure-compute-docs
azure-hbv4 | HBv4-series virtual machine overview (articles/virtual-machines/hbv4-series-overview.md) |  | Microsoft | 2026-05-02 |  | https://github.com/MicrosoftDocs/azure-compute-docs
mlperf-power-xr12 | MLPerf Inference v2.1: power settings of a PowerEdge XR12 with two A2 (closed/Dell/power/power-settings_XR12-A2x1.md) |  | Dell | 2022-09-09 |  | https://github.com/mlcommons/inference_results_v2.1
weka-bios-tool | bios_tool, bios_settings.yml |  | WEKA | 2026-05-15 |  | https://github.com/weka/bios_tool
ubuntu-thp                      | Set CONFIG_TRANSPARENT_HUGEPAGE_MADVISE                                                            | Colin Ian King                 | Ubuntu kernel team          | 2017-11-23 |                   | https://patchwork.ozlabs.org/project/ubuntu-kernel/patch/20171123143004.26043-1-colin.king@canonical.com/
ansible-virtual-machines | Ansible: lib/ansible/module_utils/facts/virtual/linux.py |  | Ansible | 2024-10-24 |  | https://github.com/ansible/ansible
cloud-init-clouds | cloud-init: tools/ds-identify |  | Canonical | 2026-08-21 |  | https://github.com/canonical/cloud-init
fauxhai-platforms | Fauxhai: facts of machines, collected for tests |  | Chef | 2026-06-18 |  | https://github.com/chef/fauxhai
lscpu-in-issues | Output of lscpu on cloud machines, in issues on GitHub |  | szilard, wazuh |  |  | https://github.com/
lscpu-of-arm | util-linux: sys-utils/lscpu-arm.c |  | util-linux | 2026-08-18 |  | https://github.com/util-linux/util-linux
lscpu-of-c6a | rkv: README.md, output of lscpu on a c6a.2xlarge of Amazon EC2 |  | ltbringer | 2023-04-13 |  | https://github.com/ltbringer/rkv
ohai-guests | Ohai: lib/ohai/mixin/dmi_decode.rb |  | Chef | 2026-08-11 |  | https://github.com/chef/ohai
qemu-processors | QEMU: target/i386/cpu.c |  | QEMU |  |  | https://github.com/qemu/qemu
cadvisor-examples | cAdvisor: examples of /proc/cpuinfo |  | Google | 2026-07-20 |  | https://github.com/google/cadvisor
ghw-snapshots | ghw: snapshots of hosts, for its tests |  | jaypipes | 2026-07-14 |  | https://github.com/jaypipes/ghw
gofish-documents | gofish: documents of Redfish in its tests |  | stmcginnis | 2026-07-20 |  | https://github.com/stmcginnis/gofish
insights-examples | insights-core: examples of what its parsers read |  | Red Hat | 2026-08-04 |  | https://github.com/RedHatInsights/insights-core
manageiq-redfish-recordings | manageiq-providers-redfish: recorded answers of a controller |  | ManageIQ | 2026-06-02 |  | https://github.com/ManageIQ/manageiq-providers-redfish
pepc-hosts | pepc: data of hosts, for its tests |  | Intel | 2026-06-12 |  | https://github.com/intel/pepc
redfish-ctl-fixtures | redfish_ctl: what controllers of servers answered |  | spyroot | 2026-07-27 |  | https://github.com/spyroot/redfish_ctl
cylab-dell-generations | DELL Servers Generations Cheatsheet |  | Cylab |  |  | https://cylab.be/blog/403/dell-servers-generations-cheatsheet
dell-poweredge-generations | How to identify which generation your Dell PowerEdge server belongs to |  | Dell |  |  | https://www.dell.com/support/kbdoc/en-us/000137343
facter-hypervisors | Facter: lib/facter/util/facts/facts_utils.rb |  | Puppet | 2025-10-17 |  | https://github.com/puppetlabs/facter
facterdb | FacterDB: facts of systems, collected for tests |  | Vox Pupuli | 2026-02-28 |  | https://github.com/voxpupuli/facterdb
hpe-gen10-memory | Population rules for DIMMs in HPE Gen10 servers with Intel Xeon Scalable processors |  | HPE |  |  | https://pdfslide.net/documents/population-rules-for-dimms-in-hpe-gen10-servers-with-intel-for-hpe-smartmemory.html
hpe-gen10-plus-amd-memory | Server memory population rules for HPE ProLiant Gen10 and Gen10 Plus servers with AMD EPYC 7002 and 7003-series processors |  | HPE |  |  | https://manualsee.com/blog/72WwGdGD8.html
hpe-gen10-plus-memory | Server Memory and Persistent Memory population rules for HPE Gen10 Plus servers with 3rd Gen Intel Xeon Scalable processors |  | HPE |  |  | https://www.scribd.com/document/711538392/Server-Memory-and-Persistent-Memory-population-rules-for-HPE-Gen10-Plus-servers-with-3rd-Gen-Intel-Xeon-Scalable-processors-a50003886enw
hpe-gen11-memory | Server memory population rules for HPE Gen11 servers with 4th Gen Intel Xeon Scalable processors |  | HPE |  |  | https://studylib.net/doc/27078615/server-memory-population-rules-for-hpe-gen11-servers-with...
hwp-sr860-v2 | Review of the 4-CPU Lenovo SR860 V2 server based on Intel Xeon Cooper Lake |  | HWP |  |  | https://hwp.media/articles/review_of_the_4_cpu_lenovo_sr860_v2_server_based_on_intel_xeon_cooper_lake/
lenovo-amd-v1-tuning | Tuning UEFI Settings for Performance and Energy Efficiency on AMD Processor-Based ThinkSystem Servers | John Encizo, Kin Huang, Joe Jakubowski, Robert R. Wolford | Lenovo |  |  | https://pdfslide.us/documents/tuning-uefi-settings-for-performance-and-energy-efficiency-preferred-io-bus.html
server-naming-rules | Naming rules of x86 servers of Dell, HP and IBM |  | eumz.com | 2015-08-01 |  | https://www.eumz.com/2015-08/1221.html
systemd-virtual-machines | systemd: src/basic/virt.c |  | systemd |  |  | https://github.com/systemd/systemd
xinhtech-xeon-6 | Intel Xeon 6th Gen Processors: Comprehensive Technical Overview |  | Xinhtech |  |  | https://xinhtech.com/news/intel-xeon-6th-gen-processors-comprehensive-technical-overview.html
"""

SCOPES = """
cern-nehalem      | cpu core-i7-965 or irwindale or nehalem, workload hep | Sections 3.1 and 5.6: the systems; chapter 1: physics
dell-11g-hpc      | platform poweredge-11g, workload hpc or interactive or latency-bound | the title: PowerEdge 11G; Executive Summary: HPC; Power: interactive clusters; BIOS Settings: latency; Introduction: not I/O-bound enterprise loads
lenovo-spec-flags | platform thinksystem-v1                               | "SKL": servers with Skylake
dell-11g-hpc-2009 | cpu nehalem, platform poweredge-11g, workload hpc or interactive or latency-bound | the title: PowerEdge 11G; Test Methodology: Xeon 5500; the same sections, in Japanese
dell-12g-tuning   | cpu sandy-bridge, workload not hpc                    | Introduction: tested on E5-2600, most effects similar across the generation; general enterprise servers, not HPC
dell-14g-hpc      | cpu skylake, workload hpc                             | the title, and the first paragraph
saptune-notes     | workload sap-hana or sap-netweaver                    | the descriptions: OS settings for SAP HANA; 2382421 on its network, 1275776 and 2578899 for SAP environments
fdio-csit-testbeds | cpu epyc-rome or ice-lake, vendor supermicro, workload dpdk | the lists of processors on both pages, and their titles: Supermicro; VPP and DPDK are tested
suse-epyc-9004 | cpu epyc-genoa, os sles-15-sp4 | the title
suse-epyc-9005 | cpu epyc-turin, os sles-15 | the title; of the Service Packs from 5 on, the sixth
sap-install-roles | workload sap-hana or sap-netweaver | the README of sap_general_preconfigure: SAP HANA, or the platform that was SAP NetWeaver
intel-cassandra-guide | cpu-vendor intel, workload cassandra | the first paragraph: when running Apache Cassandra on Intel Xeon
intel-java-numa-study | cpu granite-rapids, workload java | System Configuration: a Xeon 6972P; the title: server-side Java
intel-latency-optimized-mode | cpu xeon-6 | the first paragraph: Granite Rapids and Sierra Forest
sap-metal-settings | platform dl380-gen11 or dl560-gen11 or r640 or r660 or r740 or r760 or r7615 or r770 or r860 or sr650 or sr650-v3 or sr655-v3 or sr850-v3 or sr850p or sr950 or sr950-v3, workload kubernetes-node or virtualized | values.yaml: models and clusters, cc-kvm-compute and sci-k8s-* among them
intel-kafka-guide | cpu-vendor intel, workload kafka | the first paragraph: when running Apache Kafka on Intel Xeon
redpanda-tuners   | workload redpanda                                     | ReadMe.md: best performance while using Redpanda
amd-epyc-9004-tuning | cpu epyc-genoa                                      | the title
dell-azure-local  | platform poweredge-14g or poweredge-15g or poweredge-15g-amd or poweredge-16g-intel, workload azure-stack | BIOS Configuration: nodes of Azure Local clusters; those with AMD are of the 15th generation
dell-16g-bios-settings | platform poweredge-16g-intel | the page names R660, R760, MX760 and C6620
azure-hbv2 | cpu epyc-rome, workload hpc | the second paragraph: servers with EPYC 7V12; the first: for HPC
azure-hbv3 | cpu epyc-milan, workload hpc | the first paragraph: servers with EPYC 7V73X; the metadata: for HPC
azure-hbv4 | cpu epyc-genoa, workload hpc | the first paragraph: servers with EPYC 9V33X; the metadata: for HPC
dell-bios-registries | platform poweredge-11g or poweredge-12g or poweredge-13g or poweredge-14g or poweredge-15g or r7615 | SystemModelName of each; one server stands for its generation
supermicro-bios-registries | platform sys-821ge-tnhr | Model
lenovo-bios-registries | platform sr670-v2 | SupportedSystems
proliant-gen11-captures | platform proliant-gen11-intel | the servers of its places, and the registry of another one that agrees
lenovo-v3-xeon-captures | platform thinksystem-v3-intel | the servers of its places, and those that LP1836 is about
lenovo-amd-captures | platform thinksystem-v3-amd | the servers of its places, and those that LP1977 is about
hpe-gen10-profiles | platform dl360-gen10 | the title: Gen10
hpe-ilo5-reference | platform dl360-gen10 | the first lines: of iLO 5; of the servers that have one, Gen10, the one that is here
intel-perfspect | cpu xeon-6 | the insight: Efficiency Latency Control, which these processors have
poweredge-amd-captures | platform poweredge-15g-amd or poweredge-16g-amd | the servers of its places
cybozu-setup-hw | platform r6615 or r6625 or r7615 | its products of this generation; configPerformance is for all
understack-r7615 | platform r7615 | SystemModelName
suse-flexran | platform xr11, workload flexran | the title: FlexRAN; Hardware: a PowerEdge XR11
hpe-com-cmdlets | vendor hpe | the module: of HPE, for HPE's servers
hpe-ilo-bios-reference | vendor hpe | the first lines: of iLO 5 and of iLO 6, which are HPE's
hpe-dl360-gen10-plus-registry | platform dl360-gen10-plus | SupportedSystems
hpe-dl385-gen10-plus-v2-registry | platform dl385-gen10-plus-v2 | SupportedSystems
hpe-dl380a-gen11-registry | platform dl380a-gen11 | SupportedSystems
mlperf-power-xr12 | platform xr12, workload gpu-inference | the file: the server; its folder: inference on GPUs
cisco-bios-templates | platform ucs-m5 or ucs-m6-amd or ucs-m6-intel or ucs-m7 or ucs-m8-amd | the names of the templates: the generations of Cisco's own servers
cisco-m8-intel-tuning | platform ucs-m8-intel | Purpose and scope: C220, C240, X210c and X410c of the generation M8
clickhouse-tips   | workload clickhouse                                   | the product's own manual
elasticsearch-system-settings | workload elasticsearch                    | the product's own manual
intel-mysql-postgresql-guide | cpu granite-rapids, workload mysql or postgresql | the first paragraph: MySQL and PostgreSQL on Xeon 6; P-cores
oracle-installation-guide | workload oracle-database                       | the title
postgresql-manual | workload postgresql                                   | the product's own manual
cassandra-production | workload cassandra                                 | the product's own manual
kafka-operations  | workload kafka                                        | the product's own manual
amd-onload-guide  | network-card solarflare                               | Supported Network Adapters
solarflare-adapter-guide | network-card solarflare                        | the title
swissquote-forex  | workload trading                                      | the title: trade in currencies
linux-i40e        | network-card intel-700                                | the title
linux-ice         | network-card intel-800                                | the title
minio-tuned       | workload minio                                        | the summary: for MinIO
mongodb-production-notes | workload mongodb                               | the product's own manual
opensearch-installation | workload opensearch                             | the product's own manual
redis-administration | workload redis                                     | the product's own manual
valkey-administration | workload valkey                                   | the product's own manual
dpdk-linux-guide  | workload nfv                                          | the guide is about programs of DPDK, which network functions are
dune-daq-dpdklibs | cpu epyc-milan, workload dpdk | the title: EPYC 7003; the wiki: a library for DPDK
kubernetes-kubelet | workload kubernetes-node                             | it runs on nodes
kubernetes-topology-manager | workload kubernetes-node                    | the kubelet is what it is about
nvidia-gpudirect-storage | accelerator nvidia-gpu                         | the title
nvidia-gds-for-nvme | accelerator nvidia-gpu                              | the title: GPUDirect Storage
nvidia-nccl       | accelerator nvidia-gpu                                | communication between NVIDIA's GPUs
openstack-nova-real-time | workload real-time                                  | the title
redhat-ztp-firmware | cpu granite-rapids or ice-lake or sapphire-or-emerald-rapids or skylake-or-cascade-lake, workload ran | hosts of the distributed unit (vDU); a Xeon of Skylake or a later generation
rocm-mi200        | accelerator mi200, cpu epyc-milan                     | the title; System BIOS settings: for EPYC 7003
rocm-mi300x       | accelerator mi300x, cpu epyc-genoa                    | the title; System BIOS settings: for EPYC 9004
amd-hyperloom-audit | accelerator amd-instinct, cpu epyc-genoa-or-turin, workload gpu-inference | the docstrings: tuning that affects inference benchmarks, on EPYC; SOURCE: 9004, and 9005, which the fleet runs; README: MI300X, MI325X, MI355X
weka-bios-tool    | vendor dell or hpe or lenovo or supermicro, workload weka | README: a tool for BIOS settings of Weka servers; the makers that bios_settings.yml names
"""


def by_name(table: str) -> dict[str, list[str]]:
    """The lines of a table in cells, by the first."""
    return {name: others for name, *others in rows(table)}


def title_page(source: Source) -> list[str]:
    """A source as the table has it."""
    return [source.title, source.author, source.publisher, source.date, source.supersedes, source.url]


@pytest.mark.parametrize("source", by_name(TITLES))
def test_title_pages(source: str, knowledge: Knowledge) -> None:
    assert title_page(knowledge.sources[source]) == by_name(TITLES)[source]


def test_no_source_is_without_its_title_page(knowledge: Knowledge) -> None:
    missing = knowledge.sources.keys() - by_name(TITLES).keys()
    lines = [" | ".join((name, *title_page(knowledge.sources[name]))) for name in sorted(missing)]
    assert not lines, "compare with the title page, then add to TITLES:\n" + "\n".join(lines)
    assert not by_name(TITLES).keys() - knowledge.sources.keys()


def test_scopes(knowledge: Knowledge) -> None:
    expected = {name: scope for name, (scope, _) in by_name(SCOPES).items()}
    assert {name: knowledge.box_text(knowledge.sources[name].scope) for name in expected} == expected


# What this library says of them: another maker's servers with the processors that a source is about, the next
# generation of a maker, other servers of one generation, other processors, and other work on the same servers.
RELATED = """
amd-epyc-9004-tuning   | cpu epyc-turin | test-first
cisco-bios-templates   | platform as-1115cs-tnr or dl360-gen10-plus or dl380a-gen11 or dl385-gen10-plus-v2 or poweredge-15g or poweredge-15g-amd or poweredge-16g-amd or poweredge-16g-intel or sr670-v2 or sys-821ge-tnhr or thinksystem-v3-amd or thinksystem-v3-intel | test-first
cisco-m8-intel-tuning  | platform poweredge-17g-intel | test-first
dell-16g-bios-settings | platform poweredge-17g-intel | test-first
fdio-csit-testbeds     | cpu epyc-rome or ice-lake, workload dpdk | test-first
lenovo-spec-flags      | platform sr670-v2 or thinksystem-v3-intel | test-first
dell-azure-local       | platform poweredge-14g or poweredge-15g or poweredge-15g-amd or poweredge-16g-intel, workload virtualized | practice
mlperf-power-xr12      | platform poweredge-15g, workload gpu-inference | test-first
rocm-mi300x            | accelerator mi300x | vendor
suse-flexran           | workload flexran | practice
understack-r7615       | platform poweredge-16g-amd | practice
"""


def test_what_is_related_to_a_scope(knowledge: Knowledge) -> None:
    related = {name: each.related for name, each in knowledge.sources.items() if each.related}
    found = {name: [knowledge.box_text(each.when), each.strength] for name, each in related.items()}
    assert found == by_name(RELATED)


def test_the_others_say_nothing_of_a_scope(knowledge: Knowledge) -> None:
    assert not any(knowledge.sources[name].scope for name in by_name(TITLES).keys() - by_name(SCOPES).keys())
