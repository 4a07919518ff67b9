"""What other readers refuse: sysctls of no namespace in containers, and limits that PAM cannot set."""

from __future__ import annotations

import pytest

from audit import audited

COMPOSE = "services:\n  web:\n    image: nginx\n    ports:\n      - 80:80\n    sysctls:\n      {}\n"
POD = (
    "kind: Pod\nspec:\n  securityContext:\n    runAsUser: 1\n    sysctls:\n    - name: {}\n      value: '1'\n"
)
RUN = "#!/bin/sh\ndocker run -d \\\n  --sysctl {}=1 \\\n  nginx\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (COMPOSE.format("- net.core.somaxconn=8192"), 0),
        (COMPOSE.format("- kernel.shm_rmid_forced=1\n      - net.core.rmem_max=16777216"), 8),  # a second one
        (COMPOSE.format("vm.max_map_count: 262144"), 7),  # as a mapping
        (POD.format("net.ipv4.tcp_keepalive_time"), 0),
        (POD.format("vm.max_map_count"), 6),
        (RUN.format("fs.mqueue.msg_max"), 0),
        (RUN.format("fs.file-max"), 3),
        (RUN.format("net.ipv4.tcp_mem"), 3),  # all of the server share it
        ("#!/bin/sh\ndocker run nginx\nsysctl -w vm.max_map_count=262144\n", 0),  # of the server itself
        ("sysctls:\n  - name: vm.max_map_count\n    value: 262144\n", 0),  # variables of a role
    ],
)
def test_a_container_has_the_sysctls_of_its_namespaces(text: str, line: int) -> None:
    refused = [f.at.line for f in audited(text).findings if "no namespace of a container" in f.message]
    assert refused == [line] * bool(line)


@pytest.mark.parametrize(
    ("lines", "refused"),
    [
        ("apt install nginx\n* hard nofile 2000000\n", [3]),
        ("# Ubuntu\n* hard nofile 1048576\nroot - nofile 1048577\n# * hard nofile 9999999\n", [4]),
        ("# Debian\n* soft nofile 2000000\n", []),  # PAM takes the hard limit for it
        ("# Debian\nsysctl -w fs.nr_open=2000000\n* hard nofile 2000000\n", []),  # it is raised
        ("* hard nofile 2000000\n", []),  # elsewhere systemd may have raised it
    ],
)
def test_a_limit_of_open_files_that_locks_everybody_out(lines: str, refused: list[int]) -> None:
    script = f"#!/bin/sh\n{lines}sysctl -w vm.swappiness=10\n"
    assert [f.at.line for f in audited(script).findings if "open files" in f.message] == refused
