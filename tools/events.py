#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do events of fast functions beside slow states happen as often as they should?

  tools/events.py RUBATO [--count N] [--seed S] [--keep DIR] [--timeout S] [--choices LIST]

Each model counts how often some functions rise through a border: sines of time and of turning
shafts, their products, sums and compositions, also as variables, with speeds over three decades, beside states that
move slowly and let steps grow. The counts are known: the functions are known functions of time, and
a model is only used if its counts do not depend on rounding (no extremum near the border, no
crossing near the end). Each is simulated with some of the solver choices at a random tolerance. Exit
status 1 and the model in DIR if a count differs or a run fails.
"""
import argparse
import csv
import math
import os
import random
import subprocess
import sys
import tempfile

CHOICES = ["", "--rates auto", "--rates 2", "--method rodas5p", "--method radauIIA3",
           "--method esdirk4", "--method dopri5", "--method verner7", "--method gauss3",
           "--solver cvode", "--solver ida"]
POINTS = 40  # per radian of the fastest function, to count by
STOP = 10.0
NEAR = 0.02  # of the movement: extrema nearer to the border are not used


class Function:
    """A function of time as Modelica text and as Python, and the fastest speed in it."""

    def __init__(self, text, value, speed):
        self.text, self.value, self.speed = text, value, speed


class Model:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.declared, self.equations, self.conditions = [], [], []
        for k in range(self.random.randint(1, 2)):
            tau = self.random.uniform(3, 100)
            self.declared.append(f"Real x{k}(start = 0, fixed = true);")
            self.equations.append(f"{tau:.3f}*der(x{k}) = 1 - x{k};")
        while len(self.conditions) < self.random.randint(1, 3):
            self.condition()

    def speed(self):
        return float(f"{10 ** self.random.uniform(-0.5, 1.9):.5g}")

    def shaft(self, w):
        """The angle w t + p, of time or of a state."""
        p = round(self.random.uniform(0, 6), 4)
        if self.random.random() < 0.5:
            return Function(f"({w!r}*time + {p!r})", lambda t: w * t + p, w)
        k = len(self.declared)
        self.declared.append(f"Real phi{k}(start = {p!r}, fixed = true);")
        self.equations.append(f"der(phi{k}) = {w!r};")
        return Function(f"phi{k}", lambda t: w * t + p, w)

    def sine(self):
        angle = self.shaft(self.speed())
        return Function(f"sin({angle.text})", lambda t: math.sin(angle.value(t)), angle.speed)

    def function(self):
        kind = self.random.choice(("sine", "sine", "product", "sum", "nested", "exp"))
        a = self.sine()
        if kind == "sine":
            return a
        if kind == "exp":
            return Function(f"exp(2*{a.text})/5", lambda t: math.exp(2 * a.value(t)) / 5, 3 * a.speed)
        if kind == "nested":
            s = round(self.random.uniform(1, 6), 3)
            return Function(f"sin({s!r}*{a.text})", lambda t: math.sin(s * a.value(t)), s * a.speed)
        b = self.sine()
        if kind == "product":
            return Function(f"({a.text}*{b.text})", lambda t: a.value(t) * b.value(t), a.speed + b.speed)
        return Function(f"(0.6*{a.text} + 0.4*{b.text})", lambda t: 0.6 * a.value(t) + 0.4 * b.value(t),
                        max(a.speed, b.speed))

    def through_variables(self, f):
        """The same as a variable, perhaps of another one, now and then."""
        text = f.text
        for _ in range(self.random.choice((0, 0, 0, 1, 2))):
            name = f"v{len(self.declared)}"
            self.declared.append(f"Real {name};")
            self.equations.append(self.random.choice((f"{name} = {text};", f"2*{name} + {text} = 3*{name};")))
            text = name
        return Function(text, f.value, f.speed)

    def condition(self):
        declared, equations = len(self.declared), len(self.equations)
        f = self.through_variables(self.function())
        border = round(self.random.uniform(-0.8, 0.9), 3)
        count = self.count(f, border)
        if count is None:  # it depends on rounding
            del self.declared[declared:], self.equations[equations:]
            return
        k = len(self.conditions)
        self.declared.append(f"discrete Integer n{k}(start = 0, fixed = true);")
        self.equations.append(f"when {f.text} > {border!r} then n{k} = pre(n{k}) + 1; end when;")
        self.conditions.append(count)

    @staticmethod
    def count(f, border):
        n = max(400, int(POINTS * STOP * f.speed))
        z = [f.value(STOP * i / n) - border for i in range(n + 1)]
        near = NEAR * (max(z) - min(z))
        if near < 1e-3 or min(abs(v) for v in z[-n // 200:] + z[:n // 200]) < near:
            return None
        for a, b, c in zip(z, z[1:], z[2:]):
            if (b - a) * (c - b) <= 0 and abs(b) < near:
                return None
        return sum(a <= 0 < b for a, b in zip(z, z[1:]))

    def text(self):
        lines = [*self.declared, "equation", *self.equations]
        return "model Random\n  " + "\n  ".join(lines) + \
            f"\n  annotation(experiment(StopTime = {STOP}));\nend Random;\n"


def counts_of(rubato, path, flags, timeout):
    """What the run counted, and how it ended if it did not."""
    result = path[:-3] + ".csv"
    command = [rubato, "simulate", path, "--output", result, "--intervals", "2", "--quiet",
               "--variables", "n[0-9]+", "--tier", "0", *flags]
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, "hangs"
    if run.returncode:
        return None, run.stdout.strip().split("\n")[0]
    with open(result) as f:
        rows = list(csv.DictReader(f))
    return [int(float(rows[-1][f"n{k}"])) for k in range(len(rows[-1]) - 1)], ""


def main():
    args = argparse.ArgumentParser()
    args.add_argument("rubato")
    args.add_argument("--count", type=int, default=100)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--keep", default="build/events")
    args.add_argument("--timeout", type=float, default=60)
    args.add_argument("--choices", help="separated by ;")
    options = args.parse_args()
    choices = options.choices.split(";") if options.choices is not None else CHOICES
    wrong = events = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        path = os.path.join(folder, "Random.mo")
        for seed in range(options.seed, options.seed + options.count):
            model = Model(seed)
            with open(path, "w") as f:
                f.write(model.text())
            events += sum(model.conditions)
            for choice in model.random.sample(choices, min(2, len(choices))):
                tolerance = model.random.choice(("1e-3", "1e-4", "1e-6", "1e-9"))
                flags = ["--tolerance", tolerance, *choice.split()]
                counts, why = counts_of(options.rubato, path, flags, options.timeout)
                if counts == model.conditions:
                    continue
                wrong += 1
                os.makedirs(options.keep, exist_ok=True)
                kept = os.path.join(options.keep, f"events_{seed}.mo")
                with open(kept, "w") as f:
                    f.write(model.text())
                print(f"{seed}: WRONG {counts} instead of {model.conditions} {why} with "
                      f"{' '.join(flags)} -> {kept}", flush=True)
    print(f"{options.count} models, {events} events, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
