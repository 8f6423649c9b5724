#!/usr/bin/env python3
"""Flattens a list of library models and counts, per rung, what flattens and balances.

  tools/msl.py LIST --library DIR [--rubato PROGRAM] [--rung 1-5] [--filter TEXT]
               [--reference DIR] [--jobs N] [--show] [--time]

LIST has one model a line: name in column 1, rung in column 7 (tab separated). With
--reference, the number of scalar unknowns in DIR/.../translate_passed.log is compared.
"""
import argparse
import collections
import os
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor


def read_list(path):
    with open(path, encoding="utf-8") as f:
        for line in f:
            p = line.rstrip("\n").split("\t")
            if line.strip() and not line.startswith("#"):
                yield p[0], p[6] if len(p) > 6 else "?", p[4] if len(p) > 4 else "-"


def reference_count(root, name):
    path = os.path.join(root, *name.split("."), "translate_passed.log")
    try:
        text = open(path, encoding="utf-8", errors="replace").read()
    except OSError:
        return None
    m = re.search(r"The DAE has (\d+) scalar unknowns", text)
    return int(m.group(1)) if m else None


def run(model, options):
    start = time.time()
    try:
        p = subprocess.run([options.rubato, "check", model, "--library", options.library,
                            "--stages"], capture_output=True, text=True, errors="replace",
                           timeout=options.timeout)
        out, err, status = p.stdout, p.stderr, p.returncode
    except subprocess.TimeoutExpired:
        out, err, status = "", "timeout", -99
    seconds = time.time() - start
    good = "stage: flatten ok" in err and status >= 0
    rows = "stage: rows ok" in err and status == 0
    first = next((l for l in err.splitlines() if " error " in l or "error:" in l), "")
    m = re.search(r"(\d+) equations, (\d+) unknowns", out)
    return good, rows, first if status >= 0 else f"signal or timeout {status} {err[-200:]}", \
        int(m.group(2)) if m else None, seconds


def main():
    a = argparse.ArgumentParser()
    a.add_argument("list")
    a.add_argument("--library", required=True)
    a.add_argument("--rubato", default="build/rubato")
    a.add_argument("--rung", default="1-9")
    a.add_argument("--filter", default="")
    a.add_argument("--reference")
    a.add_argument("--jobs", type=int, default=2)
    a.add_argument("--timeout", type=float, default=20)
    a.add_argument("--show", action="store_true")
    options = a.parse_args()
    low, _, high = options.rung.partition("-")
    rungs = range(int(low), int(high or low) + 1)
    models = [(n, r) for n, r, _ in read_list(options.list)
              if r.isdigit() and int(r) in rungs and options.filter in n]
    total, done, lowered, same, known = (collections.Counter() for _ in range(5))
    times, causes = [], collections.Counter()
    with ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda m: run(m[0], options), models)
        for (name, rung), (good, rows, first, count, seconds) in zip(models, results):
            total[rung] += 1
            done[rung] += good
            lowered[rung] += rows
            times.append(seconds)
            note = ""
            if good and options.reference:
                want = reference_count(options.reference, name)
                if want is not None:
                    known[rung] += 1
                    same[rung] += want == count
                    if want != count:
                        note = f"unknowns {count}, reference {want}"
            if not rows:
                causes[re.sub(r"^.*?(error \w+:?.*)", r"\1", first)[:110]] += 1
            if options.show and (not rows or note):
                print(f"{'FAIL' if not good else 'rows' if not rows else 'diff'} R{rung} {name} {seconds:.2f}s "
                      f"{first[:200] if not rows else note}")
    print("rung  models  flat  rows  counted-as-reference")
    for rung in sorted(total):
        print(f"{rung:>4} {total[rung]:>7} {done[rung]:>5} {lowered[rung]:>5}  {same[rung]} of {known[rung]}")
    times.sort()
    print(f" all {sum(total.values()):>7} {sum(done.values()):>5} {sum(lowered.values()):>5}  {sum(same.values())} of "
          f"{sum(known.values())}; median {times[len(times) // 2]:.3f} s, worst {times[-1]:.2f} s")
    for cause, n in causes.most_common(45):
        print(f"{n:>5}  {cause}")


if __name__ == "__main__":
    main()
