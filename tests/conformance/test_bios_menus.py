"""The menus of four captured servers: their offers in the registry's words, and the knowledge base's version of them.

`Values` are the display names of an attribute's values in the registry's order, `Captured` is the value that the server
had, and `Menu` the menu and the display name of the attribute. The deviations below are on purpose.
"""

import pytest

from conformance.printed import cells
from registries import NAMES, read
from setpoint.compiler.knowledge.model import Citation, Knowledge, Offer

REGISTRIES = {
    "R720": """
Attribute                | Values                                                                 | Captured                    | Menu
MemOpMode                | Optimizer Mode, Mirror Mode, Advanced ECC Mode, Dell Fault Resilient Mode | Optimizer Mode              | Memory Settings > Memory Operating Mode
NodeInterleave           | Enabled, Disabled                                                      | Disabled                    | Memory Settings > Node Interleaving
LogicalProc              | Enabled, Disabled                                                      | Enabled                     | Processor Settings > Logical Processor
RtidSetting              | Enabled, Disabled                                                      | Disabled                    | Processor Settings > Alternate RTID (Requestor Transaction ID) Setting
ProcVirtualization       | Enabled, Disabled                                                      | Enabled                     | Processor Settings > Virtualization Technology
ProcAdjCacheLine         | Enabled, Disabled                                                      | Enabled                     | Processor Settings > Adjacent Cache Line Prefetch
ProcHwPrefetcher         | Enabled, Disabled                                                      | Enabled                     | Processor Settings > Hardware Prefetcher
DcuStreamerPrefetcher    | Enabled, Disabled                                                      | Enabled                     | Processor Settings > DCU Streamer Prefetcher
DcuIpPrefetcher          | Enabled, Disabled                                                      | Enabled                     | Processor Settings > DCU IP Prefetcher
ProcExecuteDisable       | Enabled, Disabled                                                      | Enabled                     | Processor Settings > Execute Disable
DynamicCoreAllocation    | Enabled, Disabled                                                      | Disabled                    | Processor Settings > Logical Processor Idling
ProcCores                | All, 1, 2, 4                                                           | All                         | Processor Settings > Number of Cores per Processor
SysProfile               | Performance Per Watt (DAPC), Performance Per Watt (OS), Performance, Dense Configuration, Custom | Performance Per Watt (DAPC) | System Profile Settings > System Profile
ProcPwrPerf              | System DBPM (DAPC), Maximum Performance, OS DBPM                       | System DBPM (DAPC)          | System Profile Settings > CPU Power Management
MemFrequency             | Maximum Performance, Maximum Reliability, 1866MHz, 1600MHz, 1333MHz, 1067MHz, 800MHz | Maximum Performance         | System Profile Settings > Memory Frequency
ProcTurboMode            | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > Turbo Boost
ProcC1E                  | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > C1E
ProcCStates              | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > C States
CollaborativeCpuPerfCtrl | Disabled, Enabled                                                      | Disabled                    | System Profile Settings > Collaborative CPU Performance Control
MemPatrolScrub           | Extended, Standard, Disabled                                           | Standard                    | System Profile Settings > Memory Patrol Scrub
MemRefreshRate           | 1x, 2x                                                                 | 1x                          | System Profile Settings > Memory Refresh Rate
MemVolt                  | Auto, 1.5V                                                             | Auto                        | System Profile Settings > Memory Operating Voltage
MonitorMwait             | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > Monitor/Mwait
SriovGlobalEnable        | Enabled, Disabled                                                      | Disabled                    | Integrated Devices > SR-IOV Global Enable
MemTest | Enabled, Disabled | Enabled | Memory Settings > System Memory Testing
MmioAbove4Gb | Enabled, Disabled | Enabled | Integrated Devices > Memory Mapped I/O above 4GB
""",
    "R630": """
Attribute                   | Values                                                                 | Captured            | Menu
MemOpMode                   | Optimizer Mode, Spare Mode, Mirror Mode, Advanced ECC Mode, Spare With Advanced ECC Mode, Fault Resilient Mode, NUMA Fault Resilient Mode | Optimizer Mode      | Memory Settings > Memory Operating Mode
NodeInterleave              | Enabled, Disabled                                                      | Disabled            | Memory Settings > Node Interleaving
LogicalProc                 | Enabled, Disabled                                                      | Enabled             | Processor Settings > Logical Processor
QpiSpeed                    | Maximum data rate, 9.6 GT/s, 8.0 GT/s, 6.4 GT/s                        | Maximum data rate   | Processor Settings > QPI Speed
CpuInterconnectBusLinkPower | Enabled, Disabled                                                      | Enabled             | Processor Settings > QPI Link L1 Power Management
RtidSetting                 | Enabled, Disabled                                                      | Disabled            | Processor Settings > Alternate RTID (Requestor Transaction ID) Setting
ProcVirtualization          | Enabled, Disabled                                                      | Enabled             | Processor Settings > Virtualization Technology
ProcAdjCacheLine            | Enabled, Disabled                                                      | Enabled             | Processor Settings > Adjacent Cache Line Prefetch
ProcHwPrefetcher            | Enabled, Disabled                                                      | Enabled             | Processor Settings > Hardware Prefetcher
DcuStreamerPrefetcher       | Enabled, Disabled                                                      | Enabled             | Processor Settings > DCU Streamer Prefetcher
DcuIpPrefetcher             | Enabled, Disabled                                                      | Enabled             | Processor Settings > DCU IP Prefetcher
ProcExecuteDisable          | Enabled, Disabled                                                      | Enabled             | Processor Settings > Execute Disable
DynamicCoreAllocation       | Enabled, Disabled                                                      | Disabled            | Processor Settings > Logical Processor Idling
ProcCores                   | All, 1, 2, 4, 6, 8, 10                                                 | All                 | Processor Settings > Number of Cores per Processor
SysProfile                  | Performance Per Watt (DAPC), Performance Per Watt (OS), Performance, Dense Configuration, Custom | Performance         | System Profile Settings > System Profile
ProcPwrPerf                 | System DBPM (DAPC), OS DBPM, Maximum Performance, Hardware P States    | Maximum Performance | System Profile Settings > CPU Power Management
MemFrequency                | Maximum Performance, 2667MHz, 2400MHz, 2133MHz, 1866MHz, 1600MHz, 1333MHz, Maximum Reliability | Maximum Performance | System Profile Settings > Memory Frequency
ProcTurboMode               | Enabled, Disabled                                                      | Enabled             | System Profile Settings > Turbo Boost
ProcC1E                     | Enabled, Disabled                                                      | Disabled            | System Profile Settings > C1E
ProcCStates                 | Enabled, Disabled, Autonomous                                          | Disabled            | System Profile Settings > C States
CollaborativeCpuPerfCtrl    | Enabled, Disabled                                                      | Disabled            | System Profile Settings > Collaborative CPU Performance Control
MemPatrolScrub              | Extended, Standard, Disabled                                           | Standard            | System Profile Settings > Memory Patrol Scrub
MemRefreshRate              | 1x, 2x                                                                 | 1x                  | System Profile Settings > Memory Refresh Rate
UncoreFrequency             | Dynamic, Maximum                                                       | Maximum             | System Profile Settings > Uncore Frequency
EnergyPerformanceBias       | Performance, Balanced Performance, Balanced Energy, Energy Efficient   | Performance         | System Profile Settings > Energy Efficient Policy
MonitorMwait                | Enabled, Disabled                                                      | Enabled             | System Profile Settings > Monitor/Mwait
CorrEccSmi                  | Enabled, Disabled                                                      | Enabled             | Memory Settings > Correctable Memory ECC SMI
SnoopMode                   | Early Snoop, Home Snoop, Cluster On Die                                | Early Snoop         | Memory Settings > Snoop Mode
ProcX2Apic                  | Enabled, Disabled                                                      | Disabled            | Processor Settings > X2Apic Mode
SriovGlobalEnable           | Enabled, Disabled                                                      | Disabled            | Integrated Devices > SR-IOV Global Enable
EnergyEfficientTurbo        | Enabled, Disabled                                                      | Disabled            | System Profile Settings > Energy Efficient Turbo
Proc1TurboCoreNum           | All, 1, 2, 4, 6, 8, 10                                                 | All                 | System Profile Settings > Number of Turbo Boost Enabled Cores for Processor 1
Proc2TurboCoreNum           | All, 1, 2, 4, 6, 8, 10                                                 | All                 | System Profile Settings > Number of Turbo Boost Enabled Cores for Processor 2
MemTest | Enabled, Disabled | Disabled | Memory Settings > System Memory Testing
MmioAbove4Gb | Enabled, Disabled | Enabled | Integrated Devices > Memory Mapped I/O above 4GB
ProcConfigTdp | Nominal, Level 1 | Nominal | Processor Settings > Configurable TDP
ControlledTurbo | Enabled, Disabled, Controlled Turbo Limit Minus 1 Bin, Controlled Turbo Limit Minus 2 Bins, Controlled Turbo Limit Minus 3 Bins | Disabled | Processor Settings > Dell Controlled Turbo
ProcAts | Enabled, Disabled | Enabled | Processor Settings > Address Translation Services (ATS)
IoNonPostedPrefetch | Enabled, Disabled | Enabled | Integrated Devices > I/O Non-Posted Prefetch
SnoopHldOff | 256 Cycles, 512 Cycles, 1K Cycles, 2K Cycles | 256 Cycles | Integrated Devices > I/O Snoop HoldOff Response
IntelTxt | Off, On | Off | System Security > Intel(R) TXT
""",
    "R740": """
Attribute                   | Values                                                                 | Captured                    | Menu
MemOpMode                   | Optimizer Mode                                                         | Optimizer Mode              | Memory Settings > Memory Operating Mode
NodeInterleave              | Enabled, Disabled                                                      | Disabled                    | Memory Settings > Node Interleaving
LogicalProc                 | Enabled, Disabled                                                      | Enabled                     | Processor Settings > Logical Processor
CpuInterconnectBusLinkPower | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > CPU Interconnect Bus Link Power Management
ProcVirtualization          | Enabled, Disabled                                                      | Enabled                     | Processor Settings > Virtualization Technology
ProcAdjCacheLine            | Enabled, Disabled                                                      | Enabled                     | Processor Settings > Adjacent Cache Line Prefetch
ProcHwPrefetcher            | Enabled, Disabled                                                      | Enabled                     | Processor Settings > Hardware Prefetcher
DcuStreamerPrefetcher       | Enabled, Disabled                                                      | Enabled                     | Processor Settings > DCU Streamer Prefetcher
DcuIpPrefetcher             | Enabled, Disabled                                                      | Enabled                     | Processor Settings > DCU IP Prefetcher
DynamicCoreAllocation       | Enabled, Disabled                                                      | Disabled                    | Processor Settings > Logical Processor Idling
SubNumaCluster              | Enabled, Disabled                                                      | Disabled                    | Processor Settings > Sub NUMA Cluster
ProcCores                   | All, 1, 2, 4, 6, 8, 10, 12, 14                                         | All                         | Processor Settings > Number of Cores per Processor
SysProfile                  | Performance Per Watt (DAPC), Performance Per Watt (OS), Performance Per Watt (HWPM), Performance, Workstation Performance, Custom | Performance Per Watt (DAPC) | System Profile Settings > System Profile
ProcPwrPerf                 | System DBPM (DAPC), OS DBPM, Maximum Performance, Hardware P States    | System DBPM (DAPC)          | System Profile Settings > CPU Power Management
MemFrequency                | Maximum Performance, 2666MHz, 2400MHz, 2133MHz, 1866MHz, Maximum Reliability | Maximum Performance         | System Profile Settings > Memory Frequency
ProcTurboMode               | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > Turbo Boost
ProcC1E                     | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > C1E
ProcCStates                 | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > C States
CollaborativeCpuPerfCtrl    | Enabled, Disabled                                                      | Disabled                    | System Profile Settings > Collaborative CPU Performance Control
MemPatrolScrub              | Extended, Standard, Disabled                                           | Standard                    | System Profile Settings > Memory Patrol Scrub
MemRefreshRate              | 1x, 2x                                                                 | 1x                          | System Profile Settings > Memory Refresh Rate
UncoreFrequency             | Dynamic, Maximum                                                       | Dynamic                     | System Profile Settings > Uncore Frequency
EnergyPerformanceBias       | Performance, Balanced Performance, Balanced Energy, Energy Efficient   | Balanced Performance        | System Profile Settings > Energy Efficient Policy
MonitorMwait                | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > Monitor/Mwait
PcieAspmL1                  | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > PCI ASPM L1 Link Power Management
CorrEccSmi                  | Enabled, Disabled                                                      | Enabled             | Memory Settings > Correctable Memory ECC SMI
ProcX2Apic                  | Enabled, Disabled                                                      | Disabled            | Processor Settings > X2Apic Mode
SriovGlobalEnable           | Enabled, Disabled                                                      | Disabled            | Integrated Devices > SR-IOV Global Enable
WriteDataCrc                | Enabled, Disabled                                                      | Disabled            | System Profile Settings > Write Data CRC
Proc1TurboCoreNum           | All, 1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28             | All                 | System Profile Settings > Number of Turbo Boost Enabled Cores for Processor 1
MemTest | Enabled, Disabled | Disabled | Memory Settings > System Memory Testing
MmioAbove4Gb | Enabled, Disabled | Enabled | Integrated Devices > Memory Mapped I/O above 4GB
MemoryMappedIOH | 56TB, 12TB, 512GB | 56TB | Integrated Devices > Memory Mapped I/O Base
ProcConfigTdp | Nominal, Level 1, Level 2 | Nominal | Processor Settings > Configurable TDP
ControlledTurbo | Enabled, Disabled, Controlled Turbo Limit Minus 1 Bin, Controlled Turbo Limit Minus 2 Bins, Controlled Turbo Limit Minus 3 Bins | Disabled | Processor Settings > Dell Controlled Turbo
""",
    "R750": """
Attribute                   | Values                                                                 | Captured                    | Menu
MemOpMode                   | Optimizer Mode                                                         | Optimizer Mode              | Memory Settings > Memory Operating Mode
NodeInterleave              | Enabled, Disabled                                                      | Disabled                    | Memory Settings > Node Interleaving
LogicalProc                 | Enabled, Disabled                                                      | Enabled                     | Processor Settings > Logical Processor
CpuInterconnectBusSpeed     | Maximum data rate, 11.2 GT/s, 10.4 GT/s, 9.6 GT/s                      | Maximum data rate           | Processor Settings > CPU Interconnect Speed
CpuInterconnectBusLinkPower | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > CPU Interconnect Bus Link Power Management
ProcVirtualization          | Enabled, Disabled                                                      | Enabled                     | Processor Settings > Virtualization Technology
ProcAdjCacheLine            | Enabled, Disabled                                                      | Enabled                     | Processor Settings > Adjacent Cache Line Prefetch
ProcHwPrefetcher            | Enabled, Disabled                                                      | Enabled                     | Processor Settings > Hardware Prefetcher
DcuStreamerPrefetcher       | Enabled, Disabled                                                      | Enabled                     | Processor Settings > DCU Streamer Prefetcher
DcuIpPrefetcher             | Enabled, Disabled                                                      | Enabled                     | Processor Settings > DCU IP Prefetcher
DynamicCoreAllocation       | Enabled, Disabled                                                      | Disabled                    | Processor Settings > Logical Processor Idling
SubNumaCluster              | 2-Way Clustering, Disabled                                             | Disabled                    | Processor Settings > Sub NUMA Cluster
ProcCores                   | All, 1, 2, 4, 6, 8, 10, 12, 14, 16                                     | All                         | Processor Settings > Number of Cores per Processor
SysProfile                  | Performance Per Watt (DAPC), Performance Per Watt (OS), Performance, Custom | Performance Per Watt (DAPC) | System Profile Settings > System Profile
ProcPwrPerf                 | System DBPM (DAPC), OS DBPM, Maximum Performance                       | System DBPM (DAPC)          | System Profile Settings > CPU Power Management
MemFrequency                | Maximum Performance                                                    | Maximum Performance         | System Profile Settings > Memory Frequency
ProcTurboMode               | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > Turbo Boost
ProcC1E                     | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > C1E
ProcCStates                 | Enabled, Disabled, Autonomous                                          | Enabled                     | System Profile Settings > C States
MemPatrolScrub              | Extended, Standard, Disabled                                           | Standard                    | System Profile Settings > Memory Patrol Scrub
MemRefreshRate              | 1x, 2x                                                                 | 1x                          | System Profile Settings > Memory Refresh Rate
UncoreFrequency             | Dynamic, Maximum, Dynamic Optimized                                    | Dynamic                     | System Profile Settings > Uncore Frequency
EnergyPerformanceBias       | Performance, Balanced Performance, Balanced Energy, Energy Efficient   | Balanced Performance        | System Profile Settings > Energy Efficient Policy
MonitorMwait                | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > Monitor/Mwait
PcieAspmL1                  | Enabled, Disabled                                                      | Enabled                     | System Profile Settings > PCI ASPM L1 Link Power Management
CorrEccSmi                  | Enabled, Disabled                                                      | Enabled             | Memory Settings > Correctable Memory ECC SMI
ProcX2Apic                  | Enabled, Disabled                                                      | Enabled             | Processor Settings > x2APIC Mode
XptPrefetch                 | Enabled, Disabled                                                      | Enabled             | Processor Settings > XPT Prefetch
UpiPrefetch                 | Enabled, Disabled                                                      | Enabled             | Processor Settings > UPI Prefetch
LlcPrefetch                 | Enabled, Disabled                                                      | Enabled             | Processor Settings > LLC Prefetch
DeadLineLlcAlloc            | Enabled, Disabled                                                      | Enabled             | Processor Settings > Dead Line LLC Alloc
DirectoryAtoS               | Enabled, Disabled                                                      | Disabled            | Processor Settings > Directory AtoS
MadtCoreEnumeration         | Round Robin, Linear                                                    | Round Robin         | Processor Settings > MADT Core Enumeration
ControlledTurbo             | Enabled, Disabled                                                      | Disabled            | Processor Settings > Dell Controlled Turbo > Dell Controlled Turbo Setting
SriovGlobalEnable           | Enabled, Disabled                                                      | Enabled             | Integrated Devices > SR-IOV Global Enable
PwrPerfSwitch               | Enabled, Disabled                                                      | Enabled             | System Profile Settings > Dynamic Load Line Switch
MemTest | Enabled, Disabled | Disabled | Memory Settings > System Memory Testing
MmioAbove4Gb | Enabled, Disabled | Enabled | Integrated Devices > Memory Mapped I/O above 4GB
MemoryMappedIOH | 56TB, 12TB, 512GB | 56TB | Integrated Devices > Memory Mapped I/O Base
OptimizerMode | Auto, Enabled, Disabled | Auto | Processor Settings > Dell Controlled Turbo > Optimizer Mode
KernelDmaProtection | Enabled, Disabled | Disabled | Processor Settings > Kernel DMA Protection
SnoopHldOff | 256 Cycles, 512 Cycles, 1K Cycles, 2K Cycles, 4K Cycles, 8K Cycles, 16K Cycles, 32K Cycles, 64K Cycles, 128K Cycles | 2K Cycles | Integrated Devices > I/O Snoop HoldOff Response
""",
}

