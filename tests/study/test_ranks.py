#!/usr/bin/env python3
"""rubato sweep under mpirun: the same bytes as one process, also after the death of a rank. rubato simulate --components:
families of components, shared out; rubato simulate: one model, in parts."""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ["RUBATO_BUILD"]
RUBATO = os.path.join(BUILD, "rubato")
if not shutil.which("mpirun") or not os.path.exists(os.path.join(BUILD, "librubato_mpi.so")) \
        or not os.path.exists("/proc/self/exe"):
    print("left out: there is no MPI, or ranks do not find their program without /proc")
    sys.exit(77)
os.chdir(os.environ["TMPDIR"])
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0",  # MPI itself leaks
           OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
           OMPI_MCA_btl_vader_single_copy_mechanism="none", TMPDIR="/tmp")
MPIRUN = ["mpirun", "-n", "4", "--oversubscribe", RUBATO, "sweep"]


def same(a, b, *endings):
    for ending in endings:
        with open(a + ending, "rb") as f, open(b + ending, "rb") as g:
            assert f.read() == g.read(), (a, b, ending)


# samples, trajectories, failing cases, values that shape the model: all of it on four processes
DECAY = os.path.join(HERE, "Decay.mo")
for name, words in (("samples", ["--sample", "lhs:200:3", "--normal", "k=1,0.1", "--uniform", "scale=-0.1,2", "--keep", "y",
                                 "--trajectories", "^y$", "--intervals", "20"]),
                    ("shapes", ["--vary", "n=1:3", "--vary", "k=lin(1,2,20)", "--keep", "y"])):
    subprocess.run([RUBATO, "sweep", DECAY, *words, "--output", name, "--quiet"], check=True, capture_output=True)
    p = subprocess.run([*MPIRUN, DECAY, *words, "--output", name + "4"], env=ENV, capture_output=True, text=True)
    assert p.returncode == 0, p.stdout + p.stderr
    same(name, name + "4", ".csv", ".mat", *(["_trajectories.csv"] if name == "samples" else []))
    m = re.search(r"^4 processes: (\d+) bytes to all, (\d+) bytes of cases given out, (\d+) bytes of records", p.stdout, re.M)
    assert m and int(m.group(1)) > 1000 and int(m.group(3)) > 0, p.stdout
assert "failed" in open("samples.csv", encoding="utf-8").read()

# families: every process steps a part of the instances, the result has the same bytes; nothing is sent in a step
CRABS = ["simulate", "Rubato.Planar.Examples.CraneCrabs", "--components", "--set", "N=1000", "--stop", "1", "--interval", "0.5",
         "--fixed-step", "0.01", "--instances", "1,300,700,1000"]
DIFFER = ["simulate", os.path.join(HERE, "..", "rubato", "crabs_differ.mo"), "--model", "Fleet", "--components", "--instances",
          "1,2,3", "--interval", "0.1"]
# 18 looks at the states of an instance, 32 bytes each; none of them in a step
for name, words, sent in (("crabs", CRABS, 32 * 18), ("differ", [*DIFFER, "--fixed-step", "0.1"], None)):
    subprocess.run([RUBATO, *words, "--output", name + ".csv"], check=True, capture_output=True)
    p = subprocess.run([*MPIRUN[:-1], *words, "--output", name + "4.csv"], env=ENV, capture_output=True, text=True)
    assert p.returncode == 0, p.stdout + p.stderr
    same(name, name + "4", ".csv")
    m = re.search(r"then values (\d+) bytes to all", p.stdout)
    assert m and (not sent or int(m.group(1)) == sent), p.stdout
p = subprocess.run([*MPIRUN[:-1], *DIFFER], env=ENV, capture_output=True, text=True, timeout=60)
assert p.returncode != 0 and p.stderr.count("are shared out to processes") == 1, p.stderr

