#!/usr/bin/env python3
# long
"""Results in other hands: a MAT file as a reader sees it that knows only the format (level 4) and the conventions of
Dymola's and OpenModelica's result files; with scipy and pandas if they are installed (tools/setup.sh readers)."""
import csv
import os
import struct
import subprocess
import sys

RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
TMP = os.environ["TMPDIR"]
MODEL = """model Readers "Everything that a result can hold"
  parameter Real k(unit = "1/s") = 2 "Rate";
  constant Integer n = 3;
  parameter Boolean on = true;
  Real x(start = 1, fixed = true, unit = "m") "Decays";
  Real same = x "Another name of it";
  Real minus = -x;
  Real 'quoted, "name"' = time;
  Real a[2, 2] = {{x, 2*x}, {3, time}};
  discrete Real counted(start = 0, fixed = true);
equation
  der(x) = -k*x;
  when sample(0.25, 0.25) then
    counted = pre(counted) + 1;
  end when;
end Readers;
"""


# ---- a reader by the conventions, from bytes ----

def matrices(path):
    """The matrices of a file of level 4 by name: (kind of element, rows of numbers or letters)."""
    with open(path, "rb") as f:
        data = f.read()
    found, at = {}, 0
    while at < len(data):
        kind, rows, columns, imaginary, length = struct.unpack_from("<5i", data, at)
        at += 20
        name = data[at:at + length - 1].decode()
        at += length
        assert imaginary == 0 and kind // 1000 == 0, "little-endian, real"
        size, letter = {0: (8, "d"), 2: (4, "i"), 5: (1, "B")}[kind // 10 % 10]
        values = struct.unpack_from(f"<{rows*columns}{letter}", data, at)
        at += size*rows*columns
        found[name] = (kind % 10 == 1, [values[r::rows] for r in range(rows)])  # stored column by column
    assert at == len(data), "the file ends with its last matrix"
    return found


def words(rows):
    return ["".join(chr(c) for c in row).rstrip("\0 ") for row in rows]


def columns(rows):
    return list(zip(*rows))


def read(path):
    """{name: (description, values)} with the time, and the list of its points."""
    m = matrices(path)
    assert list(m) == ["Aclass", "name", "description", "dataInfo", "data_1", "data_2"]
    assert m["Aclass"][0] and m["name"][0] and not m["data_2"][0], "texts are texts"
    assert words(m["Aclass"][1]) == ["Atrajectory", "1.1", "", "binTrans"]
    names, descriptions = (words(columns(m[key][1])) for key in ("name", "description"))
    info = columns(m["dataInfo"][1])
    assert len(names) == len(set(names)) == len(descriptions) == len(info)
    blocks = {1: m["data_1"][1], 2: m["data_2"][1]}
    found = {}
    for name, description, (block, column, interpolation, extrapolation) in zip(names, descriptions, info):
        assert interpolation == 0 and extrapolation in (-1, 0, 1), (name, interpolation, extrapolation)
        row = blocks[block or 2][abs(column) - 1]
        found[name] = (description, block, [x if column > 0 else -x for x in row])
    assert names[0].lower() == "time" and info[0][:2] == (0, 1)
    return found


def same_as_csv(found, rows):
    """All numbers of the other format, to the last bit; constants stand there at start and stop only."""
    for name in rows[0]:
        _, block, values = found[name]
        wanted = [float(r[name]) for r in rows]
        assert values == (wanted if block != 1 else [wanted[0], wanted[-1]]), name


def simulate(output):
    path = os.path.join(TMP, "Readers.mo")
    with open(path, "w") as f:
        f.write(MODEL)
    p = subprocess.run([RUBATO, "simulate", path, "--quiet", "--intervals", "20", "--output", os.path.join(TMP, output)],
                       capture_output=True, text=True)
    assert p.returncode == 0, p.stderr


simulate("r.mat")
simulate("r.csv")
with open(os.path.join(TMP, "r.csv")) as f:
    table = list(csv.DictReader(f))
result = read(os.path.join(TMP, "r.mat"))
same_as_csv(result, table)
time = result["time"][2]
assert time == sorted(time) and time[0] == 0 and time[-1] == 1
assert sum(a == b for a, b in zip(time, time[1:])) >= 3, "two points at an event"
assert result["minus"][2] == [-x for x in result["x"][2]] and result["k"][1] == 1 and result["k"][2] == [2, 2]
assert result["x"][0] == "Decays [m]" and result["k"][0] == "Rate [1/s]", result["x"][0]
assert result["a[2,2]"][2] == time and result["counted"][2][-1] == 4

# ---- with scipy and pandas, in whichever Python has them ----

OTHERS = r"""
import sys, numpy, scipy.io, pandas
mat = scipy.io.loadmat(sys.argv[1], chars_as_strings=False)
names = ["".join(c).rstrip() for c in zip(*mat["name"])]
kind = ["".join(r).rstrip() for r in mat["Aclass"]]
assert kind == ["Atrajectory", "1.1", "", "binTrans"], kind
info, table = mat["dataInfo"], pandas.read_csv(sys.argv[2], float_precision="round_trip")
assert info.shape == (4, len(names)) and mat["data_1"].shape[1] == 2 and mat["data_2"].dtype == float
assert list(table.columns)[0] == "time" and set(table.columns) <= set(names), set(table.columns) - set(names)
for name in table.columns:
    k = names.index(name)
    block, column = info[0][k] or 2, info[1][k]
    values = numpy.sign(column)*mat["data_%d" % block][abs(column) - 1]
    wanted = table[name].to_numpy(dtype=float)
    assert numpy.array_equal(values, wanted if block == 2 else wanted[[0, -1]]), name
print("read", len(names), "variables,", len(table), "points")
"""
for python in (sys.executable, "/usr/bin/python3"):
    if subprocess.run([python, "-c", "import scipy.io, pandas"], capture_output=True).returncode == 0:
        p = subprocess.run([python, "-c", OTHERS, os.path.join(TMP, "r.mat"), os.path.join(TMP, "r.csv")],
                           capture_output=True, text=True)
        assert p.returncode == 0 and p.stdout.startswith("read "), p.stdout + p.stderr
        sys.exit(0)
print("scipy and pandas are left out: they are not installed (tools/setup.sh readers)")
