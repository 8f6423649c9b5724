#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Examples of a library of streams, component by component and as a whole: do both paths give the same?

  bench_streams.py RUBATO LIBRARY [--library DIR]... [--folder Examples] [--seconds 60] [--tolerance 1e-6]

LIBRARY is the folder of the package, such as ThermofluidStream. Every model below a folder of that name (without a
folder called Undirected) that has an experiment annotation is simulated twice. The table says what happened, and how
many variables of the component path are inside the tube around the other one (rubato compare)."""
import argparse
import os
import re
import subprocess
import tempfile


def models(library, folder):
    top = os.path.abspath(library)
    for root, _, files in sorted(os.walk(top)):
        if folder not in root.split(os.sep) or "Undirected" in root:
            continue
        for name in sorted(files):
            path = os.path.join(root, name)
            with open(path, encoding="utf-8") as f:
                if name.endswith(".mo") and name != "package.mo" and "experiment(" in f.read().replace(" ", ""):
                    yield os.path.relpath(path[:-3], os.path.dirname(top)).replace(os.sep, ".")


def simulate(command, seconds):
    """"": it ended well; else the first error."""
    try:
        p = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return f"not after {seconds:g} s"
    found = re.search(r"error ([A-Z][0-9]+: .*)", p.stderr)
    return "" if p.returncode == 0 else found.group(1)[:120] if found else f"exit {p.returncode}"


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("rubato")
    a.add_argument("package")
    a.add_argument("--library", action="append", default=[])
    a.add_argument("--folder", default="Examples")
    a.add_argument("--seconds", type=float, default=60)
    a.add_argument("--tolerance", default="1e-6")
    o = a.parse_args()
    libraries = [w for d in [os.path.dirname(os.path.abspath(o.package)), *o.library] for w in ("--library", d)]
    both = whole = same = 0
    print("| model | as a whole | component by component | variables that agree |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in models(o.package, o.folder):
            out = [os.path.join(folder, f) for f in ("whole.mat", "components.mat")]
            said = [simulate([o.rubato, "simulate", name, *libraries, "--tolerance", o.tolerance, "--output", out[k],
                              *(["--components"] if k else [])], o.seconds) for k in (0, 1)]
            agree = ""
            if not any(said):
                p = subprocess.run([o.rubato, "compare", out[1], out[0]], capture_output=True, text=True, check=False)
                inside, every = map(int, re.search(r"(\d+) of (\d+) variables inside", p.stdout).groups())
                agree = f"{inside} of {every}"
                both += 1
                same += inside == every
            whole += not said[0]
            print(f"| {name} | {said[0] or 'runs'} | {said[1] or 'runs'} | {agree} |", flush=True)
    print(f"\n{whole} simulate as a whole, {both} both ways, {same} of these with all variables inside the tube")


main()
