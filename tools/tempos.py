#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do random models of many tempos give the same with several rates as with one?

  tools/tempos.py RUBATO [--count N] [--seed S] [--ties] [--keep DIR] [--rates LIST] [--timeout S]

Each model is a network of cells with time constants over four decades, to which chance adds
thermostats, integrators that are reset, relations that bend a slope, counters, samples,
oscillators, a row that reads everything and a linear loop; with --ties also pairs of slow cells tied
stiffly, one of which gets pulses. It is simulated with one rate at a tight
tolerance, and with every entry of LIST (`auto`, `2`, `3:radauIIA3,rodas4`, ...) at 1e-6: largest
distance of the states at ten moments in units of the tolerance, beside that of one rate. What is far
away is asked again at the tight tolerance: models that magnify errors agree then. `--check-parts` runs
beside, and the results of three threads must be those of one, byte for byte. Exit status 1 and the
model in DIR if something differs, fails or hangs.
"""
import argparse
import csv
import filecmp
import os
import random
import subprocess
import sys
import tempfile

LOOSE, TIGHT = 1e-6, 1e-9
FAR = 30.0  # tolerances, and as much more than one rate is wrong by


class Model:
    """Declarations, equations and the names of states, in the order in which they come."""

    def __init__(self, seed, ties=False):
        self.random = random.Random(seed)
        self.declared, self.equations, self.states = [], [], []
        self.cells = self.random.choice((4, 12, 30, 80))
        self.network()
        for part in (self.thermostats, self.resets, self.bends, self.oscillators,
                     self.samples, self.wide, self.loop):
            if self.random.random() < 0.5:
                part()
        if ties:
            self.ties()

    def say(self, declaration, equation=None):
        self.declared.append(declaration)
        if equation:
            self.equations.append(equation)

    def number(self, low, high):
        return f"{self.random.uniform(low, high):.4g}"

    def tempo(self, slowest=-1.0, fastest=3.0):
        return f"{10 ** self.random.uniform(slowest, fastest):.4g}"

    def some(self, share):
        count = max(1, int(share * self.cells))
        return sorted(self.random.sample(range(1, self.cells + 1), count))

    def network(self):
        n, r = self.cells, self.random
        fast = set(self.some(0.1))
        speed = [self.tempo(1.5, 3) if i in fast else self.tempo(-1, 0.5)
                 for i in range(1, n + 1)]
        far = [r.randint(1, n) for _ in range(n)]
        self.speed = [float(a) for a in speed]
        self.say(f"parameter Integer N = {n};")
        self.say(f"parameter Real a[N] = {{{', '.join(speed)}}};")
        self.say(f"parameter Integer far[N] = {{{', '.join(map(str, far))}}};")
        self.say(f"parameter Real k = {self.number(0.02, 0.4)};")
        self.say("Real T[N](start = {0.3*sin(i) for i in 1:N}, each fixed = true);")
        self.say("Real q[N] \"from outside\";")
        self.inside = [["0"] for _ in range(n)]
        shape = r.choice(("chain", "ring", "far"))
        near = {"chain": "T[max(i - 1, 1)] + T[min(i + 1, N)]",
                "ring": "T[mod(i - 2, N) + 1] + T[mod(i, N) + 1]",
                "far": "T[max(i - 1, 1)] + T[far[i]]"}[shape]
        self.equations.append(f"for i in 1:N loop der(T[i]) = a[i]*(k*({near} - 2*T[i]) "
                              f"- 0.3*T[i] + q[i]); end for;")
        self.states += [f"T[{i}]" for i in range(1, n + 1)]
        for i in self.some(0.15):
            self.inside[i - 1].append(f"{self.number(0.1, 1)}*sin({self.tempo(-0.5, 1.5)}*time)")

    def thermostats(self):
        for i in self.some(self.random.choice((0.1, 0.3))):
            if self.speed[i - 1] > 60:  # tens of thousands of events tell no more than hundreds
                continue
            low, gap = self.random.uniform(0.2, 0.6), self.random.uniform(0.02, 0.2)
            self.say(f"Boolean on{i}(start = {self.random.choice(('true', 'false'))}, fixed = true);",
                     f"when T[{i}] > {low + gap:.4g} then on{i} = false; "
                     f"elsewhen T[{i}] < {low:.4g} then on{i} = true; end when;")
            self.say(f"Integer n{i}(start = 0, fixed = true);",
                     f"when on{i} then n{i} = pre(n{i}) + 1; end when;")
            self.inside[i - 1].append(f"(if on{i} then {self.number(0.5, 2)} else 0)")

    def resets(self):
        for i in self.some(0.05):
            self.say(f"Real r{i}(start = 0, fixed = true);",
                     f"der(r{i}) = {self.tempo(-0.5, 1)}*(1.2 + T[{i}]);")
            self.equations.append(f"when r{i} > 1 then reinit(r{i}, {self.number(0, 0.5)}); end when;")
            self.states.append(f"r{i}")
            if self.random.random() < 0.5:
                self.inside[i - 1].append(f"0.3*r{i}")

    def bends(self):
        for i in self.some(0.1):
            other = self.random.randint(1, self.cells)
            self.inside[i - 1].append(f"(if T[{other}] > {self.number(-0.2, 0.4)} then "
                                      f"0.5*T[{other}] else 0.1*T[{other}])")

    def oscillators(self):
        for i in self.some(0.05):
            w = self.tempo(0.5, 2)
            self.say(f"Real u{i}(start = 1, fixed = true), v{i}(start = 0, fixed = true);",
                     f"der(u{i}) = {w}*v{i};")
            self.equations.append(f"der(v{i}) = -{w}*u{i} + T[{i}] - 0.1*v{i};")
            self.states += [f"u{i}", f"v{i}"]
            self.inside[i - 1].append(f"{self.number(0.01, 0.1)}*u{i}")

    def samples(self):
        self.say("discrete Real held(start = 0, fixed = true);",
                 f"when sample(0.1, {self.number(0.2, 0.7)}) then held = T[1] + 0.5*pre(held); end when;")
        for i in self.some(0.05):
            self.inside[i - 1].append("0.2*held")

    def wide(self):
        self.say("Real all_(start = 0, fixed = true);", "der(all_) = sum(T)/N - all_;")
        self.states.append("all_")
        for i in self.some(0.3):
            self.inside[i - 1].append("0.2*all_")

    def loop(self):
        i = self.random.randint(1, self.cells)
        self.say("Real y, z;", f"y + {self.number(0.1, 0.8)}*z = T[{i}];")
        self.equations.append(f"{self.number(0.1, 0.8)}*y - z = T[1];")
        self.inside[i - 1].append("0.1*z")

    def ties(self):
        for i in self.some(0.1):
            self.say(f"Real a{i}(start = 0, fixed = true), b{i}(start = 0, fixed = true);",
                     f"der(a{i}) = -{self.tempo(2, 5)}*(a{i} - b{i}) + {self.number(0.01, 0.3)}*p{i};")
            self.equations.append(f"der(b{i}) = -{self.tempo(2, 5)}*(b{i} - a{i}) + 0.1*(T[{i}] - b{i});")
            self.say(f"Real p{i}(start = 0, fixed = true);",
                     f"der(p{i}) = {self.tempo(2, 3)}*((0.5 + 0.5*sin({self.tempo(1, 2.3)}*time))^"
                     f"{self.random.choice((1, 4, 20))} - p{i});")
            self.states += [f"a{i}", f"b{i}", f"p{i}"]
            self.inside[i - 1].append(f"0.1*b{i}")

    def text(self):
        outside = [f"q[{i + 1}] = {' + '.join(terms)};" for i, terms in enumerate(self.inside)]
        return ("model Tempos\n  " + "\n  ".join(self.declared) + "\nequation\n  " +
                "\n  ".join(outside + self.equations) +
                "\n  annotation(experiment(StopTime = 5));\nend Tempos;\n")


class Wrong(Exception):
    pass


def simulate(options, path, out, tolerance, rates, extra=()):
    levels, _, methods = rates.partition(":")
    command = [options.rubato, "simulate", path, "--tolerance", str(tolerance), "--rates", levels,
               "--intervals", "10", "--output", out, "--quiet", *extra]
    if methods:
        command += ["--method", methods]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout)
    except subprocess.TimeoutExpired:
        raise Wrong(f"rates {rates} at {tolerance}: no end in {options.timeout} s") from None
    if run.returncode:
        raise Wrong(f"rates {rates} at {tolerance}: exit {run.returncode}: {run.stderr.strip()[-400:]}")


def moments(path, states):
    """The last row at every tenth of the time: after events."""
    rows = {}
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            t = float(row["time"])
            if abs(2 * t - round(2 * t)) < 1e-9:
                rows[round(2 * t)] = [float(row[s]) for s in states]
    return rows


def distance(a, b, tolerance):
    if a.keys() != b.keys() or len(a) != 11:
        return float("inf")
    return max(abs(x - y) / (tolerance * (1 + abs(x))) for k in a for x, y in zip(a[k], b[k]))


def examine(options, model, folder, show):
    path = os.path.join(folder, "Tempos.mo")
    with open(path, "w") as f:
        f.write(model.text())

    def run(tolerance, rates, extra=(), out="x.csv"):
        out = os.path.join(folder, out)
        simulate(options, path, out, tolerance, rates, extra)
        return moments(out, model.states)

    tight = run(TIGHT, "1")
    one = distance(run(LOOSE, "1"), tight, LOOSE)
    found = [f"1 {one:.2g}"]
    for rates in options.rates.split():
        error = distance(run(LOOSE, rates, out="one.csv"), tight, LOOSE)
        found.append(f"{rates} {error:.2g}")
        if not error <= FAR * max(1.0, one):
            again = distance(run(TIGHT, rates), tight, LOOSE)
            found.append(f"(tight {again:.2g})")
            if not again <= 2.0:
                raise Wrong(f"rates {rates}: off by {error:.3g} tolerances, one rate by {one:.3g}")
        run(LOOSE, rates, ("--threads", "3,1"), "two.csv")
        if not filecmp.cmp(os.path.join(folder, "one.csv"), os.path.join(folder, "two.csv"), False):
            raise Wrong(f"rates {rates}: three threads differ from one")
        run(LOOSE, rates, ("--check-parts", "--stop", "1"))
    show(f"{len(model.states)} states: {', '.join(found)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rubato")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ties", action="store_true")
    parser.add_argument("--keep", default="tempos")
    parser.add_argument("--rates", default="auto 2 3:rodas4 3:radauIIA3,rodas4 2:esdirk4,tsit5")
    parser.add_argument("--timeout", type=float, default=60)
    options = parser.parse_args()
    wrong = 0
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_CACHE_HOME"] = folder  # each model is simulated here only
            model = Model(seed, options.ties)
            try:
                examine(options, model, folder, lambda text: print(f"{seed}: {text}", flush=True))
            except Wrong as why:
                wrong += 1
                os.makedirs(options.keep, exist_ok=True)
                kept = os.path.join(options.keep, f"tempos_{seed}.mo")
                with open(kept, "w") as f:
                    f.write(model.text())
                print(f"{seed}: WRONG {why} -> {kept}", flush=True)
    print(f"{options.count} models, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
