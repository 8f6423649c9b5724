# long
"""Some random clocked models have the values that are known; make clocks has more."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "tools", "clocks.py")
RUBATO = os.path.join(os.path.abspath(os.environ["RUBATO_BUILD"]), "rubato")

# A compiler that takes two methods for one, and first ticks for all others.
LIAR = """#!%s
import subprocess, sys
path = sys.argv[2]
text = open(path).read()
open(path, "w").write(text.replace("ImplicitEuler", "ExplicitEuler").replace("firstTick()", "(not firstTick())"))
sys.exit(subprocess.run([%r] + sys.argv[1:]).returncode)
"""


def run(rubato, *options):
    p = subprocess.run([sys.executable, TOOL, rubato, *options], capture_output=True, text=True)
    return p.returncode, p.stdout + p.stderr


def main():
    status, text = run(RUBATO, "--count", "40", "--choices", ";--threads 2;--rates 2;SAVE")
    assert status == 0 and re.search(r"^\d+ models, \d+ values, 0 wrong$", text, re.M), text
    liar = os.path.join(os.environ["TMPDIR"], "liar")
    with open(liar, "w") as f:
        f.write(LIAR % (sys.executable, RUBATO))
    os.chmod(liar, 0o755)
    status, text = run(liar, "--count", "20", "--choices", "", "--keep", os.path.join(os.environ["TMPDIR"], "kept"))
    assert status == 1 and int(re.search(r"(\d+) wrong$", text, re.M).group(1)) > 2, text


if __name__ == "__main__":
    main()