SERVERS = {"R720": "poweredge-12g", "R630": "poweredge-13g", "R740": "poweredge-14g", "R750": "poweredge-15g"}

SETTINGS = {
    "MemOpMode": "memory-mode",
    "NodeInterleave": "node-interleaving",
    "LogicalProc": "smt",
    "QpiSpeed": "qpi-speed",
    "CpuInterconnectBusSpeed": "qpi-speed",
    "CpuInterconnectBusLinkPower": "cpu-interconnect-link-power",
    "RtidSetting": "alternate-rtid",
    "ProcVirtualization": "virtualization",
    "ProcAdjCacheLine": "adjacent-cache-line-prefetch",
    "ProcHwPrefetcher": "hardware-prefetcher",
    "DcuStreamerPrefetcher": "dcu-streamer-prefetcher",
    "DcuIpPrefetcher": "dcu-ip-prefetcher",
    "ProcExecuteDisable": "execute-disable",
    "DynamicCoreAllocation": "logical-processor-idling",
    "SubNumaCluster": "sub-numa-cluster",
    "ProcCores": "cores-per-processor",
    "SysProfile": "system-profile",
    "ProcPwrPerf": "cpu-power-management",
    "MemFrequency": "memory-frequency",
    "ProcTurboMode": "turbo",
    "ProcC1E": "c1e",
    "ProcCStates": "c-states",
    "CollaborativeCpuPerfCtrl": "collaborative-cpu-control",
    "MemPatrolScrub": "memory-patrol-scrub",
    "MemRefreshRate": "memory-refresh-rate",
    "MemVolt": "memory-voltage",
    "UncoreFrequency": "uncore-frequency",
    "EnergyPerformanceBias": "energy-performance-bias",
    "MonitorMwait": "monitor-mwait",
    "PcieAspmL1": "pcie-aspm",
    "CorrEccSmi": "correctable-ecc-smi",
    "SnoopMode": "snoop-mode",
    "ProcX2Apic": "x2apic",
    "SriovGlobalEnable": "sr-iov",
    "MemTest": "memory-test",
    "MmioAbove4Gb": "mmio-above-4gb",
    "MemoryMappedIOH": "mmio-base",
    "ProcConfigTdp": "configurable-tdp",
    "ControlledTurbo": "controlled-turbo",
    "ProcAts": "address-translation-services",
    "IoNonPostedPrefetch": "io-non-posted-prefetch",
    "SnoopHldOff": "snoop-hold-off",
    "IntelTxt": "trusted-execution",
    "OptimizerMode": "optimizer-mode",
    "KernelDmaProtection": "kernel-dma-protection",
    "EnergyEfficientTurbo": "energy-efficient-turbo",
    "Proc1TurboCoreNum": "turbo-cores-processor-1",
    "Proc2TurboCoreNum": "turbo-cores-processor-2",
    "WriteDataCrc": "write-data-crc",
    "XptPrefetch": "xpt-prefetch",
    "UpiPrefetch": "upi-prefetch",
    "LlcPrefetch": "llc-prefetch",
    "DeadLineLlcAlloc": "dead-line-llc-alloc",
    "DirectoryAtoS": "directory-atos",
    "MadtCoreEnumeration": "madt-core-enumeration",
    "PwrPerfSwitch": "dynamic-load-line",
}