# one model: states with neighbours on other processes, the same steps, the same values but for the order of sums
def rows(name):
    with open(name, encoding="utf-8") as f:
        return [[float(x) for x in line.split(",")] for line in f.readlines()[1:]]


def both(ranks, words, alone=()):
    """A model on one process and on several: their statistics, the points of both, what was printed."""
    subprocess.run([RUBATO, *words, *alone, "--output", "one.csv", "--stats", "one.json"], check=True, capture_output=True)
    p = subprocess.run(["mpirun", "-n", str(ranks), "--oversubscribe", RUBATO, *words, "--output", "many.csv", "--stats", "many.json"],
                       env=ENV, capture_output=True, text=True, timeout=100)
    assert p.returncode == 0, p.stdout + p.stderr
    told = [json.load(open(n, encoding="utf-8")) for n in ("one.json", "many.json")]
    return *told, rows("one.csv"), rows("many.csv"), p.stdout


def apart(a, b):
    assert len(a) == len(b) == 8 and len(a[0]) == len(b[0]) > 20
    return max(abs(x - y) / max(1, abs(x)) for r, s in zip(a, b) for x, y in zip(r, s))


MODELS = os.path.join(HERE, "..", "..")
for model, words, most in (
        ("examples/HeatedRod.mo", ["--set", "N=200", "--stop", "20"], 6),
        ("examples/HeatedRod.mo", ["--set", "N=200", "--stop", "1", "--method", "rk4", "--fixed-step", "0.01"], 6),
        ("bench/spread/HeatGrid.mo", ["--set", "N=30", "--stop", "20", "--method", "rkc2"], 6 * 30),
        ("tests/study/Waves.mo", ["--set", "N=40"], 3 * 2 * 2)):
    words = ["simulate", os.path.join(MODELS, model), *words, "--intervals", "7"]
    method = [] if "--method" in words else ["--method", "dopri5"]
    alone, spread, a, b, printed = both(4, words + method)
    for count in ("steps_accepted", "steps_rejected", "rhs_calls"):
        assert alone[count] == spread[count], (model, count, alone[count], spread[count])
    assert spread["processes"] == 4 and 0 < spread["halo_values"] <= most, spread
    assert spread["rhs_rows"] < 0.32 * alone["rhs_rows"], (alone["rhs_rows"], spread["rhs_rows"])
    assert apart(a, b) <= (0 if "--fixed-step" in words else 1e-9), model
    m = re.search(r"(\d+) bytes from one to another", printed)  # the halo for each evaluation, states for each point
    assert m and int(m.group(1)) > 8 * spread["halo_values"] * spread["rhs_calls"], printed

