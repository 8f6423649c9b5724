#!/usr/bin/env python3
"""Do our integrator, CVODE and IDA give the same results? Do one rate and several?

  tools/agree.py RUBATO [--with OPTIONS]... [--library DIR] [--list FILE] [--tolerance T] [--tube T]
                 [--timeout S] FILE_OR_DIR...

Runs every model with each of the OPTIONS (--solver rk, cvode and ida if none are given) and compares the others with the first, all
variables in a tube of the half width T (see `rubato compare`), here 0.002, at 5000 points, so that
the tube follows fast transitions. A model that differs is run again with tolerances a hundred times
tighter: what is only sensitive agrees then, and is counted as such. Outside by less than 1e-4 counts as inside: variables that are
themselves errors of the integration have no scale of their own. A .mo file of the test set brings
its own options in the line `//! command simulate ...`; files whose command is another one, or
whose run is meant to fail, are left out, and those that say `// undetermined: why`. --list names classes of the library, the first word of
each line. Exit status 1 if a model disagrees, or runs with some only.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

WAYS = ("--solver rk", "--solver cvode", "--solver ida")
FLOOR = 1e-4
DROPPED = {"--output", "--solver", "--method", "--rates", "--trace", "--stats", "--tier",
           "--tolerance", "--interval", "--intervals"}


def own_options(path):
    """Options of a test's command without those that choose output and solver; None: no run."""
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    if "//!" not in text:
        return [path]
    command = re.search(r"//!\s*command simulate (.*)", text)
    if re.search(r"^// undetermined:", text, re.M):
        return None
    if not command or re.search(r"//!\s*(error|exit [1-9]|input)", text):
        return None
    words = shlex.split(command.group(1).replace("{file}", path)
                        .replace("{dir}", os.path.dirname(path)))
    kept, skip = [], False
    for word in words:
        if not skip and word.split("=")[0] in DROPPED:
            skip = "=" not in word
        elif skip:
            skip = False
        else:
            kept.append(word)
    return kept


def targets(options):
    for path in options.path:
        if os.path.isdir(path):
            for folder, _, names in sorted(os.walk(path)):
                for name in sorted(n for n in names if n.endswith(".mo")):
                    own = own_options(os.path.join(os.path.abspath(folder), name))
                    if own:
                        yield name, own
        elif own_options(os.path.abspath(path)):
            yield path, own_options(os.path.abspath(path))
    if options.list:
        with open(options.list, encoding="utf-8") as f:
            for line in f:
                word = line.split()[:1]
                if word and not line.startswith("#"):
                    yield word[0], word + ["--library", os.path.abspath(options.library)]


def run(options, way, target, folder, tolerance):
    """Path of the result, None if the run failed."""
    result = os.path.join(folder, f"{options.ways.index(way)}.mat")
    command = [options.rubato, "simulate", *target, *way.split(), "--quiet", "--output", result,
               "--tolerance", str(tolerance), "--intervals", "5000"]
    try:
        p = subprocess.run(command, capture_output=True, timeout=options.timeout, cwd=folder)
    except subprocess.TimeoutExpired:
        return None
    return result if p.returncode == 0 else None


def outside(line, floor):
    """Is a line of `rubato compare` a difference worth the name?"""
    m = re.search(r"worst at t = \S+: (\S+), not within (\S+) \.\.\. (\S+)", line)
    if not m:
        return True
    value, low, high = (float(x) for x in m.groups())
    return not max(low - value, value - high) <= floor


def differences(options, result):
    """A line for each way whose result lies outside the tube around that of the first."""
    bad = []
    for s in options.ways[1:]:
        p = subprocess.run([options.rubato, "compare", result[s], result[options.ways[0]],
                            "--tolerance", options.tube], capture_output=True, text=True)
        lines = [l for l in p.stdout.split("\n") if l.startswith("FAIL") and outside(l, FLOOR)]
        if p.returncode and lines or p.returncode > 1:
            bad.append(f"{s}: {len(lines)} variables, {lines[0][6:] if lines else ''}")
    return bad


def judge(options, target):
    """What to count the model as, and lines that say why."""
    words = []
    for factor, verdict in ((1, "agree"), (0.01, "agree tighter")):
        tolerance = factor * options.tolerance
        with tempfile.TemporaryDirectory() as folder:
            result = {s: run(options, s, target, folder, tolerance) for s in options.ways}
            if not any(result.values()):
                return ("differ" if words else "none"), words
            if not all(result.values()):
                missing = ", ".join(s for s in options.ways if not result[s])
                return "some", words + [f"no result with {missing} at {tolerance:g}"]
            bad = differences(options, result)
            if not bad:
                return verdict, words
            words += [f"at {tolerance:g}, {b}" for b in bad]
    return "differ", words


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rubato")
    parser.add_argument("path", nargs="*")
    parser.add_argument("--with", action="append", dest="ways")
    parser.add_argument("--library")
    parser.add_argument("--list")
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--tube", default="0.002")
    parser.add_argument("--timeout", type=float, default=600)
    options = parser.parse_intermixed_args()
    options.rubato = os.path.abspath(options.rubato)
    options.ways = options.ways or list(WAYS)
    count = {"agree": 0, "agree tighter": 0, "differ": 0, "some": 0, "none": 0}
    for name, target in targets(options):
        verdict, words = judge(options, target)
        count[verdict] += 1
        for text in words:
            print(f"{verdict.upper()} {name}: {text}", flush=True)
    print(f"{count['agree'] + count['agree tighter']} agree, {count['agree tighter']} of them with "
          f"tighter tolerances only; {count['differ']} differ, {count['some']} run in some "
          f"ways only, {count['none']} in none")
    return 1 if count["differ"] or count["some"] else 0


if __name__ == "__main__":
    sys.exit(main())
