#!/usr/bin/env python3
# long
"""Scripts of the kind that tutorials show. Those in the folder mos say what they print, in this order, in comments
`// expect: TEXT`; short ones stand here."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
DECAY = """model Decay
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end Decay;
"""
PACKAGE = """package Pack
  model Half
    extends Decay(k = 0.5);
  end Half;
  model Broken
    Real x = y;
  end Broken;
end Pack;
"""
LIBRARY = "package Lib\n  constant Real two = 2;\n  model M\n    Real y = two*time;\n  end M;\nend Lib;\n"

# script, what the output contains, what it does not
CASES = [
    ('loadFile("Decay.mo");\n', ["true\n"], []),
    ('loadFile("Nowhere.mo"); getErrorString();', ["false\n", "No such file"], []),
    ('loadFile("Decay.mo"); simulate(Decay); val(x, 1.0);', ['Decay_res.mat"', "\n0.3678"], []),
    ('loadFile("Decay.mo"); simulate(Decay, stopTime=2.0); val(x, 2);', ["\n0.1353"], []),
    ('loadFile("Decay.mo"); simulate(Decay, startTime=0, stopTime=2, numberOfIntervals=4, tolerance=1e-9, '
     'outputFormat="csv"); val(x, 2, "Decay_res.csv");', ["Decay_res.csv", ", 5 points", "\n0.135335283"], []),
    ('loadFile("Decay.mo");\nsimulate(Decay, simflags="-override=k=2 -stopTime=1");\nval(x, 1);', ["\n0.1353"], []),
    ('loadFile("Decay.mo"); simulate(Decay, fileNamePrefix="run1"); val(k, 0, "run1_res.mat");', ["run1_res.mat", "\n1\n"], []),
    ('loadFile("Decay.mo"); simulate(Decay, method="rungekutta", stepSize=0.1); val(x, 1);', ["\n0.3678"], []),
    ('loadFile("Decay.mo"); simulate(Decay, variableFilter="x"); val(k, 0); getErrorString();',
     ["fail()", "val(k): the result has no such variable"], []),
    ('loadFile("Decay.mo"); checkModel(Decay); getErrorString();', ['"1 equation', '1 state: x\n"', '""'], []),
    ('loadFile("Decay.mo"); loadFile("Pack.mo"); simulate(Pack.Half, stopTime=2); val(x, 2);', ["\n0.3678"], []),
    ('loadFile("Decay.mo"); loadFile("Pack.mo"); r := simulate(Pack.Broken); getErrorString();',
     ['resultFile = ""', "F100"], []),
    ('setModelicaPath("libs"); loadModel(Lib); simulate(Lib.M); val(y, 1);', ["true\ntrue\n", "\n2\n"], []),
    ('loadModel(Absent); getErrorString();', ["false\n", "no library has 'Absent'"], []),
    ('loadString("model S Real z = 3*time; end S;"); simulate(S); val(z, 0.5);', ["true\n", "\n1.5\n"], []),
    ('loadFile("Decay.mo"); instantiateModel(Decay);', ['"model Decay', "der(x) = -k*x;"], []),
    ('loadFile("Decay.mo"); simulate(Decay); plot({x, k});', ["\u2524", "            x\n", "            k\n"], []),
    ('/* first */ loadFile("Decay.mo"); // second\nsimulate(Decay);\n\nprint("end of it\\n");\n', ["end of it\n"], []),
    ('a := 5; a; b := "text"; b; getVersion();', ["5\n5\n", '"text"\n"text"\n', '"Rubato 0.2.0'], []),
    ('loadFile("Decay.mo"); clear(); simulate(Decay); getErrorString();', ["there is no class 'Decay'"], []),
    ('setCommandLineOptions("-d=newInst"); loadFile("Decay.mo"); simulate(Decay); simulate(Decay, fileNamePrefix="b");\n'
     'compareSimulationResults("Decay_res.mat", "b_res.mat");', ["true\ntrue\n", "SimulationResult;\ntrue\n"], []),
    ('print("one\\n"); quit(3); print("two\\n");', ["one\n"], ["two"]),
]

failed = 0
HERE = os.path.dirname(os.path.abspath(__file__))
scripts = sorted(glob.glob(os.path.join(HERE, "mos", "*.mos")))
assert len(scripts) >= 20
for path in scripts:
    with tempfile.TemporaryDirectory() as work:
        os.mkdir(os.path.join(work, "libs"))
        with open(os.path.join(work, "libs", "Lib.mo"), "w") as f:
            f.write(LIBRARY)
        shutil.copy(os.path.join(HERE, "mos", "Models.mo"), work)
        with open(path) as f:
            wanted = re.findall(r"^// expect: (.*)$", f.read(), re.M)
        p = subprocess.run([RUBATO, "run", path], cwd=work, capture_output=True, text=True,
                           env=dict(os.environ, COLUMNS="60", TMPDIR=work))
        at, missing = 0, []
        for text in wanted:  # one after the other
            found = p.stdout.find(text, at)
            missing += [text] if found < 0 else []
            at = found + len(text) if found >= 0 else at
        if missing or not wanted or p.returncode or p.stderr or os.path.exists(os.path.join(work, "made_by_script")):
            failed += 1
            print(f"{os.path.basename(path)}: missing {missing}, status {p.returncode}\n{p.stdout}{p.stderr}")

for number, (script, wanted, unwanted) in enumerate(CASES, 1):
    with tempfile.TemporaryDirectory() as work:
        os.mkdir(os.path.join(work, "libs"))
        for name, text in (("Decay.mo", DECAY), ("Pack.mo", PACKAGE), ("libs/Lib.mo", LIBRARY), ("test.mos", script)):
            with open(os.path.join(work, name), "w") as f:
                f.write(text)
        p = subprocess.run([RUBATO, "run", "test.mos"], cwd=work, capture_output=True, text=True,
                           env=dict(os.environ, COLUMNS="60", TMPDIR=work))
        status = 3 if "quit(3)" in script else 0
        wrong = [w for w in wanted if w not in p.stdout] + [w for w in unwanted if w in p.stdout]
        left = [n for n in os.listdir(work) if n.startswith("rubato-")]
        if wrong or p.returncode != status or left:
            failed += 1
            print(f"script {number}: {script}\nwrong: {wrong} {left}, status {p.returncode}\n{p.stdout}{p.stderr}")

with tempfile.TemporaryDirectory() as work:
    for script, words in (("simulat(M);", "test.mos:1: error: there is no function 'simulat' here; did you mean 'simulate'?"),
                          ("\nprint(\"a\"", "test.mos:2:10: error P105: expected ')'"),
                          ("x := 1;\ny := x + \"a\";", "test.mos:2: error: these values cannot be combined"),
                          ("a := {1, 2};\na[3];", "test.mos:2: error: there is no element with this subscript")):
        with open(os.path.join(work, "test.mos"), "w") as f:
            f.write(script)
        p = subprocess.run([RUBATO, "run", "test.mos"], cwd=work, capture_output=True, text=True)
        if p.returncode != 1 or words not in p.stderr:
            failed += 1
            print(f"{script!r}: {p.returncode} {p.stderr}")
# what the user guide promises is there
ROOT = os.path.dirname(os.path.dirname(HERE))
with open(os.path.join(ROOT, "docs", "guide.md")) as f:
    promised = re.findall(r"`([a-zA-Z]+)\b", "".join(re.findall(r"^\| (`.*?) \|", f.read().split("## Scripting\n")[1], re.M)))
named = os.path.join(os.environ["TMPDIR"], "named.mos")
for name in promised:
    with open(named, "w") as f:
        f.write(f"{name}x();")
    p = subprocess.run([RUBATO, "run", named], capture_output=True, text=True)
    if f"did you mean '{name}'?" not in p.stderr:
        failed += 1
        print(f"the guide promises {name}: {p.stderr}")
os.remove(named)
assert len(promised) > 20
sys.exit(1 if failed else 0)
