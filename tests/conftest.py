"""Shared by all tests: the flag that rewrites expected outputs, and the knowledge base, loaded once."""

import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

from setpoint.compiler.knowledge.load import measurements, standard
from setpoint.compiler.knowledge.model import Knowledge
from support.effort import examples

LONGEST = (
    "docs/test_diagnostics.py",
    "rollouts/test_syscfg_faults.py",
    "rollouts/test_syscfg.py",
    "rollouts/test_puppet_rollback.py",
    "docs/test_commands.py",
    "library/test_commands.py",
    "docs/test_playground.py",
    "rollouts/test_ansible_redfish.py",
    "rollouts/test_ansible_other_vendors.py",
    "rollouts/test_fleet.py",
    "docs/test_site.py",
    "rollouts/test_puppet_apply.py",
    "proof/test_site_rules.py",
    "rollouts/test_ansible_idrac.py",
    "library/test_one_meaning.py",
    "rollouts/test_ansible_faults.py",
    "targets/test_network_cards.py",
    "rollouts/test_racadm.py",
    "rollouts/test_kernel_args_rollback.py",
    "rollouts/test_ansible_rollback.py",
    "rollouts/test_ktune_apply.py",
    "targets/test_puppet.py",
    "library/test_planted_blindly.py",
    "idrac/test_clients.py",
    "library/test_planted_defects.py",
    "rollouts/test_puppet_fleet.py",
    "library/test_disputes.py",
    "targets/test_ansible.py",
    "rollouts/test_ansible_transitions.py",
    "rollouts/test_ansible_host.py",
    "targets/test_cpuspeed.py",
    "targets/test_tuned.py",
    "targets/test_kernel_args.py",
    "rollouts/test_ansible_el6.py",
    "rollouts/test_ansible_report.py",
    "resolution/test_spellings.py",
    "fuzz/test_fuzz.py",
    "registries/test_every_start.py",
    "meaning/test_meaning.py",
    "rollouts/test_fleet_of_several_makers.py",
    "lsp/test_proofs.py",
    "cli/test_visible.py",
    "rollouts/test_ansible_fleet.py",
    "rollouts/test_racadm_faults.py",
    "registries/test_fitting_transitions.py",
    "rollouts/test_ansible_once.py",
    "proof/test_random_hosts.py",
    "conformance/test_advice_in_words.py",
    "knowledge/test_every_context.py",
    "rollouts/test_tuned_apply.py",
    "house/test_contributing.py",
    "proof/test_memory.py",
    "targets/test_carried.py",
    "cli/test_commands.py",
    "fleet/test_command.py",
    "conformance/test_poweredge_16g_amd.py",
    "review/test_manifests.py",
    "registries/test_importing.py",
    "editors/test_extension.py",
    "rollouts/test_ansible_types.py",
    "resolution/test_locks.py",
    "registries/test_fitting.py",
    "docs/test_new_server.py",
    "review/test_revisions.py",
    "resolution/test_conflicts.py",
    "resolution/test_properties.py",
    "proof/test_mutants.py",
    "resolution/test_cases.py",
    "consumers/test_puppet_forked.py",
    "cli/test_workspace.py",
    "conformance/test_cisco.py",
    "controllers/test_clients.py",
    "proof/test_reachable.py",
    "rollouts/test_slurm.py",
    "consumers/test_kernel.py",
    "audit/test_findings.py",
    "cli/test_other_systems.py",
    "resolution/test_determinism.py",
    "review/test_pipeline.py",
    "registries/test_site_settings.py",
    "targets/test_transitions.py",
    "fleet/test_difference.py",
    "knowledge/test_every_warning.py",
    "knowledge/test_names_people_use.py",
    "house/test_packaging.py",
    "language/test_reference.py",
    "docs/test_formats.py",
    "cli/test_folders.py",
    "knowledge/test_words.py",
    "rollouts/test_ansible_identity.py",
    "review/test_why.py",
    "playground/test_answers.py",
)
"""The files that take longest. A file is one worker's; so these come first, for all workers to end at the same time. The first one
proves the library and keeps the proof (`support.proven`), which others need."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the longest files first (with `--no-loadscope-reorder`, or the workers look at the number of tests).

    What another cell of a matrix covers is left to `--complete`.
    """
    repeated = [item for item in items if item.get_closest_marker("repeated")]
    if repeated and not config.getoption("--complete"):
        items[:] = [item for item in items if not item.get_closest_marker("repeated")]
        config.hook.pytest_deselected(items=repeated)
    here = Path(__file__).parent
    place = {here / name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(place)))


def pytest_collection_finish() -> None:
    """Have garbage collected rarely, and not looked for in what stays until the end.

    A knowledge base with a site's statements makes some 300,000 objects, which the next one frees without a collection.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000_000, 20, 50)


def pytest_configure(config: pytest.Config) -> None:
    """Let those who cannot ask a fixture know that all is wanted: numbers of examples, tables of which a sample is tried,
    plays of Ansible and runs of Puppet.
    """
    config.addinivalue_line(
        "markers", "repeated: what another cell of the matrix covers; run with --complete"
    )
    _receive_signals()
    if config.getoption("--complete"):
        os.environ |= {"COMPLETE": "all", "PLANTED": "all", "ANSIBLE_FORKED": "all", "PUPPET_STARTED": "all"}
    # In CI the same examples each time: a change is judged by what it changed. Elsewhere they are new each time, and look on.
    in_ci = os.environ.get("CI") == "true"
    settings.register_profile("this", max_examples=examples(100), derandomize=in_ci, deadline=None)
    settings.load_profile("this")


def _receive_signals() -> None:
    """Have SIGINT and SIGHUP arrive where they are ignored, as below `nohup` or in the background of a script.

    Programs inherit that, and tests that interrupt them would wait for an end that never comes.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite the expected outputs instead of comparing"
    )
    parser.addoption(
        "--complete",
        action="store_true",
        help="run all of each matrix; otherwise cells that cover it, where a test says that others repeat them",
    )


@pytest.fixture(scope="session")
def complete(request: pytest.FixtureRequest) -> bool:
    """Whether the whole of each matrix is wanted, and not only cells that cover it."""
    return bool(request.config.getoption("--complete"))


@pytest.fixture(scope="session")
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expected outputs are to be rewritten."""
    return bool(request.config.getoption("--update"))


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    """The standard library, measurements and all."""
    return standard()._replace(measurements=measurements())
