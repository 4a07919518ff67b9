"""Sysctls that a container is started with: only those of its own namespaces are taken."""

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
    refused = [f.at.line for f in audited(text).findings if "no sysctl of a container" in f.message]
    assert refused == [line] * bool(line)
