#!/usr/bin/env python3
# long
"""Every message has its page: docs/errors.md is what `rubato explain --markdown` prints, and the example of a code
gives this code, if it is a whole class; fragments are left out."""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
TMP = os.environ["TMPDIR"]
page = subprocess.run([RUBATO, "explain", "--markdown"], capture_output=True, text=True).stdout
with open(os.path.join(ROOT, "docs", "errors.md"), encoding="utf-8") as f:
    assert f.read() == page, "docs/errors.md is old: make docs"

# Examples that need more than a file, or that an earlier check finds under another code.
ELSEWHERE = {"S107": "a library folder", "D101": "F170", "D102": "F170", "D120": "D123"}


def gives(code, example):
    """Is the code among the messages of some command about the example?"""
    path = os.path.join(TMP, code + ".mo")
    with open(path, "w") as f:
        f.write(example)
    said = ""
    for command in (["check"], ["simulate", "--quiet", "--stop", "2", "--output", os.path.join(TMP, code + ".mat")],
                    ["simulate", "--quiet", "--output", os.path.join(TMP, code + ".mat")],
                    ["check", "--components"], ["lint"]):
        p = subprocess.run([RUBATO, command[0], path, *command[1:]], capture_output=True, text=True, timeout=60)
        said += p.stderr
        if re.search(rf"(error|warning) {code}: ", said):
            return None
    return f"{code}: its example says\n{said}"


sections = re.findall(r"^## ([A-Z]\d{3}): .*?\n(.*?)(?=^## |^# |\Z)", page, re.M | re.S)
whole = []
for code, text in sections:
    example = "\n".join(line[4:] for line in re.findall(r"^(?:    .*|)$", text.split("Example", 1)[-1], re.M))
    if code not in ELSEWHERE and re.match(r"\s*(partial )?(model|package|block|function|class|within|type|record|connector)\b", example):
        whole.append((code, example.strip() + "\n"))
with ThreadPoolExecutor(2) as pool:
    wrong = [w for w in pool.map(lambda pair: gives(*pair), whole) if w]
print("\n".join(wrong))
print(len(sections), "codes,", len(whole), "examples,", len(wrong), "wrong")
assert len(whole) > 100
sys.exit(1 if wrong else 0)
