#!/usr/bin/env python3
"""Translation time and memory of scalable models, phase by phase.

  tools/scale.py RUBATO --library DIR... [--sizes 1000,10000,...] [--model NAME]

The models are classes of the ScalableTestSuite, found in the libraries, with another size N. For
each the table shows the scalar equations, the time of each pass and the peak of memory after it,
the bytes of generated C, and time and memory per million equations.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

SUITE = "ScalableTestSuite."
MODELS = {
    "CascadedFirstOrder": "Elementary.SimpleODE.Models.CascadedFirstOrder(N = {n})",
    "OneDHeatTransferTI_FD": "Thermal.HeatConduction.Models.OneDHeatTransferTI_FD(L = 0.2, N = {n}, "
                             "T0 = 273.15, TN = 330, cp = 910, lambda = 237, rho = 2712)",
    "OneDHeatTransferTI_Modelica": "Thermal.HeatConduction.Models.OneDHeatTransferTI_Modelica("
                                   "L = 0.2, N = {n}, T0 = 273.15, TN = 330, cp = 910, lambda = 237,"
                                   " rho = 2712, A = 1)",
    "HarmonicOscillator": "Mechanical.HarmonicOscillator.Models.HarmonicOscillator(N = {n})",
    "HeatingSystem": "Thermal.DistrictHeating.Models.HeatingSystem(N = {n})",
}
PASSES = {"parse": ["parse"], "flatten": ["instantiate", "connect", "flatten"], "rows": ["rows"],
          "structure": ["aliases", "index", "states", "match", "order", "tear", "bindings", "start",
                        "schedule", "needs", "homes", "fuse"],
          "compile": ["emit", "tables", "patterns", "readers", "locality", "freeze", "compile"]}


def measure(options, text, folder):
    path = os.path.join(folder, "Scaled.mo")
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"model Scaled\n  extends {SUITE}{text};\nend Scaled;\n")
    command = [options.rubato, "simulate", path, "--stop-after", "compile", "--timing", "--dump",
               "compile", "--quiet", "--no-cache"]
    for library in options.library:
        command += ["--library", os.path.abspath(library)]
    env = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"))
    try:
        p = subprocess.run(command, capture_output=True, text=True, errors="replace",
                           timeout=options.timeout, env=env)
    except subprocess.TimeoutExpired:
        return None, "time limit"
    found = {m[0]: (float(m[1]), float(m[2])) for m in
             re.findall(r"^(\w+) +([\d.]+) ms +([\d.]+) MB", p.stderr, re.M)}
    if p.returncode or "compile" not in found:
        return None, p.stderr.strip().split("\n")[0][:100] or f"exit status {p.returncode}"
    columns = {c: (sum(found[k][0] for k in PASSES[c] if k in found), max(found[k][1] for k in PASSES[c] if k in found))
               for c in PASSES}
    return columns, len(p.stdout)


def equations(options, text, folder):
    path = os.path.join(folder, "Scaled.mo")
    command = [options.rubato, "check", path]
    for library in options.library:
        command += ["--library", os.path.abspath(library)]
    p = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout)
    m = re.match(r"(\d+) equations", p.stdout)
    return int(m.group(1)) if m else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rubato")
    parser.add_argument("--library", action="append", required=True)
    parser.add_argument("--sizes", default="1000,10000,100000,1000000")
    parser.add_argument("--model", default="")
    parser.add_argument("--timeout", type=float, default=120)
    options = parser.parse_args()
    options.rubato = os.path.abspath(options.rubato)
    print(f"{'model':28}{'N':>9}{'equations':>11}" +
          "".join(f"{p + ' s':>12}{'MB':>7}" for p in PASSES) +
          f"{'total s':>9}{'C bytes':>9}{'s/1e6':>8}{'MB/1e6':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in MODELS.items():
            if options.model not in name:
                continue
            for n in (int(x) for x in options.sizes.split(",")):
                found, size = measure(options, text.format(n=n), folder)
                if not found:
                    print(f"{name:28}{n:9}  {size}", flush=True)
                    continue
                count = equations(options, text, folder)
                total = sum(found[p][0] for p in PASSES)/1e3
                base = found["parse"][1]
                print(f"{name:28}{n:9}{count:11}" +
                      "".join(f"{found[p][0]/1e3:12.3f}{found[p][1]:7.0f}" for p in PASSES) +
                      f"{total:9.3f}{size:9}{total*1e6/max(count, 1):8.2f}"
                      f"{(found['compile'][1] - base)*1e6/max(count, 1):8.0f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
