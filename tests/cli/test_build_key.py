# long
"""Translations are kept by the sources of the program: another text gives another key, the same one the same."""
import os
import re
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COPY = os.path.join(os.environ["TMPDIR"], "tree")


def key():
    """What version.c would be compiled with; nothing is built."""
    p = subprocess.run(["make", "-n", "V=1", "BUILD=b", "b/src/api/version.o"], cwd=COPY, capture_output=True, text=True)
    found = re.findall(r'-DRUBATO_BUILD=\'"(\d+-\d+)"\'', p.stdout)
    assert p.returncode == 0 and len(found) == 1, (p.returncode, p.stdout[-2000:], p.stderr[-2000:])
    return found[0]


os.mkdir(COPY)
shutil.copy(os.path.join(ROOT, "Makefile"), COPY)
shutil.copytree(os.path.join(ROOT, "src"), os.path.join(COPY, "src"))
first = key()
assert key() == first
for name in ("src/dae/alias.c", "src/dae/dae.h", "src/inst/builtin.def"):
    path = os.path.join(COPY, name)
    with open(path, encoding="utf-8") as f:
        text = f.read()
    with open(path, "a", encoding="utf-8") as f:
        f.write("/* another one */\n")
    assert key() != first, name
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    assert key() == first, name
# what only prints is no part of a translation
with open(os.path.join(COPY, "src/cli/main.c"), "a", encoding="utf-8") as f:
    f.write("/* another one */\n")
assert key() == first
print("ok")
