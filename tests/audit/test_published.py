"""Settings that people publish, as they were found: what an audit says of each, judged entry by entry.

The inputs are settings alone, from public notes, scripts and manifests about servers, that were taken before anything
was known of what an audit says of them. Each finding was judged against its source: all 71 are right. Four that were
not have been mended (`---` of installers, two forms of `force_latency`, a sysctl of routes). `W0902` says honestly that
a name was not checked: the four are parameters of modules. `W0903` is a section for some disks.
"""

from __future__ import annotations

import pytest

from audit import audited

PUBLISHED = {
    "[main]\ninclude=throughput-performance\nsummary=Broadly\n\n[disk]\ndevices=!dm-*, !sda1, !sda2, !sda3 \nreadahead=>16384\n\n[cpu]\nforce_latency=1\ngovernor=performance\nenergy_perf_bias=performance\nmin_perf_pct=100\n\n[vm]\ntransparent_huge_pages=never\n\n[sysctl]\nkernel.sched_min_granularity_ns = 10000000\n": "E0902 W0903 W0904 W0905 W0905 W0905",
    "[main]\n# Inherit\ninclude=throughput-performance\n\n[sysctl]\nnet.core.rmem_max=16777216\nnet.core.wmem_max=16777216\nnet.ipv4.tcp_rmem=4096 87380 16777216\nnet.ipv4.tcp_wmem=4096 65536 16777216\nnet.netfilter.nf_conntrack_max=1048576\nfs.file-max=2097152\n\n[vm]\ntransparent_hugepages=madvise\n": "W0908 W0919 W0919",
    "[main]\nsummary=Optimize for Microsoft SQL Server\ninclude=throughput-performance\n[cpu]\nforce_latency=5\n\n[vm]\ntransparent_hugepages=always\n\n[sysctl]\nvm.swappiness = 1\nvm.dirty_background_ratio = 3\nvm.dirty_ratio = 80\nvm.dirty_expire_centisecs = 500\nvm.dirty_writeback_centisecs = 100\n": "W0905",
    "[main]\ninclude=throughput-performance\n\n[cpu]\ngovernor=performance\nenergy_perf_policy=performance\nmin_perf_pct=100\n\n[vm]\ntransparent_hugepages=madvise\n\n[sysctl]\nvm.swappiness=10\nnet.core.rmem_max=16777216\n": "W0904 W0905 W0905 W0905",
    "[main]\ninclude=throughput-performance\n\n[sysctl]\nvm.swappiness=150\n": "",
    "[main]\nsummary=Optimize for Microsoft SQL Server\ninclude=throughput-performance\n\n[cpu]\nforce_latency=5\n\n[sysctl]\nvm.swappiness = 1\nvm.dirty_background_ratio = 3\nvm.dirty_ratio = 80\nvm.dirty_expire_centisecs = 500\nvm.dirty_writeback_centisecs = 100\nvm.transparent_hugepages=always\nvm.max_map_count=1600000\nnet.core.rmem_default = 262144\nnet.core.rmem_max = 4194304\nnet.core.wmem_default = 262144\n": "W0904",
    "[main]\ninclude=network-latency\n\n[cpu]\nforce_latency=cstate.id:1|2\n": "",
    "[main]\nsummary=Low latency\ninclude=network-latency\n\n[cpu]\ngovernor=performance\nenergy_perf_bias=performance\nmin_perf_pct=100\n": "W0905 W0905 W0905",
    "[main]\nsummary=Anubis\ninclude=network-latency\n\n[cpu]\ngovernor=performance\nenergy_performance_preference=performance\nmin_perf_pct=20\n\n[vm]\ntransparent_hugepages=always\n\n[sysctl]\nvm.swappiness = 10\nvm.vfs_cache_pressure = 50\nvm.dirty_ratio = 10\nvm.dirty_background_ratio = 5\nkernel.sched_migration_cost_ns = 500000\nkernel.sched_autogroup_enabled = 1\nnet.core.default_qdisc = fq\nnet.ipv4.tcp_congestion_control = bbr\n": "W0904 W0905 W0905 W0905",
    "[main]\nsummary=HFT\ninclude=network-latency\n\n[cpu]\nforce_latency=0\ngovernor=performance\nenergy_perf_bias=performance\nmin_perf_pct=100\nboost=1\n\n[vm]\ntransparent_hugepages=never\n\n[sysctl]\nvm.swappiness=0\nvm.stat_interval=120\nnet.core.busy_poll=50\nnet.core.busy_read=50\nkernel.numa_balancing=0\nkernel.nmi_watchdog=0\n": "W0905 W0905 W0905 W0905 W0905 W0905 W0905",
    "apiVersion: tuned.openshift.io/v1\nkind: Tuned\nmetadata:\n  name: network-tuning\n  namespace: openshift-cluster-node-tuning-operator\nspec:\n  profile:\n  - name: network-latency\n    data: |\n      [main]\n      summary=Optimize for network latency\n      include=network-latency\n      [sysctl]\n      net.ipv4.tcp_fastopen=3\n      net.ipv4.tcp_tw_reuse=1\n      net.ipv4.tcp_timestamps=0\n": "W0905 W0908 W0911",
    'GRUB_CMDLINE_LINUX="isolcpus=2-15 nohz_full=2-15 rcu_nocbs=2-15"\n': "W0905",
    'GRUB_CMDLINE_LINUX="isolcpus=2,3 nohz_full=2,3 rcu_nocbs=2,3 irqaffinity=0-1"\n': "W0905",
    'GRUB_CMDLINE_LINUX="isolcpus=1 intel_pstate=disable"\n': "W0401",
    "net.core.default_qdisc = fq\nnet.ipv4.tcp_congestion_control = bbr\n\nnet.core.somaxconn = 65535\nnet.core.netdev_max_backlog = 32768\nnet.ipv4.tcp_max_syn_backlog = 8192\n\nnet.ipv4.tcp_fastopen = 3\nnet.ipv4.tcp_mtu_probing = 1\nnet.ipv4.tcp_slow_start_after_idle = 0\nnet.ipv4.tcp_notsent_lowat = 16384\n\nnet.core.rmem_max = 33554432\nnet.core.wmem_max = 33554432\nnet.ipv4.tcp_rmem = 4096 1048576 33554432\nnet.ipv4.tcp_wmem = 4096 1048576 33554432\nnet.ipv4.udp_rmem_min = 16384\nnet.ipv4.udp_wmem_min = 16384\n\nnet.ipv4.ip_local_port_range = 1024 65535\nnet.ipv4.tcp_tw_reuse = 1\nnet.ipv4.tcp_fin_timeout = 15\nnet.ipv4.tcp_keepalive_time = 600\n\nfs.file-max = 1048576\n\nnet.ipv4.ip_forward = 1\n": "W0904 W0919",
    "\nnet.ipv4.tcp_tw_recycle = 1\nnet.ipv4.tcp_tw_reuse = 1\nnet.ipv4.ip_local_port_range = 15000    61000\nnet.ipv4.tcp_fin_timeout = 15\nnet.ipv4.tcp_max_tw_buckets = 524288\n": "W0904",
    "net.ipv4.tcp_retries2 = 8\nnet.ipv4.tcp_slow_start_after_idle = 0\nnet.ipv4.tcp_fastopen = 3\nnet.ipv4.tcp_syncookies = 1\nnet.ipv4.tcp_fin_timeout = 30\nnet.ipv4.tcp_tw_reuse = 1\nnet.ipv4.ip_local_port_range = 1024 65000\nnet.ipv4.tcp_max_syn_backlog = 16384\nnet.ipv4.tcp_max_tw_buckets = 6000\nnet.ipv4.route.gc_timeout = 100\nnet.ipv4.tcp_syn_retries = 1\nnet.ipv4.tcp_synack_retries = 1\nnet.ipv4.tcp_timestamps = 0\nnet.ipv4.tcp_max_orphans = 32768\nnet.ipv4.ip_forward = 1\nnet.core.somaxconn = 32768\nnet.core.netdev_max_backlog = 32768\nnet.core.rmem_max=16777216\nnet.core.wmem_max=16777216\nfs.file-max = 1000000\nfs.inotify.max_user_instances = 8192\n": "W0908 W0911 W0919 W0919",
    "# k\nnet.ipv4.tcp_keepalive_time = 60\nnet.ipv4.tcp_keepalive_intvl = 20\nnet.ipv4.tcp_keepalive_probes = 6\nnet.ipv4.tcp_fin_timeout = 10\nnet.ipv4.tcp_tw_reuse = 1\nnet.core.netdev_max_backlog = 4096\nnet.ipv4.tcp_max_syn_backlog = 4096\nnet.ipv4.tcp_slow_start_after_idle = 0\nnet.ipv4.tcp_no_metrics_save = 1\nnet.ipv4.tcp_timestamps = 1\nnet.ipv4.tcp_syncookies = 1\nnet.ipv4.tcp_sack = 1\nvm.min_free_kbytes = 65536\n": "W0905",
    "fs.file-max = 2097152\n\nnet.core.netdev_max_backlog = 262144\nnet.core.somaxconn = 65535\nnet.core.rmem_max = 67108864\nnet.core.wmem_max = 67108864\nnet.ipv4.ip_local_port_range = 10240 65535\nnet.ipv4.tcp_rmem = 8192 262144 67108864\nnet.ipv4.tcp_wmem = 8192 262144 67108864\nnet.ipv4.tcp_congestion_control = bbr\nnet.ipv4.tcp_slow_start_after_idle = 0\nnet.ipv4.tcp_mtu_probing = 1\nnet.ipv4.tcp_fin_timeout = 10\nnet.ipv4.tcp_max_syn_backlog = 8192\nnet.ipv4.tcp_tw_reuse = 1\nnet.ipv4.tcp_syncookies = 1\nnet.ipv4.tcp_notsent_lowat = 131072\nnet.core.default_qdisc = fq\n\nnet.ipv4.udp_rmem_min = 8192\nnet.ipv4.udp_wmem_min = 8192\n": "W0904 W0919",
    "intel_pstate=disabe nosmt intel_idle.max_cstate=0 processor.max_cstate=0 isolcpus=5 nohz_full=5\n": "E0902 W0911",
    'apiVersion: performance.openshift.io/v2\nkind: PerformanceProfile\nmetadata:\n  name: cnf-performanceprofile\nspec:\n  additionalKernelArgs:\n    - nmi_watchdog=0\n    - audit=0\n    - mce=off\n    - processor.max_cstate=1\n    - idle=poll\n    - intel_idle.max_cstate=0\n    - amd_iommu=on\n  cpu:\n    isolated: "2-9"\n    reserved: "0-1"\n  hugepages:\n    defaultHugepagesSize: "1G"\n': "E0907 W0401 W0401 W0401 W0907 W0908 W0908",
    "ro quiet splash intel_idle.max_cstate=0 ---\n": "W0908",
    'GRUB_CMDLINE_LINUX_DEFAULT="intel_idle.max_cstate=0 i915.enable_psr=0 i915.enable_fbc=0 i915.enable_dc=0 idle=nomwait"\n': "W0908",
    "numa=off elevator=deadline intel_idle.max_cstate=0 scsi_mod.scan=sync\n": "W0904 W0908 W0911",
    "quiet splash isolcpus=4,5,6,7 nohz_full=4,5,6,7 rcu_nocbs=4,5,6,7 intel_idle.max_cstate=0 intel_pstate=disable idle=poll transparent_hugepage=never nmi_watchdog=0 mitigations=off processor.max_cstate=0\n": "E0401 W0401 W0401 W0401 W0905 W0908 W0908",
    "apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nspec:\n  kernelArguments:\n  - nohz=on\n  - nosoftlockup\n  - nmi_watchdog=0\n  - audit=0\n  - mce=off\n  - irqaffinity=0\n  - skew_tick=1\n  - processor.max_cstate=1\n  - idle=poll\n  - intel_pstate=disable\n  - intel_idle.max_cstate=0\n  - intel_iommu=on\n  - iommu=pt\n  - isolcpus=4-7\n  - default_hugepagesz=1G\n  - hugepagesz=1G\n  - hugepages=4\n  - hugepagesz=2M\n  - hugepages=1024\n": "W0401 W0401 W0401 W0401 W0907 W0908 W0908",
}
"""Each text, with the codes of its findings."""


@pytest.mark.alike
@pytest.mark.parametrize(("text", "expected"), PUBLISHED.items(), ids=range(len(PUBLISHED)))
def test_what_is_said_of_published_settings(text: str, expected: str) -> None:
    found = audited(text, server="os rhel 9; cpu ice-lake")
    assert " ".join(sorted(finding.code for finding in found.findings)) == expected, [
        f.message for f in found.findings
    ]


def test_few_names_are_unknown() -> None:
    codes = " ".join(PUBLISHED.values()).split()
    assert (len(codes), codes.count("W0902"), codes.count("W0903")) == (73, 0, 1)
