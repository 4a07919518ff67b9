"""The five papers: their numbers and titles.

`read_papers` compares them with the papers' texts, which belong to their authors and are not part of this project.
"""

from typing import NamedTuple


class Paper(NamedTuple):
    """A paper: how many tables and figures it has, its headings, and words that tell its text from the others'.

    `headings` are titles, or the numbers of numbered sections. `under` says of those titles that it has twice
    below which parents.
    """

    says: str
    tables: int
    figures: int
    headings: tuple[str, ...]
    under: tuple[tuple[str, str], ...] = ()
    footnotes: int = 0


PAPERS = {
    "dell-11g-hpc": Paper(
        says="Updated 23 August 2010",
        tables=6,
        figures=14,
        headings=(
            "Executive Summary", "Introduction", "Intel Nehalem Architecture", "Intel Westmere Architecture",
            "Test Methodology", "Overview of 11G BIOS Options", "Node Interleaving", "Logical Processor",
            "Power Management Profile", "C-States", "Turbo Mode",
            "New options introduced in Intel Xeon 5600 series", "Results", "Power", "Performance",
            "Simultaneous Multithreading", "Turbo Mode and C-States", "Data Reuse and DCU Streamer Prefetcher",
            "Energy Efficiency", "Power Management Profiles", "BIOS Settings", "Energy Efficient Processors",
            "Conclusion",
        ),
        under=(
            ("Node Interleaving", "Overview of 11G BIOS Options"),
            ("Node Interleaving", "Performance"),
            ("Turbo Mode", "Overview of 11G BIOS Options"),
        ),
    ),
    "dell-11g-hpc-2009": Paper(says="2009 年 7 月 13 日", tables=6, figures=13, headings=()),
    "dell-12g-tuning": Paper(
        says="Dell PowerEdge 12th Generation Servers",
        tables=2,
        figures=23,
        headings=(
            "Executive summary", "Introduction", "BIOS features overview", "Test methodology",
            "Power collection methodology", "BIOS Memory Settings section", "Memory settings",
            "Memory operating mode", "Overview of memory mode selections",
            "Performance impacts of Advanced ECC and Optimizer Mode", "Node Interleaving",
            "Processor Settings Section", "Logical Processor", "QPI Speed", "Alternate RTID setting",
            "Virtualization technology", "Processor prefetchers", "Execute disable",
            "Number of cores per processor", "Logical processor idling", "System Profile Settings section",
            "System Profiles comparison", "Performance and power comparisons of System Profiles",
            "CPU Power Management modes", "Turbo Boost", "C-States and C1E options", "Monitor/Mwait",
            "Collaborative CPU Performance Control", "Memory Management section", "Memory frequency",
            "Memory operating voltage", "Conclusion",
        ),
        footnotes=3,
    ),
    "dell-14g-hpc": Paper(
        says="14th generation PowerEdge servers with the Intel Xeon",
        tables=2,
        figures=4,
        # The text before the first heading announces its parts; the description of the processor is one of them.
        headings=("Description of the Skylake processor", "Testbed configuration", "Sub-NUMA cluster", "System Profiles", "Power Consumption", "Conclusion"),
    ),
    "cern-nehalem": Paper(
        says="CERN openlab",
        tables=0,
        figures=16,
        headings=(
            "1", "2", "2.1", "3", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "4", "4.1", "4.2", "4.3", "4.4",
            "4.4.1", "4.4.2", "5", "5.1", "5.2", "5.3", "5.4", "5.4.1", "5.4.2", "5.4.3", "5.5", "5.6", "5.6.1",
            "5.7", "5.7.1", "6", "7", "8", "8.1", "8.1.1", "8.1.2", "8.2", "8.2.1", "8.2.2", "Final conclusion",
        ),
    ),
}  # fmt: skip
