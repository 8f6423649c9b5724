#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_list.py RUBATO LIST --library DIR... [--old RUBATO] [--solvers] [--filter WORD] [--rungs 8-9] [--runs N]
[--tier 0|1|auto] [--seconds S] [--count] [--json FILE]: every model of a list, by two programs, or by our methods, CVODE
and IDA.

LIST names a model a line, separated by tabs: model, stop time, tolerance, interval, reference, start time, rung. Every
model runs N times from the cache. Processor time counts, so that other work on the machine disturbs little: the least
of all runs, less the least of as many runs that end after two steps (translation and compilation are in neither).
Beside it stand steps, evaluations and evaluated rows. --count counts instructions by valgrind instead, one run each,
with --tier 0, and takes a thousand of them for a microsecond: slow, but the same on every machine. Lines are ordered by
the ratio of new to old, worst first; the last lines give the geometric mean for each rung. What one program cannot run
is named and not counted. --json keeps the figures; models that FILE already holds are not run again, so that a long list
can be done in parts."""
import argparse
import json
import math
import os
import re
import resource
import subprocess
import tempfile

COUNTS = ("steps_accepted", "steps_rejected", "rhs_calls", "rhs_rows", "crossing_rows", "factorizations")


def models(options):
    low, high = (float(x) for x in (options.rungs + "-" + options.rungs).split("-")[:2])
    with open(options.list, encoding="utf-8") as f:
        for line in f:
            part = line.rstrip("\n").split("\t")
            if line.startswith("#") or len(part) < 7 or options.filter not in part[0]:
                continue
            if low <= float(part[6]) <= high:
                yield part[0], ["--start", part[5], "--stop", part[1], "--tolerance", part[2],
                                "--interval", part[3]], part[6]


def run(program, model, settings, options, folder):
    """Processor seconds and statistics of one run; None: it takes too long."""
    stats = os.path.join(folder, "s.json")
    command = [program[0], "simulate", model, *settings, *program[1], "--tier", options.tier, "--trust", "--quiet",
               "--output", os.path.join(folder, "r.mat"), "--stats", stats]
    for path in options.library:
        command += ["--library", path]
    if options.count:
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
    environment = dict(os.environ, XDG_CACHE_HOME=program[2])
    if os.path.exists(stats):
        os.remove(stats)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, timeout=options.seconds, cwd=folder, env=environment)
    except subprocess.TimeoutExpired:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = None
    if done.returncode == 0 and os.path.exists(stats):
        with open(stats, encoding="utf-8") as f:
            found = json.load(f)
    if options.count:
        counted = re.search(rb"Collected : (\d+)", done.stderr)
        return (1e-9*int(counted[1]) if counted else math.inf), found
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, found


def measure(programs, model, settings, options, folder):
    """The least of some runs for each program, in turn so that a disturbance meets all of them."""
    if options.count:  # the cache is filled at full speed
        options.count = False
        for p in programs:
            run(p, model, [*settings, "--max-steps", "2"], options, folder)
        options.count = True
    best = [run(p, model, settings, options, folder) for p in programs]  # translates and compiles
    start = [math.inf]*len(programs)
    for _ in range(options.runs):
        for k, p in enumerate(programs):
            if not best[k] or not best[k][1]:
                continue
            begun = run(p, model, [*settings, "--max-steps", "2", "--variables", "^$"], options, folder)
            again = best[k][1]["time_simulate"] < options.seconds/4 and not options.count
            whole = run(p, model, settings, options, folder) if again else None
            start[k] = min(start[k], begun[0] if begun else math.inf)
            best[k] = min(best[k], whole or best[k], key=lambda found: found[0])
    return [{"seconds": max(b[0] - s, 1e-4), "wall": b[1]["time_simulate"], **{c: b[1].get(c, 0) for c in COUNTS}}
            if b and b[1] else None for b, s in zip(best, start)]


def mean(values):
    return math.exp(sum(math.log(v) for v in values)/len(values)) if values else float("nan")


def ratio(a, b, key):
    return (a[key] + 1e-300)/(b[key] + 1e-300) if a[key] or b[key] else 1.0


def table(names, found):
    """Lines by ratio of the first program to each other one, and means for each rung."""
    print("%-52s %4s %9s %s" % ("model", "rung", names[0] + " ms", " ".join(
        "%9s %6s %6s %6s %6s" % (n, "time", "steps", "calls", "rows") for n in names[1:])))
    complete = {m: r for m, r in found.items() if r["runs"][0]}
    order = sorted(complete, key=lambda m: -max([ratio(complete[m]["runs"][0], r, "seconds")
                                                 for r in complete[m]["runs"][1:2] if r] + [0]))
    for m in order:
        own, *others = complete[m]["runs"]
        line = "%-52s %4s %9.2f" % (m.replace("Modelica.", "", 1)[-52:], complete[m]["rung"], 1e3*own["seconds"])
        for r in others:
            line += " %9.2f %6.2f %6.2f %6.2f %6.2f" % (
                1e3*r["seconds"], ratio(own, r, "seconds"), ratio(own, r, "steps_accepted"),
                ratio(own, r, "rhs_calls"), ratio(own, r, "rhs_rows")) if r else " %9s %27s" % ("-", "")
        print(line)
    for m, r in found.items():
        failed = [n for n, run in zip(names, r["runs"]) if not run]
        if failed:
            print("failed: %s: %s" % (", ".join(failed), m))
    for rung in [*sorted({r["rung"] for r in complete.values()}, key=float), "8+9", "all"]:
        chosen = [r["runs"] for r in complete.values()
                  if rung == "all" or r["rung"] == rung or rung == "8+9" and r["rung"] in ("8", "9")]
        for k, n in enumerate(names[1:], 1):
            both = [runs for runs in chosen if runs[k]]
            times = [ratio(runs[0], runs[k], "seconds") for runs in both]
            if times:
                print("rung %-4s over %-8s %3d models: time %.3f (sums %.3f), rows %.3f, slower %d" % (
                    rung, n, len(both), mean(times), sum(r[0]["seconds"] for r in both)/sum(
                        r[k]["seconds"] for r in both), mean([ratio(r[0], r[k], "rhs_rows") for r in both]),
                    sum(t > 1 for t in times)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rubato")
    parser.add_argument("list")
    parser.add_argument("--library", action="append", default=[])
    parser.add_argument("--old")
    parser.add_argument("--solvers", action="store_true")
    parser.add_argument("--filter", default="")
    parser.add_argument("--rungs", default="0-99")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--tier", default="1")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--json")
    options = parser.parse_args()
    if options.count:
        options.tier, options.runs = "0", 1
    options.library = [os.path.abspath(path) for path in options.library]
    found = {}
    if options.json and os.path.exists(options.json):
        with open(options.json, encoding="utf-8") as f:
            found = json.load(f)
    with tempfile.TemporaryDirectory() as folder:
        rubato = os.path.abspath(options.rubato)
        programs, names = [(rubato, [], os.path.join(folder, "new"))], ["new"]
        if options.old:
            programs.append((os.path.abspath(options.old), [], os.path.join(folder, "old")))
            names.append("old")
        for solver in ("cvode", "ida") if options.solvers else ():
            programs.append((rubato, ["--solver", solver], os.path.join(folder, "new")))
            names.append(solver)
        for model, settings, rung in models(options):
            if model not in found:
                found[model] = {"rung": rung, "runs": measure(programs, model, settings, options, folder)}
                if options.json:
                    with open(options.json, "w", encoding="utf-8") as f:
                        json.dump(found, f)
    table(names, found)


if __name__ == "__main__":
    main()
