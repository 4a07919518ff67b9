"""Rules of udev: what they compare and set, in files, scripts and documents."""

from __future__ import annotations

import pytest

from audit import audited, codes, messages

DISKS = 'ACTION=="add|change", KERNEL=="sd[a-z]"'
NVME = 'ACTION=="add|change", KERNEL=="nvme[0-9]*n[0-9]*"'

CASES = [
    (f'{DISKS}, ATTR{{queue/iostats}}="0"', []),
    (f'{DISKS}, ATTR{{queue/iostats}}=="0"', ["W0925"]),  # compared, not set
    (f'{DISKS}, ATTR{{queue/rotational}}=="0", RUN+="/bin/true"\n{NVME}, ATTR{{queue/iostats}}="0"', []),
    (f'{DISKS}, IMPORT{{builtin}}=="path_id", ATTR{{queue/iostats}}="0"', []),
    ('KERNEL="sd[a-z]", ATTR{queue/iostats}="0"', ["W0925"]),  # udev refuses the rule
    (f'{DISKS}, MODE=="0660", ATTR{{queue/iostats}}="0"', ["W0925"]),
    (f'# {DISKS}, ATTR{{queue/iostats}}=="0"\n{DISKS}, ATTR{{queue/iostats}}="0"', []),
    (f'{NVME}, ATTR{{queue/scheduler}}="none", ATTR{{queue/nr_requests}}="1023"', []),
    (f'{NVME}, ATTR{{queue/scheduler}}="none", \\\n  ATTR{{queue/nr_requests}}="1024"', ["W0911"]),
    (f'{NVME}, ATTR{{queue/scheduler}}="none"\n{NVME}, ATTR{{queue/nr_requests}}="1024"', ["W0911"]),
    (f'{NVME}, ATTR{{queue/scheduler}}="none"\n{DISKS}, ATTR{{queue/nr_requests}}="1024"', []),
    (f'{NVME}, ATTR{{queue/nr_requests}}="1023", ATTR{{queue/scheduler}}="none"', []),  # which it has anyway
    (f'{DISKS}, ATTR{{queue/nr_requests}}="256", ATTR{{queue/scheduler}}="bfq"', ["W0911"]),  # set anew
    (f'{DISKS}, ATTR{{queue/iosched/fifo_batch}}="1", ATTR{{queue/scheduler}}="mq-deadline"', ["W0911"]),
    (f'{DISKS}, ATTR{{queue/scheduler}}="mq-deadline", ATTR{{queue/iosched/fifo_batch}}="1"', []),
    (f'{DISKS}, ATTR{{queue/io_poll}}="1"', ["W0904"]),  # ignored since 5.16
    (f'{DISKS}, ATTR{{queue/max_segments}}="64"', ["E0907"]),  # read only
    (f'{DISKS}, ATTR{{queue/read_ahead}}="64"', ["W0918"]),  # no such file
    (f'{DISKS}, ATTR{{queue/write_cache}}="write through"', ["W0911"]),  # unsafe with a volatile cache
    (f'{DISKS}, ATTR{{queue/write_cache}}="write back"', ["W0911"]),  # the disk's own cache stays as it is
    (f'{DISKS}, ATTR{{queue/write_cache}}="write-through"', ["E0907"]),
]


@pytest.mark.parametrize(("rules", "expected"), CASES)
def test_what_is_said_of_a_rule(rules: str, expected: list[str]) -> None:
    assert codes(audited(rules)) == expected


def test_a_rule_that_a_script_writes() -> None:
    found = audited(
        f"echo '{DISKS}, ATTR{{queue/iostats}}==\"0\"' > /etc/udev/rules.d/60.rules\nsysctl -w vm.swappiness=1\n"
    )
    (message,) = messages(found, "W0925")
    assert message.startswith('`ATTR{queue/iostats}=="0"` is ignored')
