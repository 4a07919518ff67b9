"""How fast the playground answers in Chromium, in milliseconds.

    make bench-playground

The first figure is from opening the page, with nothing in the browser's cache, to the first plan. The others are from a
change of the policy to the answer that is drawn, without the pause that the page makes for the next key: of a plan, of
a conflict with its verified repairs, and of a plan with a site's own knowledge.
"""

import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from consumers.chromium import browser, served
from consumers.playground import site

OPENED, ROUNDS = 5, 20
ANSWERS = "return performance.getEntriesByName('answer').map((each) => [each.startTime + each.duration, each.duration])"
EXAMPLES = {"a plan": "0", "a conflict": "1", "a site's knowledge": "3"}
"""The examples of the page that are measured, by their numbers there."""


def main() -> None:
    """Measure and print."""
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder, served(site(Path(folder))) as address:
        first = []
        for _ in range(OPENED):
            with browser() as driver:
                driver.get(f"{address.address}/playground.html")
                first.append(answers(driver, 1)[0][0])
        print(f"from opening to the first plan: {median(first):.0f} ms (least {min(first):.0f})")
        with browser() as driver:
            driver.get(f"{address.address}/playground.html")
            answers(driver, 1)
            for name, number in EXAMPLES.items():
                durations = measured(driver, number)
                print(f"{name}, after a change: {median(durations):.0f} ms (most {max(durations):.0f})")


def measured(driver: Chrome, example: str) -> list[float]:
    """Milliseconds of an answer after each of some changes of an example."""
    Select(driver.find_element(By.ID, "example")).select_by_value(example)
    time.sleep(2)
    policy = driver.find_element(By.ID, "policy").shadow_root.find_element(By.CLASS_NAME, "cm-content")
    durations = []
    for _ in range(ROUNDS):
        before = len(answers(driver, 1))
        policy.send_keys(" ")
        durations.append(answers(driver, before + 1)[-1][1])
    return durations


def answers(driver: Chrome, count: int) -> list[Any]:
    """The answers so far, at least `count`: when each was drawn, and how long it took."""
    return WebDriverWait(driver, 120, 0.05).until(
        lambda _: found if len(found := driver.execute_script(ANSWERS)) >= count else False
    )


if __name__ == "__main__":
    main()