# implicit methods: matrices are factored part by part, and all that is counted is as on one process. With a rod of N cells
# every part but the last has a coupling state; those of branches meet in few, of a plate along the cuts. Time derivatives of
# Rosenbrock methods are differences, which show rounding in the solutions of nonlinear equations
ROD, PLATE, TREE = "examples/HeatedRod.mo", "bench/spread/HeatGrid.mo", "tests/study/Branches.mo"
for ranks, model, words, coupling, most in (
        (2, ROD, ["--set", "N=200", "--stop", "20", "--method", "radauIIA5"], (1, 1), 1e-12),
        (4, ROD, ["--set", "N=200", "--stop", "20"], (3, 3), 1e-12),
        (3, ROD, ["--set", "N=200", "--stop", "20", "--method", "rodas5p"], (2, 2), 1e-12),
        (4, ROD, ["--set", "N=200", "--stop", "20", "--method", "sdirk4", "--fixed-step", "0.5"], (3, 3), 1e-12),
        (2, TREE, [], (1, 1), 1e-10),
        (3, TREE, ["--method", "esdirk4"], (1, 1), 1e-10),
        (4, TREE, ["--method", "gauss2"], (3, 3), 1e-10),
        (4, TREE, ["--method", "rodas4"], (3, 3), 1e-6),
        (4, PLATE, ["--set", "N=30", "--stop", "300", "--method", "radauIIA3"], (40, 70), 1e-11),
        (4, "tests/study/Waves.mo", ["--method", "lobattoIIIC3"], (2, 8), 1e-11)):
    words = ["simulate", os.path.join(MODELS, model), *words, "--intervals", "7"]
    alone, spread, a, b, printed = both(ranks, words)
    for count in ("steps_accepted", "steps_rejected", "rhs_calls", "jacobians", "solves", "newton_iterations"):
        assert alone[count] == spread[count], (words, count, alone[count], spread[count])
    assert spread["processes"] == ranks and coupling[0] <= spread["coupling_states"] <= coupling[1], spread
    assert spread["solves"] > 0 and spread["jacobians_differenced"] == 0, spread
    assert spread["coupling_entries"] >= spread["coupling_states"] and spread["factor_entries"] < 0.8 * alone["factor_entries"], spread
    assert spread["rows_most"] < 1.3 / ranks * alone["rhs_rows"], (alone["rhs_rows"], spread["rows_most"])
    assert apart(a, b) <= most, (words, apart(a, b))
    # sums: entries of the Schur complement for each factorisation, a value of each coupling state for each solve, norms
    m = re.search(r"(\d+) bytes from each to agree", printed)
    assert m and int(m.group(1)) > 8 * spread["coupling_states"] * spread["solves"], printed
for words, why in ((["examples/BouncingBall.mo"], "it has events"), (["examples/Prey.mo"], "it has too few states"),
                   (["bench/spread/HeatGrid.mo", "--solver", "ida"], "shall integrate it")):
    p = subprocess.run([*MPIRUN[:-1], "simulate", os.path.join(MODELS, words[0]), *words[1:]], env=ENV, capture_output=True,
                       text=True, timeout=60)
    assert p.returncode != 0 and p.stderr.count(why) == 1, (why, p.stderr)

# a mistake ends all of them, with one message
p = subprocess.run([*MPIRUN, DECAY, "--vary", "nothing=1"], env=ENV, capture_output=True, text=True, timeout=60)
assert p.returncode != 0 and p.stderr.count("no variable 'nothing'") == 1, p.stderr

# a rank that dies: what was sent before is kept, and the rest is computed later
SLOW = [os.path.join(HERE, "Slow.mo"), "--vary", "w=lin(15,25,1200)", "--keep", "a", "--keep", "max(v)", "--quiet"]
subprocess.run([RUBATO, "sweep", *SLOW, "--output", "whole"], check=True)
p = subprocess.Popen([*MPIRUN, *SLOW, "--output", "cut"], env=ENV, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ranks():
    """{rank: process} of the children of mpirun."""
    found = {}
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as f:
                words = f.read().split(b"\0")
            with open(os.path.dirname(path) + "/cmdline", "rb") as f:
                mine = b"cut" in f.read().split(b"\0")
        except OSError:
            continue
        for word in words if mine else ():
            if word.startswith(b"OMPI_COMM_WORLD_RANK="):
                found[int(word.split(b"=")[1])] = int(path.split("/")[2])
    return found


while p.poll() is None and (not os.path.exists("cut.journal") or os.path.getsize("cut.journal") < 6000):
    time.sleep(0.002)
victim = ranks().get(2) if p.poll() is None else None
if victim:
    os.kill(victim, signal.SIGKILL)
p.communicate(timeout=60)
if victim and p.returncode != 0:  # it did not come to its end before
    assert os.path.getsize("cut.journal") >= 6000
    out = subprocess.run([RUBATO, "sweep", *SLOW[:-1], "--output", "cut", "--resume"], check=True, capture_output=True, text=True)
    before = int(re.search(r"(\d+) of them before", out.stdout).group(1))
    assert 50 < before < 1200, out.stdout
    print(f"{before} cases were kept")
same("whole", "cut", ".csv", ".mat")
