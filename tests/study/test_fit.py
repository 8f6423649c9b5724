#!/usr/bin/env python3
# long
"""rubato fit: known parameters are found again, with intervals, at bounds, and through events."""
import csv
import math
import os
import random
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
os.chdir(os.environ["TMPDIR"])


def fit(*words, model="Decay.mo", code=0):
    p = subprocess.run([RUBATO, "fit", os.path.join(HERE, model), *words], capture_output=True, text=True)
    assert p.returncode == code, (words, p.returncode, p.stdout, p.stderr)
    return p.stdout + p.stderr


def found(text):
    return {m.group(1): tuple(float(x) for x in m.groups()[1:])
            for m in re.finditer(r"^(\S+)\s+(\S+)\s+(\S+)\s+\[(\S+), (\S+)\]$", text, re.M)}


def write(name, header, rows):
    with open(name, "w", newline="", encoding="utf-8") as f:
        csv.writer(f).writerows([header, *rows])


# y = scale exp(-k t): the covariance of this problem is known, and so are the intervals
chance = random.Random(4)
NOISE, TRUE = 0.01, {"k": 1.3, "scale": 2.0}
times = [i/50 for i in range(51)]
data = [(t, TRUE["scale"]*math.exp(-TRUE["k"]*t) + chance.gauss(0, NOISE)) for t in times]
write("one.csv", ["time", "y"], data)
one = found(fit("--data", "one.csv", "--parameter", "k=0.5", "--parameter", "scale"))
rows = [(-TRUE["scale"]*t*math.exp(-TRUE["k"]*t)/NOISE, math.exp(-TRUE["k"]*t)/NOISE) for t in times]
a, b, c = sum(u*u for u, _ in rows), sum(u*v for u, v in rows), sum(v*v for _, v in rows)
for name, deviation in (("k", math.sqrt(c/(a*c - b*b))), ("scale", math.sqrt(a/(a*c - b*b)))):
    value, own, low, high = one[name]
    assert abs(own/deviation - 1) < 0.3, (name, own, deviation)  # the noise is estimated from 51 numbers
    assert low < TRUE[name] < high and abs((low + high)/2 - value) < 1e-6*abs(value), one[name]
    assert 2.2 < (high - low)/2/own < 2.4, one[name]  # of two together 97.5 % each, 49 degrees of freedom: 2.312
wide = found(fit("--data", "one.csv", "--parameter", "k=0.5", "--parameter", "scale", "--confidence", "0.999"))
assert wide["k"][3] - wide["k"][2] > 1.3*(one["k"][3] - one["k"][2])

# without noise the values themselves, on any number of threads; expressions and missing numbers
exact = [(t, TRUE["scale"]*math.exp(-TRUE["k"]*t)**2 + 1 if i % 3 else "", math.exp(-TRUE["k"]*t)) for i, t in enumerate(times)]
write("exact.csv", ["time", "scale*x[1]^2 + 1", "x[1]"], exact)
texts = [fit("--data", "exact.csv", "--parameter", "k=0.5", "--parameter", "scale=1", "--threads", n) for n in ("1", "3")]
assert texts[0] == texts[1]
for name, value in TRUE.items():
    assert abs(found(texts[0])[name][0] - value) < 1e-6, texts[0]
assert "34 measurements" in texts[0] and "51 measurements" in texts[0], texts[0]

# a bound that the measurements lie beyond; a parameter that they say nothing about
out = fit("--data", "one.csv", "--parameter", "k=0.5,0.1,1", "--parameter", "scale")
assert re.search(r"^k +1 at its bound$", out, re.M), out
out = fit("--data", "exact.csv", "--variables", "^x", "--parameter", "k=0.5", "--parameter", "scale")
assert re.search(r"^scale +1 not determined", out, re.M) and abs(float(re.search(r"^k +(\S+)", out, re.M).group(1)) - 1.3) < 1e-6, out

# three models with noise, few trials here: tools/fit_trials.py makes 100 of each
p = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "fit_trials.py"), RUBATO, "--trials", "2"], capture_output=True,
                   text=True)
assert p.returncode == 0 and p.stdout.count("2 times at 99 %") == 3, p.stdout + p.stderr

# another solver of the same equations, where it was built
p = subprocess.run([RUBATO, "fit", os.path.join(HERE, "Decay.mo"), "--data", "one.csv", "--parameter", "k=0.9", "--parameter", "scale",
                    "--optimizer", "kinsol"], capture_output=True, text=True)
if "no KINSOL" not in p.stderr:
    other = found(p.stdout)
    assert p.returncode == 0 and all(abs(a - b) < 1e-4*abs(b) for n in one for a, b in zip(other[n], one[n])), (p.stdout, p.stderr, one)
    assert "takes no bounds" in fit("--data", "one.csv", "--parameter", "k=0.5,0.1,1", "--optimizer", "kinsol", code=2)
assert "marquardt or kinsol" in fit("--data", "one.csv", "--parameter", "k", "--optimizer", "nlopt", code=2)

for words, text, code in (
        (("--parameter", "k"), "--data", 2),
        (("--data", "one.csv"), "no parameter", 2),
        (("--data", "none.csv", "--parameter", "k"), "No such file", 1),
        (("--data", "one.csv", "--parameter", "zz=1"), "zz", 2),
        (("--data", "one.csv", "--parameter", "k=1,2"), "this is not NAME", 2),
        (("--data", "one.csv", "--parameter", "k=1", "--confidence", "2"), "a probability", 2)):
    out = fit(*words, code=code)
    assert text in out, (words, out)
write("bad.csv", ["time", "nothing"], [(0, 1), (1, 2)])
assert "no variable 'nothing'" in fit("--data", "bad.csv", "--parameter", "k", code=1)
write("few.csv", ["time", "y"], [(0, 1)])
assert "do not determine" in fit("--data", "few.csv", "--parameter", "k", code=1)