WORDS = {
    "Enabled": "on",
    "Disabled": "off",
    "On": "on",
    "Off": "off",
    "2-Way Clustering": "on",
    "Optimizer Mode": "optimizer",
    "Mirror Mode": "mirror",
    "Advanced ECC Mode": "advanced-ecc",
    "Spare Mode": "spare",
    "Spare With Advanced ECC Mode": "spare-advanced-ecc",
    "Maximum data rate": "maximum",
    "Performance Per Watt (DAPC)": "dapc",
    "Performance Per Watt (OS)": "os",
    "Dense Configuration": "dense",
    "Workstation Performance": "workstation",
    "System DBPM (DAPC)": "system-dbpm",
    "OS DBPM": "os-dbpm",
    "Maximum": "maximum",
    "2667MHz": "2666",
    "1067MHz": "1066",
    "Controlled Turbo Limit Minus 1 Bin": "minus-1-bin",
    "Controlled Turbo Limit Minus 2 Bins": "minus-2-bins",
    "Controlled Turbo Limit Minus 3 Bins": "minus-3-bins",
    "Early Snoop": "early",
    "Home Snoop": "home",
}
"""What the display names are called here, where that is not the name itself in small letters, without its unit."""

WORDS_OF = {
    "ProcPwrPerf": {"Maximum Performance": "max-performance"},
    "MemFrequency": {"Maximum Performance": "maximum"},
}

