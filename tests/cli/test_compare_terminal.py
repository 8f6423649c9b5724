#!/usr/bin/env python3
"""rubato compare on a terminal draws the variables that differ most, the worst first; in a pipe it does not."""
import os
import pty
import subprocess
import sys

RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
WORK = os.environ.get("TMPDIR", "/tmp")


def write(name, low, high):
    with open(os.path.join(WORK, name), "w") as f:
        f.write("time,same,little,much\n")
        for k in range(101):
            f.write(f"{k / 100},{k},{low * k},{high * k}\n")


def on_terminal(*words):
    here, there = pty.openpty()
    p = subprocess.Popen([RUBATO, *words], stdout=there, stderr=subprocess.STDOUT, cwd=WORK,
                         env=dict(os.environ, COLUMNS="80", LINES="24", TERM="xterm", NO_COLOR="1"))
    os.close(there)
    text = b""
    while True:
        try:
            part = os.read(here, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    return p.wait(), text.decode()


try:
    for end in pty.openpty():
        os.close(end)
except OSError:
    print("left out: there are no terminals here")
    sys.exit(77)
write("reference.csv", 1, 1)
write("result.csv", 1.05, 2)
status, text = on_terminal("compare", "result.csv", "reference.csv")
assert status == 1 and "1 of 3 variables inside the tube" in text, text
picture = text[text.index("FAIL  much"):]
assert any("\u2800" < c < "\u28ff" for c in picture), "no curves"
assert picture.index("much", 20) < picture.index("little") and "reference" in picture, text
assert "same" not in picture, "what is inside is not drawn"
status, quiet = on_terminal("compare", "result.csv", "reference.csv", "--quiet")
assert status == 1 and quiet.split() == "1 of 3 variables inside the tube".split(), quiet
p = subprocess.run([RUBATO, "compare", "result.csv", "reference.csv"], capture_output=True, text=True, cwd=WORK)
assert p.returncode == 1 and len(p.stdout.splitlines()) == 4, p.stdout
