# long
"""Some hundred random expressions have one value in every evaluation; make agree-values has more."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "tools", "values.py")
RUBATO = os.path.join(os.path.abspath(os.environ["RUBATO_BUILD"]), "rubato")

# A compiler that takes max for min and floor for ceil.
LIAR = """#!%s
import subprocess, sys
path = sys.argv[2]
text = open(path).read().replace("max(", "min(").replace("floor(", "ceil(")
open(path, "w").write(text)
sys.exit(subprocess.run([%r] + sys.argv[1:]).returncode)
"""


def run(rubato, *options):
    p = subprocess.run([sys.executable, TOOL, rubato, *options], capture_output=True, text=True)
    return p.returncode, p.stdout + p.stderr


def main():
    for options in (["--count", "400", "--tiers", "0"], ["--count", "40", "--tiers", "1", "--seed", "2"]):
        status, text = run(RUBATO, *options)
        assert status == 0 and re.search(r"^\d+ cases, 0 wrong$", text, re.M), text
    liar = os.path.join(os.environ["TMPDIR"], "liar")
    with open(liar, "w") as f:
        f.write(LIAR % (sys.executable, RUBATO))
    os.chmod(liar, 0o755)
    status, text = run(liar, "--count", "50", "--tiers", "0")
    assert status == 1 and int(re.search(r"^50 cases, (\d+) wrong$", text, re.M).group(1)) > 3, text


if __name__ == "__main__":
    main()
