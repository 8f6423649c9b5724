#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Examples of a library of streams, component by component and as a whole: do both paths give the same?

  bench_streams.py RUBATO LIBRARY [--library DIR]... [--folder Examples] [--seconds 60] [--tolerance 1e-6]
                  [--filter REGEX] [--option=--bounds --option=warning]

LIBRARY is the folder of the package, such as ThermofluidStream. Every model below a folder of that name (without a
folder called Undirected) that has an experiment annotation is simulated twice. The table says what happened, and how
many variables of the component path are inside the tube around the other one (rubato compare). Where some are outside, the
ordinary path is compared with itself at a hundredth of the tolerance as well: what is outside then, too, says nothing
about the components. The rest is named. Seconds are those of the processor."""
import argparse
import os
import re
import resource
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
    limit = (int(seconds), int(seconds))
    p = subprocess.run(command, capture_output=True, text=True, check=False,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit))
    if p.returncode < 0:
        return f"not after {seconds:g} s"
    found = re.search(r"error ([A-Z][0-9]+: .*)", p.stderr)
    return "" if p.returncode == 0 else found.group(1)[:120] if found else f"exit {p.returncode}"


def compare(rubato, one, other):
    """How many variables there are, and the names of those outside of the tube."""
    p = subprocess.run([rubato, "compare", one, other], capture_output=True, text=True, check=False)
    return int(re.search(r"of (\d+) variables inside", p.stdout).group(1)), set(
        re.findall(r"^FAIL +(.*?): ", p.stdout, re.MULTILINE))


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("rubato")
    a.add_argument("package")
    a.add_argument("--library", action="append", default=[])
    a.add_argument("--folder", default="Examples")
    a.add_argument("--seconds", type=float, default=60)
    a.add_argument("--tolerance", default="1e-6")
    a.add_argument("--filter", default="")
    a.add_argument("--option", action="append", default=[])
    o = a.parse_args()
    libraries = [w for d in [os.path.dirname(os.path.abspath(o.package)), *o.library] for w in ("--library", d)]
    both = whole = same = explained = 0
    print("| model | as a whole | component by component | variables that agree | as a whole, other tolerance | outside here only |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in models(o.package, o.folder):
            if not re.search(o.filter, name):
                continue
            out = [os.path.join(folder, f) for f in ("whole.mat", "components.mat", "exact.mat")]

            def run(k, tolerance, *more):
                return simulate([o.rubato, "simulate", name, *libraries, "--tolerance", tolerance, "--output", out[k],
                                 *o.option, *more], o.seconds)

            said = [run(0, o.tolerance)]
            said.append(run(1, o.tolerance, "--components") if not said[0] or "not after" in said[0] else "not tried")
            agree = own = only = ""
            if not any(said):
                every, outside = compare(o.rubato, out[1], out[0])
                agree = f"{every - len(outside)} of {every}"
                both += 1
                same += not outside
                if outside and not run(2, str(float(o.tolerance) / 100)):
                    every, alone = compare(o.rubato, out[0], out[2])
                    own = f"{every - len(alone)} of {every}"
                    explained += outside <= alone
                    only = ", ".join(sorted(outside - alone)[:4])
            whole += not said[0]
            print(f"| {name} | {said[0] or 'runs'} | {said[1] or 'runs'} | {agree} | {own} | {only} |", flush=True)
    print(f"\n{whole} simulate as a whole, {both} both ways, {same} of these with all variables inside the tube, {explained} "
          "more outside in nothing but what the tolerance moves")


main()
