#!/usr/bin/env python3
"""Deletes by rule and batch requests beside other programs that speak store-bench's protocol, in one run.

    beside.py PROGRAMS deletes|requests SIZE ROUNDS

PROGRAMS is a folder with a module `run` that has `IMPLS`, the command of each program by name (`raw` in C, `grdb`,
`sqlalchemy`, `django`, and `product`, which is store-bench), and `database(kind, size)`, which makes a store to work on.
In each round every program works on a copy of its own, in shuffled order. Prints a row for each program: median wall
time in milliseconds, its ratio to C, and that of CPU time.
"""

import json
import os
import random
import shutil
import statistics
import subprocess
import sys

# As the library has it: 32 MB of cache, temporary tables in memory.
SETTINGS = "cache=-32000 temp=2"

DELETES = {
    "columns": [(f"frac={share}", "animals", "cascade", f"frac={share}") for share in ("pct1", "pct10", "half", "all")],
    "programs": [
        ("C, closure", "raw", "strategy=closure " + SETTINGS),
        ("C, temporary tables", "raw", "strategy=temp3 " + SETTINGS),
        ("GRDB, SQL", "grdb", "style=low " + SETTINGS),
        ("GRDB, records", "grdb", "style=record " + SETTINGS),
        ("SQLAlchemy", "sqlalchemy", SETTINGS),
        ("Django", "django", SETTINGS),
        ("delete(model:where:), save()", "product", "mode=save"),
        ("- 10,000 models held", "product", "mode=save merge=10000"),
        ("- with history", "product", "mode=save history=on"),
        ("the plan only", "product", "mode=plan"),
        ("executeAndArchive()", "product", "mode=recoverable"),
    ],
}

REQUESTS = {
    "columns": [
        ("insert", "seed", "insert", ""),
        ("update half", "animals", "update-half", ""),
        ("delete half", "animals", "delete-half", ""),
        ("delete all", "animals", "delete-all", ""),
        ("delete all, counted", "animals", "delete-all", "ids=0"),
        ("half by rule", "animals", "cascade", "frac=half"),
    ],
    "programs": [
        ("C", "raw", "strategy=closure " + SETTINGS),
        ("GRDB, SQL", "grdb", "style=low " + SETTINGS),
        ("GRDB, records", "grdb", "style=record " + SETTINGS),
        ("SQLAlchemy", "sqlalchemy", SETTINGS),
        ("the request", "product", "face=coredata"),
        ("- with history", "product", "face=coredata history=on"),
    ],
}


def remove(path):
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)


def measure(command, source, copy, workload, size, options):
    """Wall and CPU seconds of one program on a fresh copy; None, with a line on the error output, when it failed."""
    remove(copy)
    shutil.copyfile(source, copy)
    done = subprocess.run(command + [copy, workload, str(size)] + options, capture_output=True, text=True)
    try:
        result = json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        print(f"failed: {' '.join(command)} {workload} {options}\n{done.stderr[-300:]}", file=sys.stderr)
        return None
    return result["seconds"], result["user_s"] + result["sys_s"]


def main():
    folder, name, size, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    sys.path.insert(0, folder)
    import run

    plan = {"deletes": DELETES, "requests": REQUESTS}[name]
    copy = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"beside-{os.getpid()}.db")
    times = {}
    for _ in range(rounds):
        for column, kind, workload, option in plan["columns"]:
            source = run.database(kind, size)
            for label, program, options in random.sample(plan["programs"], len(plan["programs"])):
                found = measure(run.IMPLS[program], source, copy, workload, size, (option + " " + options).split())
                if found:
                    times.setdefault((label, column), []).append(found)
    remove(copy)

    print(f"{size} animals, {rounds} rounds: milliseconds (ratio, ratio of CPU time)")
    print("| | " + " | ".join(column for column, *_ in plan["columns"]) + " |")
    base = plan["programs"][0][0]
    for label, *_ in plan["programs"]:
        cells = []
        for column, *_ in plan["columns"]:
            if (label, column) not in times or (base, column) not in times:
                cells.append("-")
                continue
            wall, cpu = (statistics.median(part) for part in zip(*times[label, column]))
            base_wall, base_cpu = (statistics.median(part) for part in zip(*times[base, column]))
            cells.append(f"{wall * 1000:.0f} ({wall / base_wall:.2f}, {cpu / base_cpu:.2f})")
        print(f"| {label} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
