"""Chromium, driven by Selenium, and a web server that hands out a folder to it.

The browser cannot resolve any name, so a page that needs something from elsewhere fails. Each browser has a new
profile.
"""

from __future__ import annotations

import functools
import http.server
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

from consumers.requirement import require

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)


class Served(NamedTuple):
    """A folder that is handed out: its address, and the paths that were asked for."""

    address: str
    paths: list[str]


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    """Hand out a folder to this machine, from any free port."""
    paths: list[str] = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            paths.append(self.path)

        def log_message(self, *_: object) -> None:
            """Not on the error stream."""

    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield Served(f"http://127.0.0.1:{server.server_port}", paths)
        server.shutdown()
        thread.join()


@contextmanager
def browser() -> Iterator[Chrome]:
    """A browser with an empty profile; without Chromium and its driver the test is skipped (failed in CI)."""
    options = ChromeOptions()
    options.binary_location = str(require("chromium"))
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        driver = Chrome(options=options, service=Service(str(require("chromedriver"))))
        try:
            yield driver
        finally:
            driver.quit()


def resize(driver: Chrome, width: int, height: int, scheme: str = "light") -> None:
    """Give the page a size in its own pixels, and the reader's preference for `light` or `dark`."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    preference = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", preference)


def messages(driver: Chrome) -> list[str]:
    """What the browser has complained of since the last call: errors of scripts, refused and missing resources."""
    log: list[dict[str, str]] = driver.get_log("browser")  # type: ignore[no-untyped-call]
    return [entry["message"] for entry in log if entry["level"] in ("SEVERE", "WARNING")]
