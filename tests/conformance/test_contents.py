"""The tables of contents: the places that each source has, so that statements can cite them.

Of the papers, their own headings, in their order, and how many tables and figures they number; a heading that a paper
has twice is told apart by the one above it. The blog on the 14th generation has an untitled beginning, which describes
the processor. The CERN study numbers its sections, of which the first two and the last are also called by their names.
Of kernel files and manuals the headings, symbols and functions that bear on idle states and on what Linux lets one set;
of tuned the profiles and their options. A registry has a help text or a rule for each attribute, so that a place is the
registry; of the R710, which has none, there is a list of attributes.
"""

import pytest

from setpoint.compiler.knowledge.model import Knowledge

HEADINGS = {
    "linux-6.12-parameters": """
debug_boot_weak_hash; hardened_usercopy=; init_on_alloc=; intel_iommu=; iomem=; iommu.strict=
kvm-intel.vmentry_l1d_flush=; no_hash_pointers; rcutree.nohz_full_patience_delay=; tpm.disable_pcr_integrity=; tsa=
    """,
    "linux-6.12-manual": """
kernel-parameters; sysctl; ip-sysctl; dev-tools/kfence; hw-vuln/cross-thread-rsb
driver-api/firmware/fw_search_path; networking/ipv6; hwmon/acpi_power_meter
""",
    "amd-hsmp-messages": """
HSMP_SET_DF_PSTATE; HSMP_DFC_ENABLE_CTRL; HSMP_CC6_ENABLE; HSMP_SET_POWER_MODE
HSMP_GET_BOOST_LIMIT; HSMP_GET_SOCKET_POWER_LIMIT; HSMP_GET_DIMM_TEMP_RANGE
""",
    "fwupd-processor-security": """
FuMsrIa32TmeActivation; FuMsrAMD64Syscfg; plugins/acpi-dmar; plugins/acpi-ivrs
""",
    "intel-pepc-layout": """
guide-cpu-hotplug.md; ASPM.py
""",
    "intel-pepc-registers": """
PCStateConfigCtl.py; PowerCtl.py
""",
    "likwid-features": """
MSR_AMD19_PREFETCH_CONTROL; MSR_AMD17_HW_CONFIG; MSR_AMD_PSTATE_DEFx; intel_cpu_prefetch_features
""",
    "linux-cpu-files": """
/sys/devices/system/cpu/smt; /sys/devices/system/cpu/cpuidle; /sys/devices/system/cpu/intel_pstate
""",
    "linux-cpu-flags": """
X86_FEATURE_AES; X86_FEATURE_MWAIT; X86_FEATURE_NX; X86_FEATURE_RTM
""",
    "linux-x86-registers": """
MSR_IA32_FEAT_CTL; MSR_IA32_MISC_ENABLE; MSR_IA32_TSX_CTRL; MSR_IA32_APICBASE
MSR_HWP_REQUEST; MSR_AMD64_SYSCFG; X2APIC_ENABLE
""",
    "perfspect-readings": """
PrefetcherDefinitions; EpbSourceScriptName; EpbScriptName; epbValToLabel()
EPPFromOutput(); C1DemotionScriptName; ELCFieldValuesFromOutput(); ClusteringModeFromOutput()
""",
    "tools-that-read-settings": """
No tool reads it; A measurement hints at it; Presets
""",
    "cisco-server-guide": """
Processor BIOS Settings; RAS Memory BIOS Settings
""",
    "cern-nehalem": """
Executive summary; Introduction; Section 1; Section 2; Section 2.1
Section 3; Section 3.1; Section 3.2; Section 3.3; Section 3.4; Section 3.5; Section 3.6; Section 3.7
Section 4; Section 4.1; Section 4.2; Section 4.3; Section 4.4; Section 4.4.1; Section 4.4.2
Section 5; Section 5.1; Section 5.2; Section 5.3; Section 5.4; Section 5.4.1; Section 5.4.2; Section 5.4.3
Section 5.5; Section 5.6; Section 5.6.1; Section 5.7; Section 5.7.1
Section 6; Final conclusion; Section 7; References
Section 8; Section 8.1; Section 8.1.1; Section 8.1.2; Section 8.2; Section 8.2.1; Section 8.2.2
""",
    "dell-11g-hpc": """
Executive Summary; Introduction; Intel Nehalem Architecture; Intel Westmere Architecture; Test Methodology
Overview of 11G BIOS Options; Node Interleaving (Overview of 11G BIOS Options); Logical Processor
Power Management Profile; C-States; Turbo Mode (Overview of 11G BIOS Options)
New options introduced in Intel Xeon 5600 series
Results; Power; Performance; Node Interleaving (Performance); Simultaneous Multithreading; Turbo Mode and C-States
Data Reuse and DCU Streamer Prefetcher
Energy Efficiency; Power Management Profiles; BIOS Settings; Energy Efficient Processors
Conclusion; References; Appendix A; Appendix B; Appendix C
""",
    "dell-11g-hpc-2009": """
Executive Summary; Introduction; Intel Nehalem Architecture; Test Methodology
Overview of 11G BIOS Options; Node Interleaving (Overview of 11G BIOS Options); Logical Processor
Power Management Profile; C-States; Turbo Mode (Overview of 11G BIOS Options)
Results; Power; Performance; Node Interleaving (Performance); Simultaneous Multithreading; Turbo Mode and C-States
Energy Efficiency; Power Management Profiles; BIOS Settings; Energy Efficient Processors
Conclusion; References; Appendix A; Appendix B; Appendix C
""",
    "dell-12g-tuning": """
Executive summary; Introduction; BIOS features overview; Test methodology; Power collection methodology
BIOS Memory Settings section; Memory settings; Memory operating mode; Overview of memory mode selections
Memory Mode Effects on Latency Characteristics; Performance impacts of Advanced ECC and Optimizer Mode
Node Interleaving
Processor Settings Section; Logical Processor; QPI Speed; Alternate RTID setting; Virtualization technology
Processor prefetchers; Execute disable; Number of cores per processor; Logical processor idling
System Profile Settings section; System Profiles comparison; Performance and power comparisons of System Profiles
CPU Power Management modes; Turbo Boost; C-States and C1E options; Monitor/Mwait
Collaborative CPU Performance Control; Memory Management section; Memory frequency; Memory operating voltage
Conclusion
""",
    "dell-14g-hpc": """
Description of the Skylake processor; Testbed configuration; Sub-NUMA cluster; System Profiles; Power Consumption
Conclusion; Reference
""",
    "dell-bios-registries": """
R630 registry; R710 attributes; R720 registry; R740 and R750 registries; R740 registry; R750 registry
R7615 values; T630 values
""",
    "linux-intel-idle": """
General Information; Enumeration of Idle States; Initialization; Kernel Command Line Options and Module Parameters
CPUIDLE_FLAG_ALWAYS_ENABLE; intel_idle_off_by_default(); disable_promotion_to_c1e
nehalem_cstates; snb_cstates; hsw_cstates; bdw_cstates; skx_cstates; icx_cstates
""",
    "linux-apic": """
try_to_enable_x2apic(); topology.c
""",
    "linux-interrupt-remapping": """
intel_prepare_irq_remapping(); detect_ivrs()
""",
    "linux-cpuidle": """
Idle CPU governors; Idle States Control Via Kernel Command Line; Power Management Quality of Service for CPUs
""",
    "linux-amd-pstate": "AMD Pstate Driver Operation Modes; Kernel Module Options for amd-pstate; Processor Support",
    "linux-i40e": "Performance Optimization; Interrupt Rate Limiting",
    "linux-ice": "Performance Optimization; Rx Descriptor Ring Size; Interrupt Rate Limiting",
    "ethtool-manual": "-C --coalesce; -G --set-ring; -L --set-channels",
    "systemctl-manual": "mask UNIT…",
    "openshift-fwupd-refresh": "description",
    "sap-hana-checks-vmware": "description",
    "systemd-of-suse": "CPUAffinity=",
    "openshift-hyperthreading": "Configuring hyperthreading for a cluster",
    "tuned-kvm-guest": "sap-hana-kvm-guest",
    "sap-install-roles": "sap_general_preconfigure; sap_hana_preconfigure",
    "tuned-ppd": "controller.py, initialize(); ppd.conf; tuned-ppd.service",
    "linux-net-dim": "Introduction; Net DIM Algorithm",
    "linux-hugetlb": "Overview; Interaction of Task Memory Policy with Huge Page Allocation/Freeing; Per Node Hugepages Attributes; sysfs",
    "linux-ip-sysctl": """accept_source_route; all variables; icmp_echo_ignore_broadcasts; ip_local_port_range; ip_unprivileged_port_start; ipfrag_low_thresh; neigh/default/gc_thresh1; neigh/default/gc_thresh2; neigh/default/gc_thresh3; rp_filter
route/max_size; somaxconn; tcp_fack; tcp_fastopen; tcp_keepalive_intvl; tcp_keepalive_probes; tcp_keepalive_time; tcp_low_latency
tcp_max_syn_backlog; tcp_notsent_lowat; tcp_retries2; tcp_rmem; tcp_slow_start_after_idle; tcp_syncookies; tcp_timestamps; tcp_wmem; udp_wmem_min; xfrm4_gc_thresh; xfrm6_gc_thresh""",
    "linux-kernel-parameters": """
all parameters; apparmor=; audit=; clocksource=; crashkernel=; default_hugepagesz=; enforcing=; hugepages=; hugepagesz=; idle=
intel_iommu=; intel_pstate=; iommu=; irqaffinity=; isolcpus=; mitigations=; nmi_watchdog=; noautogroup; nohz_full=; nokaslr; nosmt
nosoftlockup; nospec_store_bypass_disable; nowatchdog; numa_balancing=; pcie_aspm=; rcu_nocb_poll; rcu_nocbs=; security=; selinux=; skew_tick=; smt=; spectre_v2=
transparent_hugepage=; tsc=
norandmaps; nosmap; nosmep; tsx=
""",
    "linux-ksm": "Controlling KSM with madvise; KSM daemon sysfs interface",
    "linux-sched-rt": "2.1 System wide settings; 2.2 Default behaviour",
    "linux-sysctl": "fs; kernel; net; vm",
    "tuned-later-plugins": "acpi; cpu; irq; uncore; video; vm",
    "fdio-csit-testbeds": "sm_zn2_hw_bios_cfg.md; sm_icx_hw_bios_cfg.md",
    "suse-epyc-9004": "Automatic NUMA balancing; Power management; Resources allocation and tuning of the host; Test workload: NASA Parallel Benchmark",
    "suse-epyc-9005": "Automatic NUMA balancing; Power management; Resources allocation and tuning of the host; Test workload: NASA Parallel Benchmark",
    "linux-modules": "nvme_core; cpuidle_haltpoll; sunrpc",
    "tuned-plugins": "all plugins; disk; irqbalance; systemd",
    "irqbalance-manual": "IRQBALANCE_BANNED_CPULIST",
    "linux-cpufreq-sysfs": "Policy Interface in sysfs",
    "linux-power-sysfs": "pm_qos_resume_latency_us",
    "systemd-resource-control": "AllowedCPUs=",
    "systemd-system-conf": "CPUAffinity=; DefaultLimitMEMLOCK=; DefaultLimitNOFILE=",
    "linux-cpusets": "cpuset.cpus; cpuset.cpus.partition",
    "suse-flexran": """
BIOS Configuration for Dell PowerEdge XR11; CPU Tuned Configuration; Grub Configuration; Hardware
""",
    "systemd-kernel-command-line": "Core OS Command Line Arguments; Description",
    "hpe-ilo-messages": "iLO.2.34",
    "libredfish-mockups": "dell; hpe; lenovo; nvidia_gb200; nvidia_viking; supermicro",
    "redfish-captures": "R630; R720; R740; R750; R7615",
    "racadm-commands": "racadmSetBios.sh; an answer; script for EPYC 7542",
    "linux-thp": "TRANSPARENT_HUGEPAGE_ALWAYS; TRANSPARENT_HUGEPAGE_MADVISE",
    # Folders and files of the three repositories whose names a locator can have, and the sections of a page.
    "linux-hardware-dmi": """
Desktop/Dell/PowerEdge; Server/ASUSTek Computer; Server/Dell; Server/Dell/PowerEdge; Server/Dell/Precision
Server/ETegro Technologies; Server/Fujitsu; Server/Gigabyte Technology; Server/Huawei; Server/IBM/BladeCenter; Server/IBM/Flex; Server/INSPUR
Server/Inspur; Server/Intel; Server/Lenovo; Server/Lenovo/Flex; Server/Nvidia; Server/Oracle; Server/Penguin Computing
Server/Quanta; Server/SUN MICROSYSTEMS; Server/Sun Microsystems; Server/Gigabyte Technology/MP32; Server/Gigabyte Technology/MZ32
Server/Gigabyte Technology/MZ72; Server/HPE/ProLiant; Server/Hewlett-Packard/ProLiant; Server/IBM/System
Server/Lenovo/ThinkSystem; Server/Supermicro
""",
    "dell-poweredge-generations": "Generation; PowerEdge Model",
    "lscpu-in-issues": "szilard/GBM-perf issue 59; wazuh/wazuh issue 28095",
    "insights-examples": "test_cpuinfo.py; test_dmidecode.py",
    "pepc-hosts": "bdw0; cwf0; dell-9360-kbl; dnv0; emr9; gnr3; gnrd0; knl0; lnl0; snr0",
    "lscpu-of-arm": "ampere_part; arm_part; hisi_part; nvidia_part",
    "systemd-virtual-machines": "detect_vm_dmi(); detect_vm_dmi_vendor()",
    "cylab-dell-generations": "DELL servers naming convention; Generation 15; Generation 17",
    "easyucs-catalogue": "catalog/blades; catalog/racks",
    "xinhtech-xeon-6": "Naming Convention Changes; Model Breakdown",
    "grid5000-reference": "drac; larochette; roazhon5; sasquatch; sirius; vercors18",
    "cloud-init-clouds": "dmi_product_name_matches; ec2_identify_platform(); platform_reports_gce()",
    "lshw-products": "System Information Block",
    "hms-smd-fixtures": "rfcomponents_test.go; rfendpoints_test.go; rfevent_test.go; test_hardware.tavern.yaml",
    "maas-hooks": "test_hooks.py",
    "assisted-installer-agent": "isOVirtPlatform()",
    "chameleon-alamo": "chassis",
    "tenable-dsa-2024-035": "model",
    "linux-kernel-messages": """
20200108083430.57412-1-yehs2007@zoho.com; 8c826c96-62ec-2f72-c4cb-30139d5639d1@redhat.com
20230509113943.27194-1-yochai.hagvi@intel.com; 20240117234515.226944-6-michael.chan@broadcom.com
08c29e4b-2f71-4b6d-8046-27e407214d8c@suse.com; 20250423142622.348724026@linuxfoundation.org
20251110212001.6318-3-emilne@redhat.com
""",
    "os-release-files": """
alma_8; alma_9; alma_10; centos_7; centos_8; centos_stream_8; centos_stream_9; debian_11; debian_12; debian_13
oracle_7; oracle_8; oracle_9; redhat_7; redhat_8; redhat_9; redhat_10; rocky_8; rocky_9; scientific_7
sles_11; ubuntu_2004; ubuntu_2204; ubuntu_2404
""",
    "distro-test-files": "centos5; centosstream10; rhel5; rhel6; rocky10; scientific6",
    "ubuntu-2604-image": "Kernel Version; OS Version",
    "sap-hana-checks": "12.4; 12.5; 15.0; 15.1; 15.2; 15.3",
    "os-catalog": "linux/sles/15; linux/sles/15.1",
    "linux-attack-vectors": "Attack Vectors; Command Line Controls",
    "linux-uncore-frequency": "Sysfs Interface; SoCs with TPMI; Efficiency vs. Latency Tradeoff",
    "intel-pepc-elc": "Introduction; ELC Overview; Pepc Mechanisms",
    "inotify-manual": "/proc interfaces",
    "proc-manual": "/proc/sys/kernel/sem; /proc/sys/kernel/shmmni",
    "linux-tcp-init": "tcp_init()",
    "enterprise-linux-7-kernel": """
kernel/sched/core.c; kernel/cpu.c; kernel/time/clocksource.c; arch/x86/kernel/tsc.c; arch/x86/kernel/cpu/mcheck/mce.c
drivers/cpufreq/intel_pstate.c; net/ipv4/sysctl_net_ipv4.c; net/ipv4/arp.c; include/net/tcp.h; net/ipv4/tcp.c
include/uapi/linux/shm.h; fs/notify/inotify/inotify_user.c
""",
    "enterprise-linux-8-kernel": """
kernel/sched/isolation.c; kernel/cpu.c; kernel/time/clocksource.c; arch/x86/kernel/tsc.c; arch/x86/kernel/cpu/mce/core.c
drivers/cpufreq/intel_pstate.c; mm/huge_memory.c; net/ipv4/tcp.c; net/ipv4/tcp_ipv4.c
""",
    "linux-before-5.6": "The Idle Loop; cpuidle.governor=; intel_pstate=; iommu=; isolcpus=",
    "cms-singularity": "SLC 5 environment; SLC6/CentOS6 environment",
    "redhat-202743": "Environment; Resolution; Why the OS might ignore BIOS settings",
    "tuned-el6": "default; latency-performance; throughput-performance; functions; ktune.sh; sysctl.ktune",
    "tuned-profiles": """
accelerator-performance; balanced; cpu-partitioning; hpc-compute; latency-performance; mssql; network-latency; openshift
openshift-node; oracle; postgresql; powersave; realtime; sap-hana; sap-netweaver; throughput-performance; virtual-guest; virtual-host
[cpu] governor; [cpu] energy_perf_bias; [cpu] min_perf_pct; [disk] readahead
[sysctl] vm.dirty_ratio; [sysctl] vm.dirty_background_ratio; [sysctl] vm.swappiness; profiles/NAME/tuned.conf
""",
    "mongodb-production-notes": """
Configuring NUMA on Linux; Scheduling for Physical Servers; Set vm.swappiness; Recommended Configuration
Enable Transparent Hugepages (THP); Create a Service File
""",
    "elasticsearch-system-settings": "sysconfig; virtual-memory.asciidoc; swap.asciidoc; tcpretries.asciidoc",
    "clickhouse-tips": "tips; CPU Scaling Governor; RAM; Huge Pages",
    "minio-tuned": "tuned.conf; [vm]; [sysfs]; [cpu]; [sysctl]; [bootloader]",
    "intel-mysql-postgresql-guide": """
Recommended BIOS Settings; CPU performance mode; Hugepage Configuration; SNC (Sub NUMA Cluster); Latency Optimized Mode
""",
    "dpdk-linux-guide": "BIOS Settings; Linux boot command line; nic_perf_intel_platform.rst; sys_reqs.rst; enable_func.rst; linux_drivers.rst; amd_platform.rst",
    "oracle-installation-guide": "Configuring HugePages on Linux; Disabling Transparent HugePages",
    "postgresql-manual": "Linux Huge Pages; Linux Memory Overcommit",
    "linux-proc": "meminfo",
    "tuned-network-latency": "[sysctl]; [bootloader]",
    "solarflare-adapter-guide": "Interrupt Moderation (Interrupt Coalescing)",
    "amd-onload-guide": "Allocating Huge Pages; Huge Page Size; Performance Jitter",
    "swissquote-forex": "Bios; Grub parameters; System configuration",
    "openstack-nova-real-time": "BIOS configuration; OS configuration",
    "kubernetes-kubelet": "desired state; sysctl.go",
    "dune-daq-dpdklibs": "SMT Control; Local APIC Mode",
    "dell-numa-epyc-7002": "NUMA and NPS",
    "amd-hyperloom-audit": "BIOS_KNOBS; CHECKED; RECORDED",
    "rocm-mi200": """
System BIOS settings; NBIO link clock frequency; Systems with 256 CPU threads - IOMMU configuration
""",
    "rocm-mi300x": "System BIOS settings; GRUB settings; Operating system settings",
    "saptune-notes": "1275776; 1984787; 2205917; 2382421; 2578899; 2684254; 3024346; 3565382; 3577842; bin/saptune_check",
    "intel-cassandra-guide": "Table 2; DataStax's Kernel/Storage/Network Settings; Modification of Java Files; Example System Startup Script",
    "cassandra-production": "Read ahead",
    "kafka-operations": "OS",
    "sap-metal-settings": """
dell-default.yaml; dell-r6715.yaml; dell-r7615.yaml; dell-r770.yaml; dell-r860-kvm.yaml; hpe-dl380-gen11.yaml; hpe-dl380-gen12.yaml; hpe-dl560-gen11-latest-kvm.yaml; hpe-dl560-gen11-sci.yaml
lenovo-sr650-v3.yaml; lenovo-sr650.yaml; lenovo-sr655-v3.yaml
lenovo-sr850-v3-new.yaml; lenovo-sr850p.yaml; lenovo-sr950-v3.yaml; lenovo-sr950.yaml
""",
    "intel-kafka-guide": """
Operating System Tuning
Single-node BIOS Configuration Recommendations; Single-node System Configuration; Example System Startup Script
""",
    "redpanda-tuners": """
aio.go; clocksource.go; cpu/tuner.go; disk_nomerges_tuner.go; disk_scheduler_tuner.go; network/const.go; swappiness.go; thp.go
tuners
""",
    "amd-epyc-9004-tuning": "Section 4.2.1; Section 4.4.3; Section 4.4.4; Chapter 5",
    "understack-r7615": "Attributes",
    "poweredge-amd-captures": """
R7615; R6615 factory values; R6615 of a WEKApod; bios_settings.yml; dell.go; EPYC 9004 page; XE8545 menu; R7515 menu; R750; R6515
inventory script; Server Administrator help
""",
    "poweredge-xeon-captures": """
R750; R760xa; R770; R660xs; XR5610; iDRAC9; iDRAC10; R670 factory values; R670 in bios_settings.yml; R860; issue 1072
""",
    "azure-hbv2": "HBv2 series virtual machine overview",
    "azure-hbv3": "HBv3-series virtual machine overview",
    "azure-hbv4": "HBv4-series virtual machine overview",
    "mlperf-power-xr12": "Bios setting",
    "weka-bios-tool": "Dell Inc., AMD, *; Dell Inc., AMD, PowerEdge R6615; Dell Inc., Intel, *; Dell Inc., Intel, PowerEdge R670; HPE, AMD, *; HPE, Intel, *; Lenovo, AMD, *; Supermicro, AMD, *; Supermicro, Intel, *",
    "linux-intel-pstate-driver": "intel_pstate_platform_pwr_mgmt_exists(); set_power_ctl_ee_state(); show_no_turbo()",
    "kubernetes-topology-manager": "Known limitations",
    "odim-bmc-operator": "Adding a BMC; Applying BIOS settings on BMC",
    "lenovo-v1-captures": "SAP; SAP of SR850P with KVM; SPEC flags; TEE119N; TEE160L",
    "proliant-gen11-captures": "DL380 Gen11; DL380 Gen11 and DL560 Gen11; DL560 Gen11",
    "lenovo-v3-xeon-captures": "LP1836; SR650 V3; SR650 V3, SR850 V3 and SR950 V3; SR850 V3; SR950 V3",
    "lenovo-amd-captures": "SR635 V3 factory values; SR655 V3; bios_settings.yml; bios_settings.yml of 2025; LP1977",
    "supermicro-h13-captures": "AS-1115CS-TNR; bios_settings.yml; bios_settings.yml of 2025; ASG-1115S-NE316R",
    "cisco-bios-templates": "M5-Intel; M6-Intel; M6-AMD; M7-Intel; M8-AMD",
    "intel-microcode": "SKX-SP; CLX-SP; ICX-SP; SPR-SP; EMR-SP; SRF-SP; GNR-AP/SP; HSX-E/EP; HSX-EX; BDX-ML; IVB-E/EP; IVB-EX; SNB-E/EN/EP",
    "cisco-m8-intel-tuning": "Purpose and scope; Product overview; Enhanced CPU performance; Table 2; Table 3; Table 4",
}
NUMBERED = {
    "cern-nehalem": {"Figure": 16},
    "dell-11g-hpc": {"Table": 6, "Figure": 14},
    "dell-11g-hpc-2009": {"Table": 6, "Figure": 13},
    "dell-12g-tuning": {"Table": 2, "Figure": 23},
    "dell-14g-hpc": {"Table": 2, "Figure": 4},
}


@pytest.mark.parametrize("source", HEADINGS)
def test_contents(source: str, knowledge: Knowledge) -> None:
    headings = [heading for line in HEADINGS[source].strip().splitlines() for heading in line.split("; ")]
    numbered = [
        f"{what} {number}" for what, last in NUMBERED.get(source, {}).items() for number in range(1, last + 1)
    ]
    assert sorted(knowledge.sources[source].contents) == sorted([*headings, *numbered])


def test_the_others_have_one_place_or_do_not_list_them(knowledge: Knowledge) -> None:
    others = {
        name: len(source.contents) for name, source in knowledge.sources.items() if name not in HEADINGS
    }
    assert all(places <= 1 for places in others.values()), others
