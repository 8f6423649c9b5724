#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_robot_library.py RUBATO LIBRARY [RUNS]: the robot of the Modelica Standard Library in partitions.

LIBRARY is a folder with the Modelica Standard Library. Its robot is not changed: a model that extends it takes the
connections at the six joints away and puts force/displacement couplings there. The gears of the last three joints are
rigid; between two inertias nothing can be cut, so they get a stiff spring. The arm gets its angles at the start. Drives and control are a partition with the
implicit Euler method, the arm is one with the midpoint method, both every 0.8 ms. Compared with IDA at 1e-4 on the
robot as it is; errors and times as in bench_robot.py, over 1.8 s. Also how much of the error is that of the springs:
the same robot with springs and couplings at 0.1 ms."""
import csv
import math
import os
import resource
import subprocess
import sys
import tempfile

ROBOT = "Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.FullRobot"
GRID, STOP = 8e-4, 1.8
AXES = range(1, 7)
PARTS = f"""model Parts
  extends {ROBOT}({", ".join(f"break connect(axis{k}.flange, mechanics.axis{k})" for k in AXES)},
    mechanics({", ".join(f"r{k}(phi(start = startAngle{k}*Modelica.Constants.pi/180))" for k in AXES)}));
  parameter Integer factor = 1 "Steps in 0.8 ms";
  Rubato.Multirate.RotationalForceDisp cut[6](each factor = 1);
  Modelica.Mechanics.Rotational.Components.SpringDamper spring[3](c = {{2e4, 2e4, 5e3}}, d = {{60, 60, 15}});
  Clock base = Clock(8, 10000*factor);
  Rubato.Multirate.RotationalClock drives(c = Clock(base, "ImplicitEuler"));
  Rubato.Multirate.RotationalClock arm(c = Clock(base, "ExplicitMidPoint2"));
equation
  connect(drives.flange, axis1.flange);
  connect(arm.flange, mechanics.axis1);
{"".join(f"  connect(axis{k}.flange, cut[{k}].fast);" + chr(10) for k in (1, 2, 3))}
{"".join(f"  connect(axis{k}.flange, spring[{k - 3}].flange_a);" + chr(10) for k in (4, 5, 6))}
{"".join(f"  connect(spring[{k - 3}].flange_b, cut[{k}].fast);" + chr(10) for k in (4, 5, 6))}
{"".join(f"  connect(cut[{k}].slow, mechanics.axis{k});" + chr(10) for k in AXES)}
end Parts;
"""


def run(rubato, library, folder, target, *options, stop=STOP):
    """Processor time, and the place of the load by tick."""
    out = os.path.join(folder, "r.csv")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    p = subprocess.run([rubato, "simulate", target, "--library", library, "--stop", str(stop), "--interval", str(GRID),
                        "--variables", r"^mechanics\.load\.r_0", "--quiet", "--tier", "1", "--output", out, *options],
                       capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if p.returncode:
        sys.exit(p.stderr[-2000:])
    place = {}
    with open(out, encoding="utf-8") as f:
        for row in csv.DictReader(f):
            tick = round(float(row["time"])/GRID)
            if abs(float(row["time"]) - tick*GRID) < 1e-9:
                place[tick] = [float(row[f"mechanics.load.r_0[{k}]"]) for k in (1, 2, 3)]
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, place


def errors(place, reference):
    e = [math.dist(place[k], r)/math.hypot(*r) for k, r in reference.items() if k in place]
    return math.sqrt(sum(x*x for x in e)*GRID), max(e)


def main():
    rubato, library = sys.argv[1:3]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    with tempfile.TemporaryDirectory() as folder:
        parts = os.path.join(folder, "Parts.mo")
        with open(parts, "w", encoding="utf-8") as f:
            f.write(PARTS)
        cases = [("IDA 1e-4", [ROBOT, "--solver", "ida", "--tolerance", "1e-4"]), ("partitions 0.0008", [parts]),
                 ("partitions 0.0001", [parts, "--set", "factor=8"])]
        _, reference = run(rubato, library, folder, ROBOT, "--tolerance", "1e-8")
        best, error = {}, {}
        for name, command in cases:
            run(rubato, library, folder, *command, stop=2*GRID)
        for _ in range(runs):
            for name, command in cases:
                start, _ = run(rubato, library, folder, *command, stop=2*GRID)
                time, place = run(rubato, library, folder, *command)
                best[name] = min(best.get(name, math.inf), time - start)
                error[name] = errors(place, reference)
    print(f"{'method, step':24} {'ms':>8} {'over partitions':>15} {'E2':>9} {'Einf':>9}")
    for name, _ in cases:
        print(f"{name:24} {1e3*best[name]:8.1f} {best[name]/best['partitions 0.0008']:15.2f} {error[name][0]:9.2g} "
              f"{error[name][1]:9.2g}")


main()
