#!/usr/bin/env python3
"""What changes cost with observers of results: the library beside GRDB's observations of values, in one run.

    live.py LIVE_BENCH [GRDB_LIVE_BENCH] [ROUNDS]

LIVE_BENCH and GRDB_LIVE_BENCH are the release builds of the programs of these names. In each round every program does every
workload once, in shuffled order, in a process and on a store of its own. Prints a row for each workload: microseconds for each
change, medians of the rounds.
"""

import json
import random
import statistics
import subprocess
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    title: str
    workload: str
    options: dict
    # As GRDB fetches again, a few changes are enough to measure it; None: it has no such workload.
    peer_changes: int | None


CASES = [
    Case("edit of one sort key, one observer of 100,000", "edit", {"rows": 100_000, "changes": 10_000}, None),
    Case("edit of a summed property, the sums of 100,000 by 100 groups", "groups", {"rows": 100_000, "rows-per-station": 1_000, "changes": 10_000}, None),
    Case("a save of one sort key, no observer", "save", {"rows": 100_000, "changes": 2_000, "observers": 0}, 2_000),
    Case("the same, one observer of 100,000", "save", {"rows": 100_000, "changes": 2_000}, 20),
    Case("a save of what is not read, no observer", "unread", {"rows": 10_000, "changes": 10_000, "observers": 0}, 10_000),
    Case("the same, 1,000 observers of 10", "unread", {"rows": 10_000, "changes": 10_000, "observers": 1_000}, 10_000),
    Case("a save that moves a row, 1,000 observers of 10", "read", {"rows": 10_000, "changes": 10_000, "observers": 1_000}, 20),
    Case("a delete of 500,000 rows reaches 10,000 results", "delete", {"rows": 520_000, "rows-per-station": 10_000}, 1),
]
HOLD = Case("memory of an observer, bytes for each result", "hold", {"rows": 1_000_000}, None)


def run(program, case, changes=None):
    options = case.options | ({"changes": changes} if changes else {})
    command = [program, case.workload, *(f"--{name}={value}" for name, value in options.items())]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def microseconds(result):
    return result["cost"]["seconds"] / result["changes"] * 1e6


def main(live, peer=None, rounds="5"):
    found = {}
    for _ in range(int(rounds)):
        tasks = [(live, case, None) for case in CASES]
        if peer:
            tasks += [(peer, case, case.peer_changes) for case in CASES if case.peer_changes]
        random.shuffle(tasks)
        for program, case, changes in tasks:
            found.setdefault((program, case.title), []).append(microseconds(run(program, case, changes)))
    print("| µs for each change | library | least to most | GRDB |\n|---|--:|--:|--:|")
    for case in CASES:
        own = found[live, case.title]
        beside = f"{statistics.median(found[peer, case.title]):,.1f}" if (peer, case.title) in found else "–"
        print(f"| {case.title} | {statistics.median(own):,.1f} | {min(own):,.1f} to {max(own):,.1f} | {beside} |")
    cost = run(live, HOLD)
    held = cost["cost"]["heldBytes"] / cost["changes"]
    print(f"| {HOLD.title} | {held:.0f} | | |")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
