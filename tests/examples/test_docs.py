#!/usr/bin/env python3
"""Every command in a ```sh block of docs/*.md and README.md runs, in order, in a fresh folder; files
given in blocks (```modelica NAME) are written there first. Links between the pages lead somewhere."""
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ["RUBATO_BUILD"]
PAGES = [os.path.join(ROOT, "README.md"), os.path.join(ROOT, "ARCHITECTURE.md"),
         *sorted(glob.glob(os.path.join(ROOT, "docs", "*.md")))]
commands = failed = 0

for page in PAGES:
    with open(page) as f:
        text = f.read()
    for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" not in link and not os.path.exists(os.path.join(os.path.dirname(page), link)):
            print(f"{os.path.relpath(page, ROOT)}: dead link {link}")
            failed += 1
    with tempfile.TemporaryDirectory() as work:
        os.symlink(os.path.join(ROOT, "examples"), os.path.join(work, "examples"))
        env = dict(os.environ, PATH=BUILD + ":" + os.environ["PATH"])
        for kind, name, body in re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```", text, re.M | re.S):
            if name:
                with open(os.path.join(work, name), "w") as f:
                    f.write(body)
            elif kind == "sh":
                for line in body.splitlines():
                    commands += 1
                    p = subprocess.run(line, shell=True, cwd=work, env=env, capture_output=True, text=True)
                    if p.returncode:
                        print(f"{os.path.relpath(page, ROOT)}: {line}\n{p.stdout}{p.stderr}")
                        failed += 1

readme = open(PAGES[0]).read()
with tempfile.TemporaryDirectory() as work:  # those of the README stand indented, after a dollar
    os.symlink(os.path.join(ROOT, "examples"), os.path.join(work, "examples"))
    lines = re.findall(r"^    (?:\$ )?(rubato (?:simulate examples|variables examples|plot).*)$", readme, re.M)
    for line in lines:
        commands += 1
        p = subprocess.run(line, shell=True, cwd=work, capture_output=True, text=True,
                           env=dict(os.environ, PATH=BUILD + ":" + os.environ["PATH"]))
        if p.returncode:
            print(f"README.md: {line}\n{p.stdout}{p.stderr}")
            failed += 1
if commands < 15:
    print(f"only {commands} commands were found")
    failed += 1
sys.exit(1 if failed else 0)
