#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_theta_library.py RUBATO LIBRARY [RUNS]: infinitely fast processes in examples of the Modelica Standard Library.

For each example `rubato advise` says which states are parasitic. With its --theta the model runs with the method that is chosen
automatically, with the explicit method tsit5, and with CVODE; as it is, automatically and with CVODE: steps, the best wall time of
RUNS (3) runs in turn, both over the original's and over CVODE's on the original. The differences are those that advise finds outside of
fast transients, over the largest value of each state."""
import json
import os
import re
import subprocess
import sys
import tempfile

MODELS = [("Modelica.Electrical.Analog.Examples.DifferenceAmplifier", "electrical", "1"),
          ("Modelica.Electrical.Analog.Examples.AmplifierWithOpAmpDetailed", "electrical", None),
          ("Modelica.Electrical.Spice3.Examples.Spice3BenchmarkDifferentialPair", "electrical", "1"),
          ("Modelica.Electrical.Spice3.Examples.Nor", "electrical", "5"),
          ("ModelicaTest.Fluid.TestComponents.Machines.TestWaterPumpDCMotor", "fluid", None),
          ("Modelica.Mechanics.Translational.Examples.Vehicle", "drive train", None),
          ("Modelica.Electrical.Machines.Examples.DCMachines.DCPM_Drive", "drive train", None)]
WAYS = [("original", False, []), ("original, CVODE", False, ["--solver", "cvode"]), ("theta", True, []),
        ("theta, tsit5", True, ["--method", "tsit5"]), ("theta, CVODE", True, ["--solver", "cvode"])]


def stop_of(stop):
    return ["--stop", stop] if stop else []


def advice(rubato, library, model, stop):
    """Names for --theta and the largest difference; None: there are none."""
    p = subprocess.run([rubato, "advise", "--library", library, model, *stop_of(stop)], capture_output=True, text=True,
                       check=False)
    names = re.search(r"--theta '(.*)'", p.stdout)
    differences = re.search(r"largest value: (\S+) \(slow states\), (\S+) ", p.stdout)
    return (names[1], max(float(d) for d in differences.groups())) if names else None


def run(rubato, library, model, options, folder):
    """Statistics of one run; None: it failed."""
    stats = os.path.join(folder, "s.json")
    try:
        p = subprocess.run([rubato, "simulate", "--library", library, model, *options, "--intervals", "1", "--quiet", "--tier", "1",
                            "--stats", stats, "--output", os.path.join(folder, "r.mat")], stderr=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, check=False, timeout=120)
    except subprocess.TimeoutExpired:
        return None
    if p.returncode:
        return None
    with open(stats, encoding="utf-8") as f:
        return json.load(f)


def measure(rubato, library, folder, model, stop, names, runs):
    best = [None]*len(WAYS)
    for turn in range(runs):
        for k, (_, theta, more) in enumerate(WAYS):
            if turn and not best[k]:
                continue
            s = run(rubato, library, model, [*stop_of(stop), *(["--theta", names] if theta else []), *more], folder)
            if s and (not best[k] or s["time_simulate"] < best[k]["time_simulate"]):
                best[k] = s
    return best


def ratio(value, over):
    return f"{value/over:9.2f}" if over else f"{'-':>9}"


def main():
    rubato, library = sys.argv[1:3]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    print(f"{'':32} {'steps':>6} {'ms':>8} {'steps/own':>9} {'time/own':>9} {'time/CVODE':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for model, kind, stop in MODELS:
            found = advice(rubato, library, model, stop)
            print(f"{model} ({kind})" + (f", to {stop} s" if stop else ""))
            if not found:
                print("  advise names nothing")
                continue
            print(f"  --theta {found[0]}; differences {found[1]:.1e}")
            best = measure(rubato, library, folder, model, stop, found[0], runs)
            for (name, _, _), s in zip(WAYS, best):
                if not s:
                    print(f"  {name:30} {'fails':>6}")
                    continue
                own, cvode = best[0], best[1]
                print(f"  {name:30} {s['steps_accepted']:6} {1e3*s['time_simulate']:8.2f} "
                      f"{ratio(s['steps_accepted'], own and own['steps_accepted'])} "
                      f"{ratio(s['time_simulate'], own and own['time_simulate'])} "
                      f"{ratio(s['time_simulate'], cvode and cvode['time_simulate']):>10}", flush=True)


main()
