#!/usr/bin/env python3
"""simulate --profile: who limits the steps, what equations cost.

Counts are compared exactly: the evaluations of all lines together are those of the statistics, with one
rate and with several. Of times only this is asked: an equation with 2000 passes of a loop costs most."""
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
WORK = os.environ.get("TMPDIR", "/tmp")
MODEL = os.path.join(HERE, "input", "Costs.mo")


def run(*words):
    p = subprocess.run([RUBATO, "simulate", MODEL, "--output", "c.mat", "--stats", "c.json", *words],
                       capture_output=True, text=True, cwd=WORK)
    assert p.returncode == 0, p.stderr
    with open(os.path.join(WORK, "c.json")) as f:
        return p.stdout, json.load(f)


text, stats = run("--profile")
profile = stats["profile"]
limits = profile["limits"]
assert limits[0]["state"] == "fast.x" and limits[0]["line"] == 16 and limits[0]["file"].endswith("Costs.mo"), limits
assert sum(x["steps"] for x in limits) == stats["steps_accepted"], (limits, stats["steps_accepted"])
assert limits[0]["steps"] > 0.9 * stats["steps_accepted"], limits
lines = {x["line"]: x for x in profile["lines"]}
assert set(lines) == {18, 25, 26}, lines
assert sum(x["evaluated"] for x in lines.values()) == stats["rhs_rows"] and profile["unknown"] == 0, (lines, stats["rhs_rows"])
assert lines[18]["evaluated"] == 3 * lines[26]["evaluated"], lines  # both lags, and the sine they share
assert profile["lines"][0]["line"] == 25 and "busy(heavy.x)" in profile["lines"][0]["equation"], profile["lines"][0]
assert profile["lines"][0]["share"] > 0.9, profile["lines"][0]
parts = {x["component"]: x for x in profile["components"]}
assert set(parts) == {"", "fast", "slow", "heavy"} and profile["components"][0]["component"] == "heavy", parts
assert abs(sum(x["share"] for x in parts.values()) - 1) < 1e-3, parts
for words in ("Who limits the steps", "fast.x  Costs.mo:16", "by component", "heavy", "Costs.mo:25"):
    assert words in text, (words, text)

# With several rates the fast part is evaluated more often than the others.
_, stats = run("--profile", "--rates", "2", "--threads", "2,1")
lines = {x["line"]: x for x in stats["profile"]["lines"]}
assert sum(x["evaluated"] for x in lines.values()) == stats["rhs_rows"], (lines, stats["rhs_rows"])
assert lines[25]["evaluated"] == lines[26]["evaluated"] and lines[18]["evaluated"] > 4 * lines[26]["evaluated"], lines
parts = {x["component"]: x["evaluated"] for x in stats["profile"]["components"]}
assert parts["fast"] > 4 * parts["slow"], parts
assert sum(x["steps"] for x in stats["profile"]["limits"]) <= sum(x["steps"] for x in stats["levels"]), stats

# Without the option there is none.
_, stats = run()
assert "profile" not in stats, stats
