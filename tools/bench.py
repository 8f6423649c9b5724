#!/usr/bin/env python3
"""Runs every benchmark and writes a page: tools/bench.py BUILD [--only NAME,...] [--limit SECONDS] [--page FILE]

Each section says what is compared with what and what would change the result; the numbers are what the
program printed. A benchmark that does not end within the limit is cut off there, and the page says so."""
import argparse
import os
import platform
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# name, title, command, compared with, what would change it
BENCHES = [
    ("rate", "Several rates", "{b}/bench/bench_rate",
     "Single rate of our own and IDA with KLU, on the same models in the same run, at equal error.",
     "Models in which everything moves all the time gain nothing; the last columns show what they lose."),
    ("cells", "Events by the parts they concern", "python3 bench/bench_cells.py {b}/rubato",
     "The same model with one rate.", "More events, or more states that no event reaches."),
    ("ode", "Integrators", "{b}/bench/bench_ode",
     "CVODE, IDA and ARKODE of SUNDIALS with the same right-hand side, Jacobian and linear solver.",
     "Another measure of the error, or tolerances outside the range of the table."),
    ("rhs", "Right-hand sides", "{b}/bench/bench_rhs",
     "A loop written by hand, compiled with the options of tier 1.",
     "Another compiler, or more states than the cache of the processor holds."),
    ("start", "From the command to the first step", "tools/start.py {b}/rubato",
     "The phases among themselves: there is no process or file that others would share.",
     "A cold file cache, or external C code that is compiled at its first use."),
    ("structure", "Analysis of large models", "{b}/bench/bench_structure",
     "The same model ten times smaller: the time per equation should not grow.",
     "More memory per equation than the cache holds; dense blocks."),
    ("flat", "Instances of large models", "{b}/bench/bench_flat",
     "The same model ten times smaller.", "Components that differ, so that they cannot share a shape."),
    ("parse", "Parser", "{b}/bench/bench_parse",
     "memchr over the same bytes, the fastest that memory allows.", "Text with more comments parses faster."),
    ("results", "Large results", "{b}/bench/bench_results",
     "The same bytes written plainly to the same disk, one megabyte at a time.",
     "A disk that others use, or one that is faster than memory can be copied."),
    ("sweep", "Many simulations of one program", "{b}/bench/bench_sweep",
     "One thread, and arithmetic that shares nothing as the limit of the machine.",
     "Fewer processors than threads."),
]


def machine():
    model = "unknown processor"
    try:
        with open("/proc/cpuinfo") as f:
            model = re.search(r"model name\s*:\s*(.*)", f.read()).group(1)
    except (OSError, AttributeError):
        pass
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    return f"{model}, {os.cpu_count()} processors, {platform.system()} {platform.machine()}; {compiler}"


def busy():
    """Share of the processors that others use: timings of a busy machine say little."""
    return os.getloadavg()[0] / (os.cpu_count() or 1)


def run(command, limit):
    begin = time.time()
    try:
        p = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=limit)
        note = "" if p.returncode == 0 else f"\n(ended with status {p.returncode})"
        return p.stdout.rstrip() + note, time.time() - begin, p.returncode == 0
    except subprocess.TimeoutExpired as e:
        text = (e.stdout or b"").decode(errors="replace").rstrip()
        return text + f"\n(cut off after {limit} s)", time.time() - begin, True


def main():
    a = argparse.ArgumentParser()
    a.add_argument("build")
    a.add_argument("--only", default="")
    a.add_argument("--limit", type=float, default=180)
    a.add_argument("--page", default="docs/benchmarks.md")
    o = a.parse_args()
    wanted = [b for b in BENCHES if not o.only or b[0] in o.only.split(",")]
    if not wanted:
        sys.exit("there is no such benchmark; known are " + ", ".join(b[0] for b in BENCHES))
    load, fine = busy(), True
    version = subprocess.run([os.path.join(ROOT, o.build, "rubato"), "--version"], capture_output=True, text=True).stdout.strip()
    page = ["# Benchmarks", "", f"Written by `make bench`; {version}. {machine()}.", ""]
    if load > 0.3:
        page += [f"**The machine was busy with other work ({load:.1f} processes for each processor): counts hold, "
                 "times and ratios of times do not.**", ""]
    for name, title, command, compared, change in wanted:
        print(f"== {name}", flush=True)
        text, seconds, good = run(command.format(b=o.build), o.limit)
        print(text, flush=True)
        fine = fine and good
        page += [f"## {title}", "", f"Compared with: {compared} What would change it: {change}", "",
                 f"`{command.format(b=o.build)}`, {seconds:.0f} s:", "", "```", text, "```", ""]
    with open(os.path.join(ROOT, o.page), "w") as f:
        f.write("\n".join(page))
    print(f"page: {o.page}")
    sys.exit(0 if fine else 1)


main()