LEFT_OUT = {
    "MemOpMode": ("Dell Fault Resilient Mode", "Fault Resilient Mode", "NUMA Fault Resilient Mode"),
    "ProcPwrPerf": ("Hardware P States",),
    "SysProfile": ("Performance Per Watt (HWPM)",),
    "MemFrequency": ("Maximum Reliability",),
}
"""Values without advice in any source here, and a profile that released firmware of the 14th generation lacks."""

BINS = tuple(f"Controlled Turbo Limit Minus {bins}" for bins in ("1 Bin", "2 Bins", "3 Bins"))
LEFT_OUT_ON = {("R740", "ControlledTurbo"): BINS}
"""Values that the firmware before release has, and the released one has in another attribute."""

NOT_OFFERED = {("R740", "CollaborativeCpuPerfCtrl")}
"""What a firmware before release still has, and the released one has not."""

ADDED = {
    # Processors with more cores than the captured one list more of them.
    ("R750", "ProcCores"): {"18 to 38 step 2": "*"},
    # The 12G tuning paper, Figure 4: what memory that suits it adds.
    ("R720", "MemOpMode"): {"spare": "Spare Mode", "spare-advanced-ecc": "Spare with Advanced ECC Mode"},
    # Firmware that knows Cascade Lake has the step to which that raised the memory.
    ("R740", "MemFrequency"): {"2933": "2933MHz"},
    # The help text of the R740 names what memory that suits it adds.
    ("R740", "MemOpMode"): {
        "mirror": "Mirror Mode",
        "advanced-ecc": "Advanced ECC Mode",
        "spare": "Single Rank Spare Mode",
        "spare-advanced-ecc": "Single Rank Spare With Advanced ECC Mode",
    },
}
"""Values that a registry of one server has not, and a page or a help text has."""

