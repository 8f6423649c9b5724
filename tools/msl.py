#!/usr/bin/env python3
"""Simulates every example of a library and compares with reference results.

  tools/msl.py RUBATO LIBRARY [--reference DIR] [--filter TEXT] [--timeout S] [--jobs N]
               [--markdown FILE] [--list FILE]

LIBRARY is a folder that holds libraries. Examples are the models with a stop time whose names
contain ".Examples." and all others that have a reference. The reference of A.B.C is DIR/A/B/C/C.csv; only the variables in
comparisonSignals.txt beside it are compared. The table counts, per sub-library, the examples
that flatten, compile, simulate to the end, and match their reference in the 0.002 tube, and those
whose number of states is that of translate_passed.log beside the reference (tools/states.py).

FILE of --list names models in groups of difficulty, one a line, separated by tabs: model, stop time,
tolerance, interval, reference or -, start time, group. These settings then hold for its models, and
a second table counts by group.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from states import logged_states, our_states

STAGES = ("flatten", "compile", "simulate")


def examples(rubato, library, references):
    out = subprocess.run([rubato, "parse", "--experiments", library], capture_output=True,
                         text=True).stdout
    return sorted(n for n in out.split() if ".Examples." in n or reference_of(n, references))


def reference_of(name, folder):
    path = os.path.join(folder or "", *name.split("."))
    csv = os.path.join(path, name.split(".")[-1] + ".csv")
    return (csv, os.path.join(path, "comparisonSignals.txt")) if os.path.exists(csv) else None


def compares_nothing(signals):
    """Some references hold the time alone: that the run reached its end is all they say."""
    if not os.path.exists(signals):
        return False
    return all(line.strip() in ("", "time") for line in open(signals, encoding="utf-8"))


def read_list(path):
    """model -> (options of simulate, has a reference, group)"""
    models = {}
    for line in open(path, encoding="utf-8") if path else ():
        part = line.rstrip("\n").split("\t")
        if line.startswith("#") or len(part) < 7:
            continue
        settings = ["--stop", part[1], "--tolerance", part[2], "--interval", part[3]]
        models[part[0]] = settings, part[4] != "-", part[6]
    return models


def run_one(name, options):
    """Set of stages passed, with "match" if the reference agrees."""
    passed = set()
    with tempfile.TemporaryDirectory() as tmp:
        result = os.path.join(tmp, "r.mat")
        command = [options.rubato, "simulate", name, "--trust", "--library", options.library, "--output",
                   result, "--stages", "--quiet", "--no-cache"]
        command += options.models[name][0] if name in options.models else ["--intervals", "2000"]
        try:
            p = subprocess.run(command, capture_output=True, text=True, errors="replace",
                               timeout=options.timeout, cwd=tmp)
            text = p.stderr
        except subprocess.TimeoutExpired as e:
            text = (e.stderr or b"").decode(errors="replace")
        passed |= {s for s in STAGES if f"stage: {s} ok" in text}
        reference = reference_of(name, options.reference)
        if "simulate" in passed and reference:
            command = [options.rubato, "compare", result, reference[0], "--quiet"]
            if os.path.exists(reference[1]):
                command += ["--signals", reference[1]]
            if compares_nothing(reference[1]) or \
                    subprocess.run(command, capture_output=True, cwd=tmp).returncode == 0:
                passed.add("match")
    logged = logged_states(name, options.reference) if options.reference else None
    if logged:
        passed.add("log")
        if our_states(options.rubato, name, options.library, options.timeout) == logged[0]:
            passed.add("states")
    return passed


KEPT = "## References that do not match"


def kept(path):
    """What people wrote below the tables stays."""
    if not os.path.exists(path):
        return ""
    _, title, rest = open(path, encoding="utf-8").read().partition(KEPT)
    return "\n" + title + rest if title else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rubato")
    parser.add_argument("library")
    parser.add_argument("--reference")
    parser.add_argument("--filter", default="")
    parser.add_argument("--timeout", type=float, default=30)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--markdown")
    parser.add_argument("--list")
    options = parser.parse_args()
    options.rubato = os.path.abspath(options.rubato)
    options.library = os.path.abspath(options.library)
    options.models = read_list(options.list)
    names = [n for n in examples(options.rubato, options.library, options.reference)
             if options.filter in n]
    table = collections.defaultdict(collections.Counter)
    groups = collections.defaultdict(collections.Counter)
    with ThreadPoolExecutor(options.jobs) as pool:
        for name, passed in zip(names, pool.map(lambda n: run_one(n, options), names)):
            parts = re.sub(r"[.]Examples[.].*", "", name).split(".")[:3]
            group = ".".join(parts if ".Examples." in name else parts[:2])
            for row in (group, "all"):
                table[row]["examples"] += 1
                table[row]["reference"] += reference_of(name, options.reference) is not None
                for stage in passed:
                    table[row][stage] += 1
            if name in options.models:
                _, compared, row = options.models[name]
                groups[row]["examples"] += 1
                groups[row]["reference"] += compared
                for stage in passed:
                    groups[row][stage] += stage != "match" or compared
    lines = ["| library | examples | flatten | compile | simulate | match | of references | "
             "states equal | of logs |", "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for group in sorted(table, key=lambda g: (g == "all", g)):
        c = table[group]
        lines.append(f"| {group} | {c['examples']} | {c['flatten']} | {c['compile']} | "
                     f"{c['simulate']} | {c['match']} | {c['reference']} | "
                     f"{c['states']} | {c['log']} |")
    if groups:
        lines += ["", "| group | examples | compile | simulate | match | of references |",
                  "|---|--:|--:|--:|--:|--:|"]
        for row in sorted(groups):
            c = groups[row]
            lines.append(f"| {row} | {c['examples']} | {c['compile']} | {c['simulate']} | "
                         f"{c['match']} | {c['reference']} |")
    print("\n".join(lines))
    if options.markdown:
        notes = kept(options.markdown)
        with open(options.markdown, "w", encoding="utf-8") as f:
            f.write("# Coverage\n\nWritten by `make msl LIBRARY=... REFERENCE=... LIST=...`: every example "
                    "of the library with default settings\nand a time limit of "
                    f"{options.timeout:g} s, compared with the reference results in the 0.002 "
                    "tube. The number of states is compared with the logs of the "
                    "reference results.\n\n" + "\n".join(lines) + "\n" + notes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
