"""What an audit says of a boot line, beside what a kernel says that is started with it."""

from audit import audited
from audit.test_flexran import BOOT_LINE
from consumers.kernel import early

NEVER_REPORTED = "intel_idle.max_cstat=0 cpufreq.default_govenor=performance"
"""Misspelt parameters of modules: a kernel takes them for those of a module that may yet be loaded."""


def test_the_kernel_does_not_know_what_is_misspelt_or_unknown() -> None:
    """With lists of CPUs that the emulated machine has, and without `selinux=`, which Debian's kernel is built without."""
    line = BOOT_LINE.partition('"')[2].rpartition('"')[0].replace("selinux=0 ", "")
    line = line.replace("1-30,33-62", "1-3").replace("0,31,32,63", "0")
    found = audited(line, server="cpu xeon-gold-6338n; os debian 12", form="arguments")
    refused = {
        finding.message.split("`")[1] for finding in found.findings if finding.code in ("E0902", "W0902")
    }
    assert (
        {word.partition("=")[0] for word in early(line, cpus=4).unknown}
        == refused
        == {"isolcpu", "kthread_cpus"}
    )


def test_what_no_kernel_reports_is_found() -> None:
    assert early(NEVER_REPORTED).unknown == ()
    found = audited(NEVER_REPORTED)
    assert [finding.code for finding in found.findings] == ["E0902", "E0902"]