DEFAULTS = {
    ("R630", "SysProfile"): "Performance Per Watt (DAPC)",
    ("R720", "MemTest"): "Disabled",
    ("R750", "SriovGlobalEnable"): "Disabled",
}
"""Settings that were not at the default on the captured server: DAPC is that of the previous generation; the help text
has the second, and Dell's table for Azure Local the last."""

NOT_KNOWN = {
    ("R630", "ProcConfigTdp"),
    ("R740", "ProcConfigTdp"),
    ("R630", "IntelTxt"),
}
"""What only some processors have, so that nothing is written on the others."""

OF_PAPERS = {
    ("R720", "MemOpMode"): ("dell-12g-tuning", "Overview of memory mode selections"),
    ("R720", "NodeInterleave"): ("dell-12g-tuning", "Node Interleaving"),
    ("R720", "LogicalProc"): ("dell-12g-tuning", "Figure 9; Logical Processor"),
    ("R720", "RtidSetting"): ("dell-12g-tuning", "Figure 9; Alternate RTID setting"),
    ("R720", "ProcVirtualization"): ("dell-12g-tuning", "Figure 9; Virtualization technology"),
    ("R720", "ProcAdjCacheLine"): ("dell-12g-tuning", "Figure 9; Processor prefetchers"),
    ("R720", "ProcHwPrefetcher"): ("dell-12g-tuning", "Figure 9; Processor prefetchers"),
    ("R720", "DcuStreamerPrefetcher"): ("dell-12g-tuning", "Figure 9; Processor prefetchers"),
    ("R720", "DcuIpPrefetcher"): ("dell-12g-tuning", "Figure 9; Processor prefetchers"),
    ("R720", "ProcExecuteDisable"): ("dell-12g-tuning", "Figure 9; Execute disable"),
    ("R720", "DynamicCoreAllocation"): ("dell-12g-tuning", "Figure 9; Logical processor idling"),
    ("R740", "SubNumaCluster"): ("dell-14g-hpc", "Sub-NUMA cluster"),
}
"""What a paper states as well; the default is then the paper's."""

NEEDS = {
    "NodeInterleave": "sockets 2 or 4",
    "QpiSpeed": "sockets 2 or 4",
    "CpuInterconnectBusSpeed": "sockets 2 or 4",
    "SubNumaCluster": "snc-support not no",
    "Proc2TurboCoreNum": "sockets 2 or 4",
}
"""What must be there: links and nodes need a second processor, SNC a model that has it."""

LINKS_NEED_TWO = ("R630", "CpuInterconnectBusLinkPower")


def offered_by(model: str, knowledge: Knowledge, setting: str) -> Offer:
    """The one offer of a setting on the generation of a server."""
    here = f"platform {SERVERS[model]}"
    (found,) = (o for o in knowledge.offers[setting] if _text(knowledge, o).partition(",")[0] == here)
    return found


def _text(knowledge: Knowledge, offer: Offer) -> str:
    """The conditions of an offer, the platform first."""
    return ", ".join(
        sorted(knowledge.box_text(offer.when).split(", "), key=lambda c: not c.startswith("platform"))
    )


def value_of(attribute: str, label: str) -> str:
    """Our name of a value."""
    words = WORDS | WORDS_OF.get(attribute, {})
    return words.get(label, label.lower().removesuffix("mhz").removesuffix(" gt/s").replace(" ", "-"))


def left_out(model: str, attribute: str) -> tuple[str, ...]:
    """The display names of a server's values that are not offered."""
    return LEFT_OUT.get(attribute, ()) + LEFT_OUT_ON.get((model, attribute), ())


def rows(model: str) -> dict[str, dict[str, str]]:
    """The rows of a registry by attribute: `Values`, `Captured` and `Menu`."""
    found: dict[str, dict[str, str]] = {}
    for cell in cells(REGISTRIES[model]):
        found.setdefault(cell.row, {})[cell.column] = cell.text
    return found


