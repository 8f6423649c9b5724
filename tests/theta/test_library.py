#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The diode circuit with components of the Modelica Standard Library: certified values, without THETA, with it on the capacitance
and with --theta on the voltage of an unmodified capacitor. Left out where the MODELICAPATH
of tests/run.py leads to no such library."""
import csv
import os
import subprocess
import sys

RUBATO, WORK = os.path.join(os.environ["RUBATO_BUILD"], "rubato"), os.environ["TMPDIR"]
CIRCUIT = """
package Circuit
  model Static
    import A = Modelica.Electrical.Analog;
    A.Sources.ConstantCurrent source(I = 1);
    A.Basic.Capacitor C1(C = 1e-4, v(start = 0, fixed = true));
    A.Semiconductors.Diode D[4](each Ids = 1e-9, each Vt = 0.04, each Maxexp = 45, each R = 1e8);
    A.Basic.Resistor R1(R = 1000);
    A.Basic.Ground ground;
  equation
    connect(source.p, ground.p);
    connect(source.n, C1.p);
    connect(C1.n, ground.p);
    connect(D[1].p, C1.p);
    connect(D[2].n, C1.p);
    connect(D[2].p, D[1].n);
    connect(D[3].p, D[1].n);
    connect(D[4].p, D[3].n);
    connect(D[4].n, R1.p);
    connect(R1.n, ground.p);
  end Static;
  model Dynamic
    extends Static;
    parameter Real C = 1e-12;
    Modelica.Electrical.Analog.Basic.Capacitor Cn(C = C, v(start = 0));
  equation
    connect(Cn.p, R1.p);
    connect(Cn.n, ground.p);
  end Dynamic;
  model Theta
    extends Static;
    Modelica.Electrical.Analog.Basic.Capacitor Cn(C = 1e-12*Rubato.THETA, v(start = 0));
  equation
    connect(Cn.p, R1.p);
    connect(Cn.n, ground.p);
  end Theta;
end Circuit;
"""
VALUES = {1e-4: (0.9999995078, 0.0040267202), 1e-3: (9.9663869457, 8.0581241006), 5e-3: (48.8663176430, 46.7470861674),
          0.01: (95.3592912750, 93.1573152647), 0.015: (139.5877587857, 137.3392030708), 0.02: (181.6610514723, 179.3804491360),
          0.05: (394.3655848506, 391.9911748675), 0.1: (633.6123745151, 631.1808021676), 0.5: (995.7272083235, 993.2412302300),
          1: (1002.4412188325, 999.9544324016)}

libraries = [p for p in os.environ.get("RUBATO_LIBRARIES", "").split(":") if p and any(
    os.path.exists(os.path.join(p, n, "package.mo")) for n in (os.listdir(p) if os.path.isdir(p) else []) if n.startswith("Modelica"))]
if not libraries:
    print("no Modelica Standard Library in MODELICAPATH")
    sys.exit(77)
source, result = os.path.join(WORK, "Circuit.mo"), os.path.join(WORK, "r.csv")
with open(source, "w", encoding="utf-8") as f:
    f.write(CIRCUIT)
for model, options in (("Static", []), ("Theta", []), ("Dynamic", ["--theta", "Cn.v"]), ("Dynamic", [])):
    subprocess.run([RUBATO, "simulate", source, "--model", "Circuit." + model, "--library", libraries[0], "--stop", "1", "--interval", "1e-4", "--quiet",
                    "--tolerance", "1e-10", "--output", result, *options], check=True)
    with open(result, encoding="utf-8", newline="") as f:
        rows = {round(float(r["time"]), 9): r for r in csv.DictReader(f)}
    for t, (c1, r1) in VALUES.items():
        got = float(rows[t]["C1.v"]), float(rows[t]["R1.v"])
        takes = 1e-4 if model == "Dynamic" and not options and t == 1e-4 else 1e-7  # the capacitor takes part of the current
        assert abs(got[0]/c1 - 1) < 1e-7 and abs(got[1]/r1 - 1) < takes, (model, options, t, got)
