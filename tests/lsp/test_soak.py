#!/usr/bin/env python3
# long
"""The soak of the language server, small: our own library and examples. Every range lies on a word, and after random edits
the messages are those of a fresh start."""
import os
import re
import shutil
import subprocess
import sys

from lsp_setup import ROOT, RUBATO

folder = os.path.join(os.path.realpath(os.environ["TMPDIR"]), "texts")
shutil.copytree(os.path.join(ROOT, "lib"), folder)
for name in ("BouncingBall.mo", "DCMotor.mo", "Pendulum.mo", "Rectifier.mo"):
    shutil.copy(os.path.join(ROOT, "examples", name), folder)
p = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "lsp_soak.py"), RUBATO, folder, "--requests", "240",
                    "--same", "12", "--edits", "10", "--hour", "150", "--file", os.path.join(folder, "DCMotor.mo")],
                   capture_output=True, text=True)
print(p.stdout + p.stderr)
lines = {line.split(":")[0]: line for line in p.stdout.splitlines()}
assert p.returncode == 0 and " 0 wrong," in lines["ask"] and lines["same"].startswith(
    "same: 12 texts") and lines["same"].endswith(" 0 differ from a fresh start") and "hour" in lines, p.returncode
assert all(int(n) > 0 for n in re.findall(r"(\d+) with", lines["same"])), "a kind of text is missing: " + lines["same"]