def printed(model: str) -> dict[str, dict[str, str]]:
    """The rows of a registry that are offered."""
    return {attribute: row for attribute, row in rows(model).items() if (model, attribute) not in NOT_OFFERED}


def offers(model: str, knowledge: Knowledge) -> dict[str, Offer]:
    """What the knowledge base offers for the attributes of a registry."""
    return {attribute: offered_by(model, knowledge, SETTINGS[attribute]) for attribute in printed(model)}


@pytest.mark.parametrize("model", SERVERS)
def test_the_menus_here_are_the_captured_ones(model: str) -> None:
    (name,) = (one for one in NAMES if one.endswith(f"-{model}"))
    facts = read(name)
    for attribute, row in rows(model).items():
        entry = facts["attributes"][attribute]
        labels = dict([value, value] if isinstance(value, str) else value for value in entry["values"])
        assert row["Values"].split(", ") == list(labels.values()), attribute
        assert row["Captured"] == labels[facts["current"][attribute]], attribute
        menus = [
            label for path, label in facts["menus"].items() if f"{entry['menu']}/".startswith(f"{path}/")
        ]
        assert row["Menu"] == " > ".join([*menus, entry["label"]]), attribute


@pytest.mark.parametrize("model", SERVERS)
def test_values_and_labels_are_those_of_the_registry(model: str, knowledge: Knowledge) -> None:
    expected = {}
    for attribute, row in printed(model).items():
        labels = [label for label in row["Values"].split(", ") if label not in left_out(model, attribute)]
        own = {value_of(attribute, label): label for label in labels}
        expected[attribute] = own | ADDED.get((model, attribute), {})
    found = {
        attribute: dict(zip(offer.values, offer.labels, strict=True))
        for attribute, offer in offers(model, knowledge).items()
    }
    assert found == expected


@pytest.mark.parametrize("model", SERVERS)
def test_menus_are_those_of_the_registry(model: str, knowledge: Knowledge) -> None:
    above = "System BIOS > " if model == "R720" else ""
    expected = {
        attribute: (
            above + row["Menu"],
            Citation(
                *OF_PAPERS.get((model, attribute), ("dell-bios-registries", f"{model} registry, {attribute}"))
            ),
        )
        for attribute, row in printed(model).items()
    }
    found = {attribute: (o.menu, o.citation) for attribute, o in offers(model, knowledge).items()}
    assert found == expected


@pytest.mark.parametrize("model", SERVERS)
def test_defaults_are_as_captured_and_members_of_a_profile_have_none(
    model: str, knowledge: Knowledge
) -> None:
    expected = {}
    for attribute, row in printed(model).items():
        label = DEFAULTS.get((model, attribute), row["Captured"])
        member = row["Menu"].startswith("System Profile Settings") and attribute != "SysProfile"
        unknown = (model, attribute) in NOT_KNOWN
        expected[attribute] = ("" if member or unknown else value_of(attribute, label), unknown)
    found = {attribute: (o.default, o.unknown) for attribute, o in offers(model, knowledge).items()}
    assert found == expected


@pytest.mark.parametrize("model", SERVERS)
def test_a_menu_is_there_where_its_hardware_is(model: str, knowledge: Knowledge) -> None:
    expected = {}
    for attribute in printed(model):
        needs = "sockets 2 or 4" if (model, attribute) == LINKS_NEED_TWO else NEEDS.get(attribute)
        expected[attribute] = ", ".join(filter(None, (f"platform {SERVERS[model]}", needs)))
    found = {attribute: _text(knowledge, o) for attribute, o in offers(model, knowledge).items()}
    assert found == expected


# Figure 9 and the section QPI Speed: the R720 with one processor has no links.
def test_qpi_speed_of_the_12th_generation(knowledge: Knowledge) -> None:
    offer = offered_by("R720", knowledge, "qpi-speed")
    assert dict(zip(offer.values, offer.labels, strict=True)) == {
        "maximum": "Maximum data rate",
        "8.0": "8.0 GT/s",
        "7.2": "7.2 GT/s",
        "6.4": "6.4 GT/s",
    }
    assert (offer.default, offer.menu) == ("maximum", "System BIOS > Processor Settings > QPI Speed")
    assert offer.citation == Citation("dell-12g-tuning", "Figure 9; QPI Speed")
    assert _text(knowledge, offer) == "platform poweredge-12g, sockets 2 or 4"


# The captured R740 has one processor. That a second one has the same menu is known from the R630, which has both.
def test_turbo_cores_of_a_second_processor_on_the_14th_generation(knowledge: Knowledge) -> None:
    offer = offered_by("R740", knowledge, "turbo-cores-processor-2")
    labels = printed("R740")["Proc1TurboCoreNum"]["Values"].split(", ")
    assert (offer.labels, offer.values) == (tuple(labels), ("all", *labels[1:]))
    menu = "System Profile Settings > Number of Turbo Boost Enabled Cores for Processor 2"
    assert (offer.default, offer.unknown, offer.menu) == ("", False, menu)
    assert offer.citation == Citation("dell-bios-registries", "R740 registry, Proc1TurboCoreNum")
    assert _text(knowledge, offer) == "platform poweredge-14g, sockets 2 or 4"
    of_14g = (p for p in knowledge.presets if knowledge.box_text(p.when) == "platform poweredge-14g")
    (preset,) = (preset for preset in of_14g if "turbo-cores-processor-2" in preset.members)
    fixed_to = {profile: members["turbo-cores-processor-2"] for profile, members in preset.columns.items()}
    assert fixed_to == dict.fromkeys(set(PROFILES.values()) - {"dense"}, "all") | {"custom": "free"}


# ------------------------------------------------------------------------------------------------ the 11th generation

