#!/usr/bin/env python3
"""`make site`: every page is well-formed HTML, every link and picture in it exists, and no Markdown is left over."""
import html.parser
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(os.environ["TMPDIR"], "site")
VOID = {"meta", "img", "hr", "br"}
mistakes = []


class Reader(html.parser.HTMLParser):
    def __init__(self, name):
        super().__init__()
        self.name, self.open, self.ids, self.links, self.text, self.code = name, [], set(), [], [], 0

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attrs:
            self.ids.add(attrs["id"])
        self.links += [attrs[k] for k in ("href", "src") if k in attrs]

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            mistakes.append(f"{self.name}: </{tag}> closes something else")

    def handle_data(self, data):
        if not {"code", "pre", "style"} & set(self.open):
            self.text.append(data)


p = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "site.py"), FOLDER], capture_output=True, text=True)
assert p.returncode == 0, p.stderr
pages = {}
for name in sorted(os.listdir(FOLDER)):
    if name.endswith(".html"):
        with open(os.path.join(FOLDER, name), encoding="utf-8") as f:
            pages[name] = Reader(name)
            pages[name].feed(f.read())
            pages[name].close()
docs = [n for n in os.listdir(os.path.join(ROOT, "docs")) if n.endswith(".md")]
assert len(pages) == len(docs) + 4 and "index.html" in pages, pages.keys()
links = 0
for name, page in pages.items():
    if page.open:
        mistakes.append(f"{name}: {page.open} stay open")
    for link in page.links:
        links += 1
        target, _, heading = link.partition("#")
        target = target or name
        if "://" in link:
            continue
        if not os.path.exists(os.path.join(FOLDER, target)):
            mistakes.append(f"{name}: dead link {link}")
        elif heading and heading not in pages[target].ids:
            mistakes.append(f"{name}: {link}: there is no such heading")
    text = "".join(page.text)
    for pattern in (r"\]\(", r"```", r"^\|.*\|$", r"^#+ ", r"\*\*", r"\0"):
        for m in re.finditer(pattern, text, re.M):
            mistakes.append(f"{name}: Markdown is left over: {text[max(m.start() - 30, 0):m.end() + 30]!r}")
assert links > 400, links
print("\n".join(mistakes))
sys.exit(1 if mistakes else 0)
