#!/usr/bin/env python3
"""Translates every model of a library that has a stop time, and simulates those that are not too large.

  tools/suite.py RUBATO LIBRARY... [--filter TEXT] [--from N] [--count N] [--equations N] [--largest N]
                 [--timeout S] [--memory GB] [--jobs N]

The first LIBRARY is the one whose models are taken. Models of the same name but for its digits are sizes of one
model: the smaller the digits, the sooner it comes, so that --from and --count take slices. A line for each model
that does not do what it should; at the end the numbers of models that were tried, translate and simulate. Models of
at most --equations equations must simulate, those whose names hold a number above --largest are left out.
"""
import argparse
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor


def size(name):
    """Product of the numbers in the last part of a name, the measure of its size."""
    return math.prod(max(int(d), 1) for d in re.findall(r"\d+", name.rsplit(".", 1)[-1]))


def run(command, options, folder):
    """(exit status, output, messages); a status of None is the time limit."""
    def limit():
        room = int(options.memory * 2**30)
        resource.setrlimit(resource.RLIMIT_AS, (room, room))
    try:
        p = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=folder,
                           timeout=options.timeout, preexec_fn=limit)
        return p.returncode, p.stdout, p.stderr
    except subprocess.TimeoutExpired as e:
        return None, "", (e.stderr or b"").decode(errors="replace")


def what_failed(status, messages):
    """The first error in a few words."""
    if status is None:
        return "time limit"
    found = re.search(r"error .*", messages)
    return found.group(0)[:200] if found else f"exit status {status}"


def one(name, options):
    """(equations, what is wrong with the translation, what is wrong with the simulation)"""
    libraries = [word for path in options.library for word in ("--library", path)]
    with tempfile.TemporaryDirectory() as tmp:
        status, out, messages = run([options.rubato, "check", name, *libraries], options, tmp)
        counted = re.search(r"(\d+) equations", out)
        if status != 0 or not counted:
            return 0, what_failed(status, messages), None
        equations = int(counted.group(1))
        if equations > options.equations:
            return equations, None, None
        status, _, messages = run([options.rubato, "simulate", name, *libraries, "--trust", "--no-cache",
                                   "--quiet", "--intervals", "100", "--output", os.path.join(tmp, "r.mat")],
                                  options, tmp)
        return equations, None, None if status == 0 else what_failed(status, messages)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rubato")
    parser.add_argument("library", nargs="+")
    parser.add_argument("--filter", default="")
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--count", type=int, default=None)
    parser.add_argument("--equations", type=int, default=100000)
    parser.add_argument("--largest", type=int, default=None)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--memory", type=float, default=8)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    options.rubato = os.path.abspath(options.rubato)
    options.library = [os.path.abspath(path) for path in options.library]
    listed = subprocess.run([options.rubato, "parse", "--experiments", options.library[0]],
                            capture_output=True, text=True, check=False).stdout.split()
    names = sorted((n for n in listed if options.filter in n), key=lambda n: (size(n), n))
    names = [n for n in names if not options.largest or size(n) <= options.largest]
    names = names[options.first:][:options.count]
    translated = simulated = small = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for name, (equations, translation, run_) in zip(names, pool.map(lambda n: one(n, options), names)):
            translated += translation is None
            if translation is None and equations <= options.equations:
                small += 1
                simulated += run_ is None
            if translation or run_:
                print(f"{name}: {'translation' if translation else f'simulation ({equations} equations)'}: "
                      f"{translation or run_}", flush=True)
    print(f"{len(names)} models, {translated} translate; {simulated} of {small} with at most "
          f"{options.equations} equations simulate")
    return 0


if __name__ == "__main__":
    sys.exit(main())