# The HPC paper's overview of the BIOS options, and the R710's list, which has names and no labels.
ELEVENTH = """
Setting                      | Offered                                                        | Default | Menu                                              | Place
node-interleaving            | off Disabled, on Enabled                                       | off     | Memory Settings > Node Interleaving               | Node Interleaving (Overview of 11G BIOS Options)
smt                          | on Enabled, off Disabled                                       | on      | Processor Settings > Logical Processor            | Logical Processor
cpu-power-management         | os-dbpm OS Control, system-dbpm Active Power Controller, max-performance Static Max Performance, minimum-power Custom (CPU: Minimum Power) | os-dbpm | Power Management | Power Management Profile
c-states                     | on Enabled, off Disabled                                       | unknown |                                                   | C-States
c1e                          | on Enabled, off Disabled                                       | on      |                                                   | C-States
turbo                        | on Enabled, off Disabled                                       | on      | Processor Settings > Turbo Mode                   | Turbo Mode (Overview of 11G BIOS Options)
qpi-bandwidth-priority       | compute Compute, io I/O                                        | compute | Processor Settings > Intel QPI Bandwidth Priority | New options introduced in Intel Xeon 5600 series
dcu-streamer-prefetcher      | on Enabled, off Disabled                                       | on      | Processor Settings > DCU Stream Prefetcher        | New options introduced in Intel Xeon 5600 series
data-reuse                   | on Enabled, off Disabled                                       | on      | Processor Settings > Data Reuse                   | New options introduced in Intel Xeon 5600 series
hardware-prefetcher          | on Enabled, off Disabled                                       | unknown |                                                   | R710 attributes, ProcHwPrefetcher
adjacent-cache-line-prefetch | on Enabled, off Disabled                                       | unknown |                                                   | R710 attributes, ProcAdjCacheLine
virtualization               | on Enabled, off Disabled                                       | unknown |                                                   | R710 attributes, ProcVirtualization
execute-disable              | on Enabled, off Disabled                                       | unknown |                                                   | R710 attributes, ProcExecuteDisable
cores-per-processor          | all All, 1 Single, 2 Dual                                      | unknown |                                                   | R710 attributes, ProcCores
memory-mode                  | optimizer OptimizerMode, advanced-ecc AdvEccMode, mirror MirrorMode | unknown |                                              | R710 attributes, MemOpMode
"""
NEEDS_11G = {
    "node-interleaving": "platform poweredge-11g, sockets 2",
    "qpi-bandwidth-priority": "cpu westmere, platform poweredge-11g",
    "dcu-streamer-prefetcher": "cpu westmere, platform poweredge-11g",
    "data-reuse": "cpu westmere, platform poweredge-11g",
}


def test_the_menus_of_the_11th_generation(knowledge: Knowledge) -> None:
    rows: dict[str, dict[str, str]] = {}
    for cell in cells(ELEVENTH):
        rows.setdefault(cell.row, {})[cell.column] = cell.text
    expected, found = {}, {}
    for setting in rows:
        for o in knowledge.offers[setting]:
            if "platform poweredge-11g" in knowledge.box_text(o.when):
                labels = dict(zip(o.values, o.labels, strict=True))
                default = "unknown" if o.unknown else o.default
                found[setting] = labels, default, o.menu, o.citation, knowledge.box_text(o.when)
    for setting, row in rows.items():
        labels = dict(pair.split(" ", 1) for pair in row["Offered"].split(", "))
        source = "dell-bios-registries" if row["Place"].startswith("R710") else "dell-11g-hpc"
        needs = NEEDS_11G.get(setting, "platform poweredge-11g")
        expected[setting] = labels, row["Default"], row["Menu"], Citation(source, row["Place"]), needs
    assert found == expected


# ------------------------------------------------------------------------------------------------------- the profiles

