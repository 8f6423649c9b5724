#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is what delay and spatialDistribution give of fast signals right beside slow states?

  tools/delays.py RUBATO [--count N] [--seed S] [--keep DIR] [--timeout S] [--choices LIST]

Signals are sines from 1 Hz to 1 kHz, of time and of turning shafts, their products and sums. They are
delayed by constant and by changing times and carried by constant, changing and reversing flows; delayed by 1e-6 s or more they feed states, beside
states that move slowly and let steps grow. Each result is a known function of time. A model is simulated
with two of the solver choices at a tolerance from 1e-3 to 1e-9; no value may be wrong by more than 100
tolerances (states that libraries integrate: 1000). Exit status 1 and the model in DIR if one is, or if a run fails.
"""
import argparse
import bisect
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
STOP = 1.0
MOST = 100.0  # tolerances
SUMMED = 10.0  # times as much of states that CVODE and IDA integrate: they let errors of steps add up
NEAR = 1e-6  # of time: points so near to a jump are not compared
GRID = 4000  # points to look for the time at which a label entered


class Signal:
    """A function of time as Modelica text and as Python."""

    def __init__(self, text, value):
        self.text, self.value = text, value


class Flow:
    """A position x(t) as text, as function, and whether it moves to the right at t."""

    def __init__(self, text, forward, x, speed):
        self.text, self.forward, self.x, self.speed = text, forward, x, speed


class Model:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.declared, self.equations = [], []
        self.outputs = []  # name, function of time, times of jumps
        self.states = set()  # names of those that are states
        for k in range(self.random.randint(1, 2)):
            tau = self.random.uniform(3, 100)
            self.declared.append(f"Real x{k}(start = 0, fixed = true);")
            self.equations.append(f"{tau:.3f}*der(x{k}) = 1 - x{k};")
        for k in range(self.random.randint(1, 3)):
            self.random.choice((self.constant, self.changing, self.carried, self.carried, self.fed))(k)

    def number(self, low, high):
        return float(f"{self.random.uniform(low, high):.5g}")

    # ---- signals ----

    def sine(self):
        w = float(f"{2*math.pi*10**self.random.uniform(0, 3):.6g}")
        p = self.number(0, 6)
        if self.random.random() < 0.6:
            return Signal(f"sin({w!r}*time + {p!r})", lambda t: math.sin(w*t + p))
        k = len(self.declared)
        self.declared.append(f"Real phi{k}(start = {p!r}, fixed = true);")
        self.equations.append(f"der(phi{k}) = {w!r};")
        return Signal(f"sin(phi{k})", lambda t: math.sin(w*t + p))

    def signal(self):
        a = self.sine()
        kind = self.random.choice(("sine", "sine", "product", "sum"))
        if kind == "sine":
            return a
        b = self.sine()
        if kind == "product":
            return Signal(f"({a.text}*{b.text})", lambda t: a.value(t)*b.value(t))
        return Signal(f"(0.6*{a.text} + 0.4*{b.text})", lambda t: 0.6*a.value(t) + 0.4*b.value(t))

    # ---- delays ----

    def delayed(self, k, signal, text, delay):
        self.declared.append(f"Real y{k} = delay({signal.text}, {text});")
        self.outputs.append((f"y{k}", lambda t: signal.value(max(t - delay(t), 0.0)), []))

    def constant(self, k):
        d = float(f"{10**self.random.uniform(-2.5, -0.1):.5g}")
        self.delayed(k, self.signal(), repr(d), lambda t: d)

    def changing(self, k):
        most = self.number(0.05, 0.5)
        part, w = self.number(0.05, 0.8), self.number(0.5, 30)
        self.delayed(k, self.signal(), f"{most!r}*(1 - {part!r}*sin({w!r}*time)^2), {most!r}",
                     lambda t: most*(1 - part*math.sin(w*t)**2))

    def fed(self, k):
        """A state that integrates a delayed sine; the delay may be much shorter than any step."""
        d = float(f"{10**self.random.uniform(-6, -1):.5g}")
        w, p = float(f"{2*math.pi*10**self.random.uniform(0, 2.5):.6g}"), self.number(0, 6)
        self.states.add(f"y{k}")
        self.declared.append(f"Real y{k}(start = 0, fixed = true);")
        self.equations.append(f"der(y{k}) = delay(sin({w!r}*time + {p!r}), {d!r});")
        self.outputs.append((f"y{k}", lambda t: math.sin(p)*min(t, d) +
                             (math.cos(p) - math.cos(w*max(t - d, 0.0) + p))/w, []))

    # ---- transport ----

    def flow(self, k):
        v = float(f"{10**self.random.uniform(0.1, 1.5):.5g}")*self.random.choice((1, 1, -1))
        kind = self.random.choice(("state", "time", "changing", "reversing"))
        forward = "true" if v > 0 else "false"
        if kind == "state":
            self.declared.append(f"Real p{k}(start = 0, fixed = true);")
            self.equations.append(f"der(p{k}) = {v!r};")
            return Flow(f"p{k}", forward, lambda t: v*t, lambda t: v)
        if kind == "time":
            return Flow(f"{v!r}*time", forward, lambda t: v*t, lambda t: v)
        w = self.number(1, 12)
        if kind == "changing":
            a = self.number(0.1, 0.8)*abs(v)/w
            return Flow(f"({v!r}*time + {a!r}*sin({w!r}*time))", forward,
                        lambda t: v*t + a*math.sin(w*t), lambda t: v + a*w*math.cos(w*t))
        a = self.number(0.7, 3)
        return Flow(f"{a!r}*sin({w!r}*time)", f"cos({w!r}*time) > 0",
                    lambda t: a*math.sin(w*t), lambda t: a*w*math.cos(w*t))

    def carried(self, k):
        left, right, flow = self.signal(), self.signal(), self.flow(k)
        start = self.number(-1, 1)
        self.declared += [f"Real l{k}, r{k};"]
        self.equations.append(
            f"(l{k}, r{k}) = spatialDistribution({left.text}, {right.text}, {flow.text}, {flow.forward}, "
            f"{{0, 1}}, {{{start!r}, {start!r}}});")
        carrier = Carrier(left.value, right.value, flow, start)
        self.outputs.append((f"l{k}", lambda t: carrier.outlet(t, 0), carrier.jumps()))
        self.outputs.append((f"r{k}", lambda t: carrier.outlet(t, 1), carrier.jumps()))

    def text(self):
        lines = [*self.declared, "equation", *self.equations]
        return "model Random\n  " + "\n  ".join(lines) + \
            f"\n  annotation(experiment(StopTime = {STOP}));\nend Random;\n"


class Carrier:
    """What a distribution shows at its ends: what entered last with the label of the end."""

    def __init__(self, left, right, flow, start):
        self.left, self.right, self.flow, self.start = left, right, flow, start
        self.time = [STOP*i/GRID for i in range(GRID + 1)]
        turns = [self.zero(flow.speed, a, b) for a, b in zip(self.time, self.time[1:])
                 if flow.speed(a)*flow.speed(b) < 0]
        self.time = sorted(self.time + turns)  # what enters right before a turn leaves right after it
        self.x = [flow.x(t) for t in self.time]

    def passed(self, s, before, sign):
        """The last time before `before` at which x = s with this direction; None: never."""
        i = bisect.bisect_left(self.time, before) - 1
        high = before
        while i >= 0:
            low = self.time[i]
            a, b = self.x[i] - s, self.flow.x(high) - s
            if sign*a <= 0 < sign*b:
                for _ in range(60):
                    middle = 0.5*(low + high)
                    if sign*(self.flow.x(middle) - s) > 0:
                        high = middle
                    else:
                        low = middle
                return low
            high, i = low, i - 1
        return None

    def entered(self, s, before):
        """When and where the label s entered."""
        left = self.passed(s, before, 1)
        right = self.passed(s + 1, before, -1)
        if left is None and right is None:
            return None, None
        return (left, 0) if right is None or (left is not None and left > right) else (right, 1)

    def outlet(self, t, end):
        forth = self.flow.speed(t) > 0
        if forth == (end == 0):
            return (self.right if end else self.left)(t)
        when, side = self.entered(self.flow.x(t) - end, t)
        if when is None:
            return self.start
        return (self.right if side else self.left)(when)

    def jumps(self):
        """Times at which a jump may be seen: where the direction changes, and where what was there at the
        start, or at a change, arrives."""
        turns = [0.0] + [self.zero(self.flow.speed, a, b) for a, b in zip(self.time, self.time[1:])
                         if self.flow.speed(a)*self.flow.speed(b) <= 0]
        labels = {self.flow.x(t) - end for t in turns for end in (0, 1)}
        at = list(turns)
        for s in labels:
            for end in (0, 1):
                at += [self.zero(lambda t: self.flow.x(t) - end - s, a, b)
                       for a, b, p, q in zip(self.time, self.time[1:], self.x, self.x[1:])
                       if (p - end - s)*(q - end - s) <= 0]
        return sorted(at)

    @staticmethod
    def zero(f, low, high):
        positive = f(high) > 0
        for _ in range(60):
            middle = 0.5*(low + high)
            if (f(middle) > 0) == positive:
                high = middle
            else:
                low = middle
        return high


def rows_of(rubato, path, flags, timeout):
    result = path[:-3] + ".csv"
    command = [rubato, "simulate", path, "--output", result, "--quiet", "--variables", "[ylr][0-9]+", "--tier",
               "0", *flags]
    try:
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, "hangs"
    if run.returncode:
        return None, run.stdout.strip().split("\n")[0]
    with open(result) as f:
        return list(csv.DictReader(f)), ""


def worst_of(model, rows, library):
    """The largest error, where and of what."""
    worst = (0.0, 0.0, "")
    for name, expected, jumps in model.outputs:
        share = 1/SUMMED if library and name in model.states else 1.0
        for row in rows:
            t = float(row["time"])
            k = bisect.bisect_left(jumps, t - NEAR)
            if k < len(jumps) and jumps[k] <= t + NEAR:
                continue
            worst = max(worst, (share*abs(float(row[name]) - expected(t)), t, name))
    return worst


def main():
    args = argparse.ArgumentParser()
    args.add_argument("rubato")
    args.add_argument("--count", type=int, default=100)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--keep", default="build/delays")
    args.add_argument("--timeout", type=float, default=60)
    args.add_argument("--choices", help="separated by ;")
    options = args.parse_args()
    choices = options.choices.split(";") if options.choices is not None else CHOICES
    wrong = runs = 0
    most = 0.0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        path = os.path.join(folder, "Random.mo")
        for seed in range(options.seed, options.seed + options.count):
            model = Model(seed)
            with open(path, "w") as f:
                f.write(model.text())
            for choice in model.random.sample(choices, min(2, len(choices))):
                tolerance = model.random.choice(("1e-3", "1e-4", "1e-6", "1e-9"))
                flags = ["--tolerance", tolerance, "--intervals", str(model.random.randint(50, 300)),
                         *choice.split()]
                rows, why = rows_of(options.rubato, path, flags, options.timeout)
                runs += 1
                if rows:
                    error, t, name = worst_of(model, rows, "--solver" in choice)
                    error /= float(tolerance)
                    most = max(most, error)
                    if error <= MOST:
                        continue
                    why = f"{name} by {error:.3g} tolerances at {t:.9g}"
                wrong += 1
                os.makedirs(options.keep, exist_ok=True)
                kept = os.path.join(options.keep, f"delays_{seed}.mo")
                with open(kept, "w") as f:
                    f.write(model.text())
                print(f"{seed}: WRONG {why} with {' '.join(flags)} -> {kept}", flush=True)
    print(f"{options.count} models, {runs} runs, largest error {most:.3g} tolerances, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
