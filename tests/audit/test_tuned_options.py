"""Profiles of tuned that scripts write."""

from __future__ import annotations

from audit import audited, codes, messages

TWO = """\
cat > /etc/tuned/quiet/tuned.conf <<EOF
[main]
include=powersave
[sysctl]
vm.swappiness=1
EOF
echo "
[main]
include=latency-performance
[sysctl]
vm.swappiness=30
[bootloader]
cmdline=+audit=0
" > /etc/tuned/quick/tuned.conf
"""


def test_profiles_that_a_script_writes_are_apart() -> None:
    """Neither contradicts the other, and what is for the boot loader is read as its words."""
    found = audited(TWO)
    assert codes(found) == ["W0907"]
    assert messages(found, "W0907")[0].startswith("`audit=0` weakens security")


def test_a_profile_within_a_resource_that_a_script_creates() -> None:
    script = """\
#!/bin/bash
oc create -f - <<EOF
kind: Tuned
spec:
  profile:
  - data: |
      [main]
      include=openshift-node
      [cpu]
      governor=performanc
    name: mine
EOF
"""
    assert codes(audited(script)) == ["E0902"]