# `Dependencies` of SysProfile whose property is the current value: what each profile fixes, for the profile by name or
# for every profile that is not Custom. Of the two modes that the R630 fixes for Dense Configuration the first is
# expected, as on the R720. A cell in brackets has no such dependency: the profile only locks the member. MemFrequency
# of the R740 and PwrPerfSwitch of the R750 are locked under a named profile, and the dependencies that strike out
# values leave this one alone of those that are offered. The others of the R740 are in ELSEWHERE: all their values are
# struck out.
DEPENDENCIES = {
    "R630": """
Attribute                | PerfPerWattOptimizedDapc | PerfPerWattOptimizedOs | PerfOptimized | DenseCfgOptimized
ProcPwrPerf              | SysDbpm                  | OsDbpm                 | MaxPerf       | SysDbpm or OsDbpm
MemFrequency             | MaxPerf                  | MaxPerf                | MaxPerf       | MaxPerf
ProcTurboMode            | Enabled                  | Enabled                | Enabled       | Disabled
ProcC1E                  | Enabled                  | Enabled                | Disabled      | Enabled
ProcCStates              | Enabled                  | Enabled                | Disabled      | Enabled
CollaborativeCpuPerfCtrl | Disabled                 | Disabled               | Disabled      | Disabled
MemPatrolScrub           | Standard                 | Standard               | Standard      | Extended
MemRefreshRate           | 1x                       | 1x                     | 1x            | 2x
EnergyEfficientTurbo     | Enabled                  | Enabled                | Disabled      | Disabled
UncoreFrequency          | DynamicUFS               | DynamicUFS             | MaxUFS        | DynamicUFS
EnergyPerformanceBias    | BalancedPerformance      | BalancedPerformance    | MaxPower      | BalancedPerformance
MonitorMwait             | Enabled                  | Enabled                | Enabled       | Enabled
Proc1TurboCoreNum        | All                      | All                    | All           | All
Proc2TurboCoreNum        | All                      | All                    | All           | All
""",
    "R740": """
Attribute                   | PerfPerWattOptimizedDapc | PerfPerWattOptimizedOs | PerfOptimized | PerfWorkStationOptimized
ProcPwrPerf                 | SysDbpm                  | OsDbpm                 | MaxPerf       | MaxPerf
MemFrequency                | (MaxPerf)                | (MaxPerf)              | (MaxPerf)     | (MaxPerf)
ProcTurboMode               | Enabled                  | Enabled                | Enabled       | Enabled
ProcC1E                     | Enabled                  | Enabled                | Disabled      | Disabled
ProcCStates                 | Enabled                  | Enabled                | Disabled      | Enabled
MemPatrolScrub              | Standard                 | Standard               | Standard      | Standard
MemRefreshRate              | 1x                       | 1x                     | 1x            | 1x
UncoreFrequency             | DynamicUFS               | DynamicUFS             | MaxUFS        | MaxUFS
EnergyPerformanceBias       | BalancedPerformance      | BalancedPerformance    | MaxPower      | MaxPower
MonitorMwait                | (Enabled)                | (Enabled)              | (Enabled)     | (Enabled)
WriteDataCrc                | (Disabled)               | (Disabled)             | (Disabled)    | (Disabled)
Proc1TurboCoreNum           | (All)                    | (All)                  | (All)         | (All)
Proc2TurboCoreNum           | (All)                    | (All)                  | (All)         | (All)
CpuInterconnectBusLinkPower | Enabled                  | Enabled                | Disabled      | Disabled
PcieAspmL1                  | Enabled                  | Enabled                | Disabled      | Disabled
""",
    "R750": """
Attribute                   | PerfPerWattOptimizedDapc | PerfPerWattOptimizedOs | PerfOptimized
ProcPwrPerf                 | SysDbpm                  | OsDbpm                 | MaxPerf
MemFrequency                | MaxPerf                  | MaxPerf                | MaxPerf
ProcTurboMode               | Enabled                  | Enabled                | Enabled
ProcC1E                     | Enabled                  | Enabled                | Disabled
ProcCStates                 | Enabled                  | Enabled                | Disabled
MemPatrolScrub              | Standard                 | Standard               | Standard
MemRefreshRate              | 1x                       | 1x                     | 1x
UncoreFrequency             | DynamicUFS               | DynamicUFS             | MaxUFS
EnergyPerformanceBias       | BalancedPerformance      | BalancedPerformance    | MaxPower
MonitorMwait                | Enabled                  | Enabled                | Enabled
CpuInterconnectBusLinkPower | Enabled                  | Enabled                | Disabled
PcieAspmL1                  | Enabled                  | Enabled                | Disabled
PwrPerfSwitch               | (Enabled)                | (Enabled)              | (Enabled)
""",
}
ELSEWHERE = {
    ("R740", "MonitorMwait"): ("R630", "R750"),
    ("R740", "WriteDataCrc"): ("R750",),
    ("R740", "Proc1TurboCoreNum"): ("R630",),
    ("R740", "Proc2TurboCoreNum"): ("R630",),
}
"""Members that a registry locks without leaving a value, and the registries of other generations that fix one."""

PROFILES = {
    "PerfPerWattOptimizedDapc": "dapc",
    "PerfPerWattOptimizedOs": "os",
    "PerfOptimized": "performance",
    "DenseCfgOptimized": "dense",
    "PerfWorkStationOptimized": "workstation",
}
FIXED = {
    "SysDbpm": "system-dbpm",
    "OsDbpm": "os-dbpm",
    "Enabled": "on",
    "Disabled": "off",
    "DynamicUFS": "dynamic",
    "MaxUFS": "maximum",
    "BalancedPerformance": "balanced-performance",
    "MaxPower": "performance",
}


def fixed(attribute: str, name: str) -> str:
    """Our name of a value that a profile fixes."""
    if name == "MaxPerf":
        return "max-performance" if attribute == "ProcPwrPerf" else "maximum"
    return FIXED.get(name, name.lower())


@pytest.mark.parametrize("model", DEPENDENCIES)
def test_a_profile_fixes_what_the_registry_says(model: str, knowledge: Knowledge) -> None:
    presets = [p for p in knowledge.presets if knowledge.box_text(p.when) == f"platform {SERVERS[model]}"]
    found = {
        (profile, member): (
            value,
            (profile, member) in preset.kept,
            (profile, member) in preset.undecided,
            preset.citation,
        )
        for preset in presets
        for profile, members in preset.columns.items()
        for member, value in members.items()
        if profile != "custom"
    }
    expected = {
        (PROFILES[cell.column], SETTINGS[cell.row]): (
            fixed(cell.row, cell.text.strip("()").partition(" or ")[0]),
            cell.text.startswith("("),
            " or " in cell.text,
            said(model, cell.row),
        )
        for cell in cells(DEPENDENCIES[model])
    }
    assert {preset.governor for preset in presets} == {"system-profile"}
    assert found == expected


def said(model: str, attribute: str) -> Citation:
    """The place that states what a profile fixes."""
    models = ELSEWHERE.get((model, attribute), (model,))
    return Citation(
        "dell-bios-registries", "; ".join(f"{other} registry, SysProfile dependencies" for other in models)
    )


# The 12G paper, System Profiles comparison: Custom has no defaults of its own, and its members stay as they were.
@pytest.mark.parametrize("generation", SERVERS.values())
def test_custom_locks_nothing(generation: str, knowledge: Knowledge) -> None:
    presets = [p for p in knowledge.presets if knowledge.box_text(p.when) == f"platform {generation}"]
    for preset in presets:
        assert preset.columns["custom"] == dict.fromkeys(preset.members, "free")


# Table 1 of the tuning paper is held against plans in test_dell_12g_tuning.py; here, that it is the 12th generation's.
def test_table_1_is_of_the_12th_generation(knowledge: Knowledge) -> None:
    (preset,) = (p for p in knowledge.presets if p.citation == Citation("dell-12g-tuning", "Table 1"))
    assert knowledge.box_text(preset.when) == "platform poweredge-12g"
    assert preset.columns.keys() - {"custom"} == {"dapc", "os", "performance", "dense"}
    # The registry of the R720 forces each of these values, and one alone (`tests/targets/test_bios.py`).
    assert (preset.kept, preset.undecided, preset.initial) == (frozenset(), frozenset(), {})
