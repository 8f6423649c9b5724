#!/usr/bin/env python3
"""Is our number of states that of the reference logs?

  tools/states.py RUBATO LIBRARY REFERENCE --list FILE [--rungs 1-5] [--timeout S]

FILE lists classes, a line each: the name first, the rung in the seventh column (tab-separated). The
log of A.B.C is REFERENCE/A/B/C/translate_passed.log; its line "Continuous time states: N scalars",
statically and dynamically selected ones together, is compared with the number of independent
states that `rubato structure` prints: all candidates of a dynamic set are states, less the
constraints between them. Prints the models that differ, with the names that only the log has, and the share that is equal.
"""
import argparse
import os
import re
import subprocess
import sys


def logged_states(name, folder):
    """(number, names) of the log; None if there is no log."""
    path = os.path.join(folder, *name.split("."), "translate_passed.log")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    count = re.search(r"Continuous time states: (\d+) scalar", text)
    part = re.search(r"^Statically selected continuous time states\n((?:  .*\n)*)", text, re.M)
    return int(count.group(1)) if count else 0, (part.group(1).split() if part else [])


def our_states(rubato, name, library, timeout):
    """Number of independent states, None if the structure cannot be analysed."""
    try:
        p = subprocess.run([rubato, "structure", name, "--library", library],
                           capture_output=True, text=True, errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        return None
    m = re.search(r"states \((\d+) independent\)", p.stdout)
    return int(m.group(1)) if m else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rubato")
    parser.add_argument("library")
    parser.add_argument("reference")
    parser.add_argument("--list", required=True)
    parser.add_argument("--rungs", default="1-5")
    parser.add_argument("--timeout", type=float, default=30)
    options = parser.parse_args()
    low, high = (float(x) for x in (options.rungs + "-" + options.rungs).split("-")[:2])
    equal = compared = absent = failed = 0
    with open(options.list, encoding="utf-8") as f:
        lines = [l.rstrip("\n").split("\t") for l in f if l.strip() and not l.startswith("#")]
    for word in lines:
        if len(word) > 6 and not low <= float(word[6]) <= high:
            continue
        logged = logged_states(word[0], options.reference)
        if logged is None:
            absent += 1
            continue
        compared += 1
        ours = our_states(options.rubato, word[0], options.library, options.timeout)
        if ours is None:
            failed += 1
            print(f"{word[0]}: not analysed, logged {logged[0]}", flush=True)
        elif ours != logged[0]:
            print(f"{word[0]}: {ours}, logged {logged[0]} ({', '.join(logged[1][:12])})",
                  flush=True)
        equal += ours == logged[0]
    print(f"{equal} of {compared} equal ({100*equal/max(compared, 1):.1f} %); {failed} not "
          f"analysed; {absent} without a log")
    return 0


if __name__ == "__main__":
    sys.exit(main())
