#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every benchmark and writes a page: tools/bench.py BUILD [--only NAME,...] [--minutes M] [--page FILE]

A benchmark is a row of BENCHES: its command, what it is compared with, what would change the result, and the tables and
pictures that are read out of what it prints. Ratios are those of one run. All of them take about 15 minutes on a quiet machine;
--minutes shares another time out. One that does not end within its share is cut off there, and the page says so; one whose
output holds none of the expected rows is an error. What was printed is kept in BUILD/bench/NAME.txt."""
import argparse
import math
import os
import platform
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NUMBER = r"(-?(?:[\d.]+(?:e[-+]?\d+)?|inf|nan))"


class Table:
    """Rows found by a pattern, whose groups are the columns. first: only after a line that contains this."""

    def __init__(self, columns, pattern, title="", first=""):
        self.columns, self.pattern, self.title, self.first = columns, re.compile(pattern, re.M), title, first

    def rows(self, text):
        if self.first:
            text = text[text.find(self.first):] if self.first in text else ""
        return [m.groups() for m in self.pattern.finditer(text)]

    def markdown(self, rows):
        out = [f"**{self.title}**", ""] if self.title else []
        out += ["| " + " | ".join(self.columns) + " |", "|" + "---|"*len(self.columns)]
        return out + ["| " + " | ".join(cell.strip() for cell in row) + " |" for row in rows] + [""]


def row_of(*columns):
    """A pattern for a line of numbers after a word: row_of(r"(\\w+)", 5)."""
    parts = []
    for column in columns:
        parts += [NUMBER]*column if isinstance(column, int) else [column]
    return r"^\s*" + r"\s+".join(parts) + r"\s*$"


class Picture:
    """Curves in logarithmic axes: curves(text) gives {name: [(x, y), ...]}."""

    def __init__(self, title, x, y, curves):
        self.title, self.x, self.y, self.curves = title, x, y, curves


class Bench:
    def __init__(self, name, title, command, share, compared, change, tables, pictures=()):
        self.name, self.title, self.command, self.share = name, title, command, share
        self.compared, self.change, self.tables, self.pictures = compared, change, tables, pictures


# ---- curves for pictures ----

def rate_curves(text):
    """Equations evaluated over the error reached, of the first model."""
    part = text[:text.find("\n\n", 10)] if "\n\n" in text[10:] else text
    curves = {}
    for m in re.finditer(r"^\s+(1|auto|2|3|ida)\s+\S+\s+\S+\s+\S+\s+(\S+)\s+(\S+)", part, re.M):
        curves.setdefault({"1": "one rate", "ida": "IDA"}.get(m.group(1), f"rates {m.group(1)}"), []).append(
            (float(m.group(3)), float(m.group(2))))
    return curves


def ode_curves(text):
    """Time over tolerance of the first problem, for a few solvers."""
    part = text.split("time / best of SUNDIALS at equal error")[0]
    curves = {}
    for m in re.finditer(r"^\s+([a-zA-Z]\w*)\s+\S+\s+(\S+e\S+)\s+([\d.]+)\s+\d+", part, re.M):
        if m.group(1) in ("cvode", "ida", "arkode", "auto", "radauIIA5"):
            curves.setdefault(m.group(1), []).append((float(m.group(2)), float(m.group(3))))
    return curves


def column_curves(name, x, y):
    """Of a table of sizes: column y over column x, one curve for each word in column `name`."""
    def curves(text):
        found = {}
        for line in text.split("\n"):
            words = line.split()
            try:
                found.setdefault(words[name], []).append((float(words[x]), float(words[y])))
            except (ValueError, IndexError):
                continue
        return {k: v for k, v in found.items() if len(v) > 1}
    return curves


# ---- the benchmarks ----

B = "{b}/rubato"
BENCHES = [
    Bench("rate", "Several rates", "{b}/bench/bench_rate", 9,
          "One rate of our own, and IDA with KLU, on the same models in the same run. The first two columns are times at equal "
          "error, read from work-precision curves; above 1 several rates win.",
          "Models in which everything moves all the time gain nothing (the last rows); more states gain more.",
          [Table(["model", "time, one rate / several", "time, IDA / several", "state steps, one / several",
                  "time at equal tolerance, several / one", "error at equal tolerance, several / one"],
                 row_of(r"(\w+)", 5), first="Figures 1, 4, 5")],
          [Picture("Inverter chain: equations evaluated and error", "error", "scalar equations evaluated", rate_curves)]),
    Bench("cells", "Events by the parts they concern", "python3 bench/bench_cells.py " + B, 1,
          "The same model with one rate; in brackets the share of it that is left.", "More events, or more states that no event reaches.",
          [Table(["run", "events", "crossings evaluated", "equations evaluated"],
                 r"^\s+(one rate|by cone, rates \d): (\d+) events, (\d+ crossing_rows(?: \(\S+\))?), (\d+ rhs_rows(?: \(\S+\))?)")]),
    Bench("robot", "A robot in partitions", "python3 bench/bench_robot.py " + B, 6,
          "One fixed-step method for the whole robot, and IDA with variable steps; times over that of the partitions.",
          "Partitions that need less of what others compute at the same tick: then threads help, here they do not.",
          [Table(["method, step", "ms", "over partitions", "E2", "Einf"], r"^(\S.{30,33}\S?)\s+" + r"\s+".join([NUMBER]*4) + "$")]),
    Bench("theta", "Infinitely fast processes", "python3 bench/bench_theta.py " + B, 1,
          "The same circuit with its parasitic capacitor, integrated by IDA.",
          "A larger capacitor makes the circuit less stiff and IDA faster.",
          [Table(["run", "steps", "rejected", "ms", "time / IDA"], r"^((?:Theta)?Circuit\S*.*?)\s{2,}" + r"\s+".join([NUMBER]*4) + r"\s*$")]),
    Bench("lied", "Many equal components", "python3 bench/bench_lied.py {b} --most 4194304 --whole 4096", 3,
          "The same model translated as a whole, up to 4096 mechanisms; `to bound` is the time of an evaluation over that of moving its "
          "states through memory.",
          "Mechanisms that differ from each other form families of their own.",
          [Table(["crabs", "path", "translate s", "instantiate s", "memory MB", "evaluate ms", "ns a crab", "to bound"],
                 row_of(r"(\d+)", r"(components|whole)", 6))],
          [Picture("Crane crabs: time of an evaluation", "crabs", "ms", column_curves(1, 0, 5))]),
    Bench("ode", "Integrators", "{b}/bench/bench_ode --quick", 13,
          "The best of CVODE, IDA and ARKODE of SUNDIALS for each run, with the same right-hand side, Jacobian and linear solver, at equal "
          "achieved error. Below 1 we are faster.",
          "Another measure of the error, tolerances outside of 1e-3 to 1e-10, settings of the libraries other than their defaults.",
          [Table(["problem", "auto / best of SUNDIALS", "best fixed method / best of SUNDIALS"],
                 r"^\s+(.+?): time / best of SUNDIALS at equal error: \w+ " + NUMBER + ", best fixed " + NUMBER),
           Table(["geometric mean", "time / best of SUNDIALS", "runs", "lost"],
                 r"^\s+(auto|best fixed|with errors inside steps controlled):?\s+" + NUMBER + r" over (\d+) runs, (\d+)",
                 first="Geometric mean")],
          [Picture("The first problem: time and error", "error", "ms", ode_curves)]),
    Bench("rhs", "Right-hand sides", "{b}/bench/bench_rhs", 1,
          "A loop written by hand, compiled with the options of tier 1; the last two columns are times over that of the loop.",
          "Another compiler, or more states than the cache of the processor holds.",
          [Table(["equations", "plan ms", "freeze ms", "tier 0 ms", "tier 1 ms", "by hand us", "tier 0 us", "tier 1 us",
                  "tier 0 / by hand", "tier 1 / by hand"], row_of(10))]),
    Bench("start", "From the command to the first step", "tools/start.py " + B, 1,
          "The phases among themselves; `again` is a second start, which finds the translated model in the cache. Milliseconds.",
          "A cold file cache, or external C code that is compiled at its first use.",
          [Table(["model", "parse", "flatten", "rows", "structure", "compile", "initial", "first step", "all", "again"],
                 row_of(r"(\S.*?)", 9))]),
    Bench("structure", "Analysis of large models", "{b}/bench/bench_structure", 1,
          "The same model ten times smaller: the time for an equation should not grow.",
          "More memory for an equation than the cache of the processor holds; dense blocks.",
          [Table(["model", "equations", "states", "blocks", "shapes", "build ms", "analyse ms", "plan ms", "ns an equation", "peak MB"],
                 row_of(r"(\w+)", 9))],
          [Picture("Analysis: time for an equation", "equations", "ns", column_curves(0, 1, 8))]),
    Bench("flat", "Instances of large models", "{b}/bench/bench_flat", 1,
          "The same model ten times smaller.", "Components that differ, so that they cannot share a shape.",
          [Table(["model", "N", "equations", "flat ms", "rows ms", "million equations a second", "bytes a row", "flat bytes", "shapes",
                  "peak MB"], row_of(r"(\w+)", 9))]),
    Bench("parse", "Parser", "{b}/bench/bench_parse", 1,
          "memchr over the same bytes, the fastest that memory allows.", "Text with more comments parses faster.",
          [Table(["", "value"], r"^(parse|memchr over the same bytes|parse time / memchr time|tree bytes per source byte)\s+([\d.]+(?: MB/s)?)")]),
    Bench("results", "Large results", "{b}/bench/bench_results", 1,
          "The same bytes written plainly to the same disk, one megabyte at a time.",
          "A disk that others use, or one that is faster than memory can be copied.",
          [Table(["", "value"], r"^(disk|MAT file|read back|page made|page written)\s+(.*)$")]),
    Bench("csv", "Writing results", "cd {b} && bench/bench_csv", 1,
          "snprintf with 17 digits for CSV, and a plain copy of the same bytes for MAT, into files on the same disk.",
          "Numbers with few digits are written faster than random ones, and unchanged ones faster still.",
          [Table(["", "time", "speed", "a number"],
                 r"^(CSV, .*?|MAT|the bytes of MAT copied|snprintf.*?)\s{2,}(\S+ s)\s+(\d+ MB/s)\s+(\S+ ns) a number")]),
    Bench("study", "A study of 10,000 runs", "{b}/bench/bench_study " + B, 3,
          "A process `rubato simulate` for each run, and a loop over CVODE in C with the equations written by hand.",
          "Longer runs make the start of a process matter less.",
          [Table(["run by", "wall time of a run", "of processors"],
                 r"^\s+(study, \d threads?|CVODE in C, 1 thread)\s+(\S+ us) a run, of processors\s+(\S+ us)"),
           Table(["one thread over two"], r"^\s+ratio of 1 thread to 2: (\S+)"),
           Table(["one process `rubato simulate`"], r"^\s+one process rubato simulate\s+(\S+ us)")]),
    Bench("realtime", "A robot in real time", "python3 bench/bench_realtime.py " + B + " {b}/bench/bench_wake", 6,
          "The wall clock: a frame is 800 us. `tick` is what the longest one takes, `late` how long after its time a frame began; "
          "a program that only sleeps is late, too.",
          "Other work on the machine, or a kernel that does not let threads with priority go first.",
          [Table(["pace, threads", "ticks", "missed", "woken late", "interrupted", "too long", "frames missed", "frame us", "tick us",
                  "late us"], row_of(r"(\S.*?)", 9)),
           Table(["asleep, us busy", "ticks", "50 us late", "573 us late", "800 us late", "at most us"],
                 r"^a program that only sleeps, spinning (\S+) us: of (\S+) ticks (\S+) later than 50 us, (\S+) than 573 us, "
                 r"(\S+) than 800 us, at most (\S+) us")]),
    Bench("sweep", "Many simulations of one program", "{b}/bench/bench_sweep", 1,
          "One thread, and arithmetic that shares nothing as the limit of the machine.",
          "Fewer processors than threads, or other work on them.",
          [Table(["threads", "all", "each", "of processors"], r"^\s+(\d+) threads?\s+(\S+ s)\s+(\S+ us) each, of processors\s+(\S+ us)"),
           Table(["two threads over one", "of arithmetic alone"], r"^\s+ratio (\S+); of arithmetic alone (\S+)")]),
]


# ---- pictures ----

COLOURS = ["#0b6bcb", "#c4501b", "#2d8a4e", "#8a3ab9", "#8c6d1f", "#555"]


def ticks(low, high):
    """Powers of ten, thinned to at most seven."""
    first, last = math.floor(low), math.ceil(high)
    return list(range(first, last + 1, max(1, math.ceil((last - first)/6))))


def svg(picture, curves):
    """Log-log curves as SVG text."""
    points = [(math.log10(x), math.log10(y)) for c in curves.values() for x, y in c if x > 0 and y > 0]
    if not points:
        return None
    xt, yt = ticks(min(p[0] for p in points), max(p[0] for p in points)), ticks(min(p[1] for p in points), max(p[1] for p in points))
    width, height, left, top = 420, 260, 70, 40

    def at(x, y):
        return (left + width*(x - xt[0])/max(xt[-1] - xt[0], 1), top + height*(1 - (y - yt[0])/max(yt[-1] - yt[0], 1)))
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="660" height="350" font-family="sans-serif" font-size="12">',
           '<rect width="660" height="350" fill="white"/>', f'<text x="{left}" y="22" font-size="14">{picture.title}</text>']
    for t in xt:
        x = at(t, yt[0])[0]
        out.append(f'<path d="M{x:.1f} {top}V{top + height}" stroke="#ddd"/><text x="{x:.1f}" y="{top + height + 16}" '
                   f'text-anchor="middle">1e{t}</text>')
    for t in yt:
        y = at(xt[0], t)[1]
        out.append(f'<path d="M{left} {y:.1f}H{left + width}" stroke="#ddd"/><text x="{left - 6}" y="{y + 4:.1f}" '
                   f'text-anchor="end">1e{t}</text>')
    out.append(f'<text x="{left + width/2}" y="{top + height + 36}" text-anchor="middle">{picture.x}</text>')
    out.append(f'<text transform="translate(16 {top + height/2}) rotate(-90)" text-anchor="middle">{picture.y}</text>')
    for k, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[k % len(COLOURS)]
        line = " ".join("%.1f,%.1f" % at(math.log10(x), math.log10(y)) for x, y in curve if x > 0 and y > 0)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for pair in line.split():
            x, y = pair.split(",")
            out.append(f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>')
        out.append(f'<text x="{left + width + 14}" y="{top + 14 + 18*k}" fill="{colour}">{name}</text>')
    return "\n".join(out + ["</svg>", ""])


# ---- the machine ----

def first_line(*command):
    try:
        p = subprocess.run(command, capture_output=True, text=True)
        return (p.stdout or p.stderr).split("\n")[0].strip()
    except OSError:
        return ""


def package(name):
    return first_line("dpkg-query", "-W", "-f", "${Version}", name)


def machine(build):
    model = "unknown processor"
    try:
        with open("/proc/cpuinfo") as f:
            model = re.search(r"model name\s*:\s*(.*)", f.read()).group(1)
    except (OSError, AttributeError):
        pass
    memory = os.sysconf("SC_PAGE_SIZE")*os.sysconf("SC_PHYS_PAGES")/1e9
    versions = [("SUNDIALS", "libsundials-dev"), ("SuiteSparse", "libsuitesparse-dev"), ("libtcc", "libtcc-dev"), ("LAPACK", "liblapack-dev")]
    return [f"| processor | {model}, {os.cpu_count()} of them, {memory:.0f} GB |",
            f"| system | {platform.system()} {platform.release()}, {platform.machine()} |",
            f"| compiler | {first_line('cc', '--version')} |",
            "| libraries | " + ", ".join(f"{n} {package(p)}" for n, p in versions if package(p)) + " |",
            f"| Rubato | {first_line(os.path.join(ROOT, build, 'rubato'), '--version').replace('rubato ', '')} |"]


def busy():
    """Share of the processors that others use: timings of a busy machine say little."""
    return os.getloadavg()[0]/(os.cpu_count() or 1)


# ---- the page ----

def run(command, limit):
    begin = time.time()
    try:
        p = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=limit)
        return p.stdout.rstrip() + "\n", time.time() - begin, "" if p.returncode == 0 else f"ended with status {p.returncode}: {p.stderr[-200:]}"
    except subprocess.TimeoutExpired as e:
        return (e.stdout or b"").decode(errors="replace").rstrip() + "\n", time.time() - begin, f"cut off after {limit:.0f} s"


def section(bench, text, seconds, note, folder, command):
    """Lines of the page about one benchmark, and what is wrong with it."""
    out = [f"## {bench.title}", "", f"*Compared with:* {bench.compared}", "", f"*What would change it:* {bench.change}", "",
           f"`{command}`, {seconds:.0f} s" + (f", **{note}**" if note else "") + ":", ""]
    wrong = []
    for table in bench.tables:
        rows = table.rows(text)
        if rows:
            out += table.markdown(rows)
        else:
            wrong.append(f"{bench.name}: no rows of the table '{table.columns[0]} ...'")
    for k, picture in enumerate(bench.pictures):
        drawn = svg(picture, picture.curves(text))
        name = f"bench_{bench.name}{k or ''}.svg"
        if drawn:
            with open(os.path.join(folder, name), "w") as f:
                f.write(drawn)
            out += [f"![{picture.title}](pictures/{name})", ""]
        else:
            wrong.append(f"{bench.name}: nothing to draw")
    if wrong:
        out += ["What was printed:", "", "```", text.rstrip()[-3000:], "```", ""]
    return out, wrong if not note.startswith("cut off") else []


def main():
    a = argparse.ArgumentParser()
    a.add_argument("build")
    a.add_argument("--only", default="")
    a.add_argument("--minutes", type=float, default=15)
    a.add_argument("--page", default="docs/benchmarks.md")
    o = a.parse_args()
    wanted = [b for b in BENCHES if not o.only or b.name in o.only.split(",")]
    if not wanted:
        sys.exit("there is no such benchmark; known are " + ", ".join(b.name for b in BENCHES))
    page_path = os.path.join(ROOT, o.page)
    folder = os.path.join(os.path.dirname(page_path), "pictures")
    os.makedirs(folder, exist_ok=True)
    os.makedirs(os.path.join(ROOT, o.build, "bench"), exist_ok=True)
    load, wrong = busy(), []
    page = ["# Benchmarks", "", "Written by `make bench`. Each table says what it is compared with and what would change it; both sides were "
            "measured in the same run.", "", "| | |", "|---|---|", *machine(o.build), ""]
    if load > 0.3:
        page += [f"**The machine was busy with other work ({load:.1f} processes for each processor): counts hold, "
                 "times and ratios of times do not.**", ""]
    shares = sum(b.share for b in BENCHES)
    for bench in wanted:
        command = bench.command.format(b=o.build)
        print(f"== {bench.name}: {command}", flush=True)
        text, seconds, note = run(command, 60*o.minutes*bench.share/shares*1.5)
        with open(os.path.join(ROOT, o.build, "bench", bench.name + ".txt"), "w") as f:
            f.write(text)
        lines, mistakes = section(bench, text, seconds, note, folder, command)
        print("\n".join(lines[6:]), flush=True)
        page += lines
        wrong += mistakes + ([f"{bench.name}: {note}"] if note.startswith("ended") else [])
    with open(page_path, "w") as f:
        f.write("\n".join(page))
    print(f"page: {o.page}")
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
