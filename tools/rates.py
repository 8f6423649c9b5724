#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What do several rates gain, and what do they cost?

  tools/rates.py RUBATO [--library DIR]... [--list FILE] [--rates auto,2,3] [--methods A,B+C]
                 [--tolerance T] [--runs N] [--timeout S] [--least N] [--tier T] [--json FILE] [TARGET...]

Runs every model with --rates 1 and with each of the others, and prints for these what they take in
parts of what single rate takes: wall time of the time loop, equations evaluated, steps of states,
factorisations, and the global error. Beside them the states, the time of single rate, its error in
tolerances, and the steps of each level.

TARGET is a file, a class of a library, or such a name with options: "Heating.mo --set N=40". A line
of FILE is the same; in a list with tabs the first columns are class, stop time and tolerance.
Models with fewer than --least states (20 in a list with tabs, else 1) are left out. B+C is method B with C in
the inner levels. The shortest of N runs counts, with native code (--tier 0: without a C compiler) and nothing recorded.

The error of a state is the root mean square of its deviation over the output points from a run of
single rate a thousand times tighter, in parts of the state's largest value or of 1; the error of a run is the
root mean square over its states, and the worst of them. That of the tight run itself is unknown: if
a run with several rates as tight is further away from it than a tenth of the error of single rate,
the model is too sensitive for the comparison, and its errors are marked with '~'. Finding: '!' stands after a ratio of
auto above 1.1 (work, time) or 2 (error), '?' after auto if a forced number of rates takes less than
0.7 of its time. Exit status 1 if a run fails.
"""
import argparse
import array
import json
import math
import os
import shlex
import struct
import subprocess
import sys
import tempfile

HEADER = f"{'model':34} {'states':>6} {'method':>10} {'rates':>5} {'s, one':>7} {'time':>6} " \
         f"{'rows':>6} {'steps':>6} {'lu':>6} {'error':>6} {'worst':>6} {'one/tol':>8}  steps by level"


def read_matrices(path):
    """The matrices of a MAT level 4 file: name, rows and values by columns."""
    with open(path, "rb") as f:
        data = f.read()
    at, found = 0, {}
    while at + 20 <= len(data):
        kind, rows, columns, _, length = struct.unpack_from("<5i", data, at)
        at += 20
        name = data[at:at + length - 1].decode()
        at += length
        code = {0: "d", 1: "f", 2: "i", 5: "B"}[kind // 10 % 10]
        values = array.array(code)
        size = rows * columns * values.itemsize
        values.frombytes(data[at:at + size])
        found[name] = rows, values
        at += size
    return found


class Result:
    """The columns of some variables at the output points."""

    def __init__(self, path, names):
        m = read_matrices(path)
        width, text = m["name"]
        _, info = m["dataInfo"]
        rows, data = m["data_2"]
        place = {}
        for k in range(len(text) // width):
            name = bytes(text[k * width:(k + 1) * width]).rstrip(b" \0").decode()
            place[name] = info[4 * k], abs(info[4 * k + 1]) - 1, info[4 * k + 1] < 0
        self.time = data[0::rows]
        self.column = {}
        for name in names:
            table, row, negative = place.get(name, (1, 0, False))
            if table == 2:
                column = data[row::rows]
                self.column[name] = [-v for v in column] if negative else column


def rows_at(time, points):
    """The last row at or before each point."""
    rows, k = [], 0
    for t in points:
        while k + 1 < len(time) and time[k + 1] <= t * (1 + 1e-12) + 1e-300:
            k += 1
        rows.append(k)
    return rows


def errors(result, reference, points):
    """Root mean square and largest over the states."""
    mine, true = rows_at(result.time, points), rows_at(reference.time, points)
    total, worst, count = 0.0, 0.0, 0
    for name, exact in reference.column.items():
        if name not in result.column:
            continue
        column = result.column[name]
        size = max(1.0, max(abs(exact[k]) for k in true))
        square = sum((column[a] - exact[b]) ** 2 for a, b in zip(mine, true)) / len(points)
        e = math.sqrt(square) / size
        total, worst, count = total + e * e, max(worst, e), count + 1
    return math.sqrt(total / max(count, 1)), worst


class Failed(Exception):
    pass


class Case:
    def __init__(self, options, folder, target):
        self.options, self.folder, self.target = options, folder, target
        words = shlex.split(target)
        self.name = os.path.splitext(os.path.basename(words[0]))[0] if words[0].endswith(".mo") \
            else ".".join(words[0].split(".")[-1:])
        if "--set" in words:
            self.name += " " + words[words.index("--set") + 1]
        words[0] = os.path.abspath(words[0]) if words[0].endswith(".mo") else words[0]
        self.command = [options.rubato, "simulate", *words, "--quiet", "--tier", options.tier]
        for path in options.library:
            self.command += ["--library", path]

    def run(self, *more):
        """Statistics of one run."""
        stats = os.path.join(self.folder, "s.json")
        try:
            p = subprocess.run([*self.command, "--stats", stats, *more], cwd=self.folder,
                               capture_output=True, text=True, errors="replace",
                               timeout=self.options.timeout)
        except subprocess.TimeoutExpired:
            raise Failed("too slow") from None
        if p.returncode != 0:
            raise Failed((p.stderr.strip().splitlines() or ["failed"])[0])
        with open(stats, encoding="utf-8") as f:
            return json.load(f)

    def states(self):
        """Their names, from the first line of a trace."""
        trace = os.path.join(self.folder, "trace.json")
        if os.path.exists(trace):
            os.remove(trace)
        try:
            self.run("--trace", trace, "--max-steps", "1", "--variables", "^$", "--output",
                     os.path.join(self.folder, "none.mat"))
        except Failed as failure:
            if not os.path.exists(trace) or os.path.getsize(trace) == 0:
                raise failure
        with open(trace, encoding="utf-8") as f:
            try:
                return json.loads(f.readline())["states"]
            except ValueError:
                raise Failed("ended before its first step") from None

    def recorded(self, names, *more):
        out = os.path.join(self.folder, "r.mat")
        stats = self.run("--output", out, *more)
        return stats, Result(out, names)

    def timed(self, stats, *more):
        """The shortest of several runs."""
        out, best = os.path.join(self.folder, "none.mat"), stats["time_simulate"]
        for _ in range(self.options.runs if best < 2.0 else 1):
            s = self.run("--output", out, "--variables", "^$", *more)
            best = min(best, s["time_simulate"])
        stats["time_simulate"] = best
        return stats


def ratio(a, b):
    return a / b if b > 0 else 1.0 if a == b else math.inf


def judged(value, limit):
    return f"{min(value, 9999):.3g}" + ("!" if value > limit else "")


def one_method(case, names, method):
    """Rows of the table: (rates, ratios, statistics)."""
    extra = ["--method", method.replace("+", ",")] if method else []
    single = extra and ["--method", method.split("+")[0]]
    if case.options.tolerance:
        extra, single = extra + ["--tolerance", case.options.tolerance], \
            single + ["--tolerance", case.options.tolerance]
    first, result = case.recorded(names, "--rates", "1", *single)
    tight = ["--tolerance", repr(first["tolerance"] * 1e-3)]
    _, truth = case.recorded(names, "--rates", "1", *single, *tight)
    first = case.timed(first, "--rates", "1", *single)
    stop = truth.time[-1] - truth.time[0]
    points = [truth.time[0] + stop * k / 500 for k in range(1, 501)]
    error, worst = errors(result, truth, points)
    _, other = case.recorded(names, "--rates", "auto", *extra, *tight)
    unsure = errors(other, truth, points)[0] > 0.1 * error
    rows = []
    for rates in case.options.rates.split(","):
        try:
            stats, result = case.recorded(names, "--rates", rates, *extra)
            stats = case.timed(stats, "--rates", rates, *extra)
        except Failed as failure:
            rows.append((rates, None, str(failure)))
            continue
        e, w = errors(result, truth, points)
        rows.append((rates, {
            "time": ratio(stats["time_simulate"], first["time_simulate"]),
            "rows": ratio(stats["rhs_rows"], first["rhs_rows"]),
            "steps": ratio(stats["state_steps"], first["state_steps"]),
            "lu": ratio(stats["factorizations"] + stats["refactorizations"],
                        first["factorizations"] + first["refactorizations"]),
            "error": ratio(e, error), "worst": ratio(w, worst)}, stats))
    return first, error / first["tolerance"], unsure, rows


def print_rows(case, method, count, outcome):
    first, error, unsure, rows = outcome
    auto = next((r["time"] for rates, r, _ in rows if rates == "auto" and r), None)
    least = min((r["time"] for _, r, _ in rows if r), default=None)
    for rates, r, stats in rows:
        if r is None:
            print(f"{case.name[-34:]:34} {count:6} {method or 'auto':>10} {rates:>5} FAILED: {stats}")
            continue
        missed = "?" if rates == "auto" and least < 0.7 * auto else ""
        levels = "/".join(str(l["steps"]) for l in stats.get("levels", []))
        shown = [judged(r["time"], 1.1), judged(r["rows"], 1.1), judged(r["steps"], 1e99),
                 judged(r["lu"], 1e99), judged(r["error"], 2), judged(r["worst"], 2)]
        print(f"{case.name[-34:]:34} {count:6} {method or 'auto':>10} {rates + missed:>5} "
              f"{first['time_simulate']:7.3f} " + " ".join(f"{s:>6}" for s in shown)
              + f" {error:7.2g}{'~' if unsure else ' '}  {levels}", flush=True)


def targets(options):
    """Targets and the least number of their states."""
    for target in options.target:
        yield target, options.least or 1
    if not options.list:
        return
    with open(options.list, encoding="utf-8") as f:
        for line in f:
            line = line.split("#")[0].rstrip("\n")
            word = line.split("\t")
            if not line.strip():
                continue
            if len(word) == 1:
                yield line.strip(), options.least or 1
            else:
                yield f"{word[0]} --stop {word[1]} --tolerance {word[2]}", options.least or 20


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rubato")
    parser.add_argument("target", nargs="*")
    parser.add_argument("--library", action="append", default=[])
    parser.add_argument("--list")
    parser.add_argument("--rates", default="auto")
    parser.add_argument("--methods", default="")
    parser.add_argument("--tolerance")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--least", type=int, default=0)
    parser.add_argument("--tier", default="1")
    parser.add_argument("--json")
    options = parser.parse_intermixed_args()
    options.rubato = os.path.abspath(options.rubato)
    options.library = [os.path.abspath(p) for p in options.library]
    print(HEADER, flush=True)
    failed, table = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for target, least in targets(options):
            case = Case(options, folder, target)
            try:
                names = case.states()
                if len(names) < least:
                    continue
                for method in options.methods.split(","):
                    outcome = one_method(case, names, method)
                    print_rows(case, method, len(names), outcome)
                    failed += any(r is None for _, r, _ in outcome[3])
                    table += [{"target": target, "method": method or "auto", "rates": rates, "ratios": r,
                               "stats": stats, "one": outcome[0]} for rates, r, stats in outcome[3]]
            except Failed as failure:
                failed += 1
                print(f"{case.name[-34:]:34} FAILED: {failure}", flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as f:
            json.dump(table, f, indent=1)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
