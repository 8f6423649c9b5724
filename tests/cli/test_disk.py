#!/usr/bin/env python3
"""Disks that are full, folders that cannot be written, names that are folders, devices and links.

A limit of the size of files stands for a full disk. What was recorded before stays and can be read, the
message tells why and how much it is."""
import json
import os
import re
import resource
import stat
import struct
import subprocess
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
WORK = os.environ.get("TMPDIR", "/tmp")
BALL = os.path.join(ROOT, "examples", "BouncingBall.mo")
LIMIT = 500000


def run(*words, limit=None, status=0):
    def set_limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    p = subprocess.run([RUBATO, *words], capture_output=True, text=True, cwd=WORK, preexec_fn=set_limit if limit else None)
    assert p.returncode == status, (words, p.returncode, p.stderr)
    return p.stderr


def path(name):
    return os.path.join(WORK, name)


def simulate(*words, **more):
    return run("simulate", BALL, "--quiet", *words, **more)


def matrices(data):
    """Name -> rows, columns, offset of a MAT level 4 file; all of it is used."""
    at, found = 0, {}
    while at < len(data):
        kind, rows, columns, _, length = struct.unpack_from("<5i", data, at)
        name = data[at + 20:at + 19 + length].decode()
        at += 20 + length
        found[name] = rows, columns, at
        at += rows * columns * {0: 8, 20: 4, 51: 1}[kind]
    assert at == len(data), "bytes after the last point"
    return found


# ---- a full disk, in both formats ----
run("simulate", BALL, "--quiet", "--intervals", "100000", "--output", "whole.csv")
with open(path("whole.csv")) as f:
    whole = f.read().splitlines()
words = simulate("--intervals", "100000", "--output", "cut.csv", limit=LIMIT, status=3)
m = re.search(r"'cut\.csv' could not be written completely: File too large; (\d+) points are kept", words)
assert m and "the result cannot be written" in words, words
with open(path("cut.csv")) as f:
    text = f.read()
lines = text.splitlines()
assert text.endswith("\n") and int(m.group(1)) == len(lines) - 1 and lines == whole[:len(lines)], (words, len(lines))
assert LIMIT - 200 < len(text) <= LIMIT, len(text)

words = simulate("--intervals", "100000", "--output", "cut.mat", limit=LIMIT, status=3)
m = re.search(r"'cut\.mat' could not be written completely: File too large; (\d+) points are kept", words)
assert m, words
with open(path("cut.mat"), "rb") as f:
    data = f.read()
rows, columns, at = matrices(data)["data_2"]
assert columns == int(m.group(1)) and LIMIT - 8 * rows < len(data) <= LIMIT, (words, columns, len(data))
times = [struct.unpack_from("<d", data, at + 8 * rows * k)[0] for k in range(columns)]
assert times == [float(line.split(",")[0]) for line in whole[1:columns + 1]]
run("compare", "cut.mat", "cut.mat", "--quiet")

# ---- names that cannot be written ----
os.mkdir(path("folder.mat"))
os.mkdir(path("folder.json"))
with open(path("plain"), "w") as f:
    f.write("kept")
for words, why in ((("--output", "folder.mat"), "cannot write 'folder.mat': Is a directory"),
                   (("--output", "none/x.mat"), "cannot write 'none/x.mat': No such file or directory"),
                   (("--output", "plain/x.csv"), "cannot write 'plain/x.csv': Not a directory"),
                   (("--output", "x.mat", "--report", "none/x.html"), "cannot write 'none/x.html': No such file"),
                   (("--output", "x.mat", "--stats", "folder.json"), "cannot write 'folder.json': Is a directory"),
                   (("--output", "x.mat", "--save-state", "folder.json"), "cannot save the state 'folder.json': Is a directory"),
                   (("--output", "x.mat", "--trace", "none/x"), "cannot write 'none/x': No such file")):
    said = simulate(*words, status=1)
    assert why in said, (words, said)
if os.geteuid() != 0:
    os.mkdir(path("locked"), 0o555)
    assert "cannot write 'locked/x.mat': Permission denied" in simulate("--output", "locked/x.mat", status=1)
with open(path("plain")) as f:
    assert f.read() == "kept"

# ---- a file that cannot be written completely stays what it was ----
with open(path("old.html"), "w") as f:
    f.write("old")
simulate("--output", "x.mat", "--variables", "^h$", "--report", "whole.html")
page, result = (os.path.getsize(path(name)) for name in ("whole.html", "x.mat"))
assert page > result, (page, result)
said = simulate("--output", "x.mat", "--variables", "^h$", "--report", "old.html", limit=(page + result) // 2, status=1)
assert "cannot write 'old.html': File too large" in said, said
with open(path("old.html")) as f:
    assert f.read() == "old"
assert not [n for n in os.listdir(WORK) if n.startswith("old.html.")], os.listdir(WORK)

# ---- links and devices stay what they are ----
os.symlink("target.json", path("link.json"))
with open(path("target.json"), "w") as f:
    f.write("old")
os.chmod(path("target.json"), 0o640)
simulate("--output", "x.mat", "--stats", "link.json")
assert os.path.islink(path("link.json")) and stat.S_IMODE(os.stat(path("target.json")).st_mode) == 0o640
with open(path("target.json")) as f:
    assert json.load(f)["model"] == "BouncingBall"
os.mkfifo(path("pipe"))
got = []
reader = threading.Thread(target=lambda: got.append(open(path("pipe")).read()))
reader.start()
simulate("--output", "x.mat", "--stats", "pipe")
reader.join()
assert json.loads(got[0])["model"] == "BouncingBall" and stat.S_ISFIFO(os.stat(path("pipe")).st_mode)
os.symlink("/dev/full", path("full"))
for option, why in (("--stats", "cannot write 'full'"), ("--report", "cannot write 'full'"),
                    ("--save-state", "cannot save the state 'full'")):
    said = simulate("--output", "x.mat", option, "full", status=1)
    assert why + ": No space left on device" in said, said
