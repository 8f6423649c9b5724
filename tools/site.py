#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages as a small static site: tools/site.py FOLDER

README.md becomes index.html, every page of docs/ a page with its own name. The part of Markdown that our pages use is
understood: headings, paragraphs, lists, tables, fenced and indented code, quotes, rules, pictures, links, `code`, **bold**,
*emphasis*. Links between pages lead to pages, links to files of the repository are shown as paths. Nothing is fetched."""
import glob
import html
import os
import re
import shutil
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Groups of the menu; what stands in no group comes last.
MENU = [
    ("Begin", ["README", "tutorial", "guide", "examples"]),
    ("Compute", ["solvers", "multirate", "theta", "clocks", "lied", "events"]),
    ("Programs", ["c", "python", "report", "security"]),
    ("Reference", ["language", "errors", "coverage", "benchmarks"]),
    ("Inside", ["ARCHITECTURE", "STYLE", "structure", "shapes", "integrators", "program", "decisions"]),
]
STYLE = """
:root { --text: #1d2430; --soft: #5b6573; --line: #d9dee5; --ground: #fff; --code: #f4f6f8; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e3e7ec; --soft: #9aa5b1; --line: #37404c; --ground: #14181d; --code: #1f252c; --link: #7db7f5; }
}
body { margin: 0; color: var(--text); background: var(--ground); font: 16px/1.55 system-ui, sans-serif; display: flex; }
nav { width: 13rem; flex: none; padding: 1.5rem 1rem; border-right: 1px solid var(--line); min-height: 100vh; box-sizing: border-box; }
nav h2 { font-size: .8rem; color: var(--soft); margin: 1.2rem 0 .2rem; }
nav a { display: block; padding: .1rem 0; text-decoration: none; }
nav a[aria-current] { font-weight: 600; color: var(--text); }
main { padding: 1.5rem 2.5rem 4rem; max-width: 56rem; min-width: 0; }
a { color: var(--link); }
h1, h2, h3 { line-height: 1.25; }
h2 { border-bottom: 1px solid var(--line); padding-bottom: .2rem; margin-top: 2rem; }
pre { background: var(--code); padding: .8rem 1rem; overflow-x: auto; line-height: 1.4; font-size: .85rem; }
pre.plot { line-height: 1.15; }
code { background: var(--code); padding: .1em .25em; font-size: .88em; overflow-wrap: anywhere; }
pre code { padding: 0; background: none; font-size: 1em; overflow-wrap: normal; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; background: #fff; }
blockquote { margin-left: 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
@media (max-width: 700px) { body { display: block; } nav { width: auto; min-height: 0; border: 0; } main { padding: 1rem; } }
"""


def short_name(path):
    """README.md of a folder has the name of the folder."""
    name = os.path.splitext(os.path.basename(path))[0]
    folder = os.path.dirname(path)
    return os.path.basename(folder) if name == "README" and folder != ROOT else name


def page_name(path):
    """The HTML file of a Markdown file."""
    name = short_name(path)
    return "index.html" if name == "README" else name.lower() + ".html"


def anchor(text):
    return re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")


class Page:
    def __init__(self, path, pages, files):
        self.path, self.pages, self.files = path, pages, files
        with open(path, encoding="utf-8") as f:
            self.lines = f.read().split("\n")
        self.title = next((line[2:] for line in self.lines if line.startswith("# ")), os.path.basename(path))

    # ---- inside a line ----

    def link(self, target):
        """Where a link leads in the site; None: it leads out of it."""
        if "://" in target or target.startswith("#"):
            return target
        path, hash_, heading = target.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(self.path), path))
        if full in self.pages:
            return page_name(full) + hash_ + heading
        if os.path.splitext(full)[1] in (".svg", ".png"):
            self.files.add(full)
            return "pictures/" + os.path.basename(full)
        return None

    def inline(self, text):
        kept = []

        def keep(markup):
            kept.append(markup)
            return f"\0{len(kept) - 1}\0"

        def picture(m):
            return keep(f'<img src="{html.escape(self.link(m.group(2)) or "")}" alt="{html.escape(m.group(1))}">')

        def reference(m):
            target = self.link(m.group(2))
            words = self.inline(m.group(1))
            return keep(f'<a href="{html.escape(target)}">{words}</a>' if target else f"<span>{words}</span>")

        text = re.sub(r"(`+)(.+?)\1", lambda m: keep("<code>" + html.escape(m.group(2).strip()) + "</code>"), text)
        text = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", picture, text)
        text = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", reference, text)
        text = html.escape(text, quote=False)
        text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text, flags=re.S)
        text = re.sub(r"(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])", r"<em>\1</em>", text)
        while "\0" in text:
            text = re.sub(r"\0(\d+)\0", lambda m: kept[int(m.group(1))], text)
        return text

    # ---- blocks ----

    def code(self, body, kind=""):
        text = html.escape("\n".join(body))
        plot = ' class="plot"' if re.search("[\u2800-\u28ff]", text) else ""
        return f"<pre{plot}><code>{text}\n</code></pre>"

    def table(self, rows):
        def cells(row):
            text = re.sub(r"`[^`]*`", lambda m: m.group().replace("|", "\1"), row.strip().strip("|"))
            return [c.replace("\1", "|").strip() for c in re.split(r"(?<!\\)\|", text)]
        out = ["<table>", "<thead><tr>" + "".join(f"<th>{self.inline(c)}</th>" for c in cells(rows[0])) + "</tr></thead>",
               "<tbody>"]
        for row in rows[2:]:
            out.append("<tr>" + "".join(f"<td>{self.inline(c)}</td>" for c in cells(row)) + "</tr>")
        return "\n".join(out + ["</tbody>", "</table>"])

    def items(self, block):
        """A list: items begin at the left edge, what is indented belongs to the one before."""
        ordered = bool(re.match(r"\d", block[0]))
        parts = []
        for line in block:
            m = re.match(r"(?:[*-]|\d+\.) +", line)
            if m:
                parts.append([line[m.end():]])
            else:
                parts[-1].append(line)
        name, out = ("ol", []) if ordered else ("ul", [])
        start = int(re.match(r"\d+", block[0]).group()) if ordered else 1
        for part in parts:
            inner = [part[0]] + [re.sub(r"^ {1,3}", "", line) for line in part[1:]]
            nested = self.blocks(inner)
            out.append("<li>" + re.sub(r"^<p>(.*?)</p>", r"\1", nested, count=1, flags=re.S) + "</li>")
        first = f' start="{start}"' if start != 1 else ""
        return f"<{name}{first}>\n" + "\n".join(out) + f"\n</{name}>"

    def blocks(self, lines):
        out, at = [], 0
        while at < len(lines):
            text, at = self.block(lines, at)
            out.append(text)
        return "\n".join(t for t in out if t)

    def block(self, lines, at):
        """One block as HTML, and the line after it."""
        line, end = lines[at], at + 1
        if not line.strip():
            return "", end
        if line.startswith("```"):
            while end < len(lines) and not lines[end].startswith("```"):
                end += 1
            return self.code(lines[at + 1:end]), end + 1
        if line.startswith("    "):
            while end < len(lines) and (lines[end].startswith("    ") or
                                        (not lines[end].strip() and lines[end + 1:end + 2] and lines[end + 1].startswith("    "))):
                end += 1
            return self.code([text[4:] for text in lines[at:end]]), end
        m = re.match(r"(#{1,6}) +(.*)", line)
        if m:
            n = len(m.group(1))
            return f'<h{n} id="{anchor(m.group(2))}">{self.inline(m.group(2))}</h{n}>', end
        if re.fullmatch(r"-{3,}", line.strip()):
            return "<hr>", end
        if line.startswith("|") and end < len(lines) and re.match(r"\|[ :|-]+$", lines[end]):
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            return self.table(lines[at:end]), end
        if re.match(r"(?:[*-]|\d+\.) +", line):
            while end < len(lines) and (lines[end].startswith(" ") or re.match(r"(?:[*-]|\d+\.) +", lines[end]) or
                                        (not lines[end].strip() and end + 1 < len(lines) and lines[end + 1].startswith("  "))):
                end += 1
            return self.items(lines[at:end]), end
        if line.startswith(">"):
            while end < len(lines) and lines[end].startswith(">"):
                end += 1
            return "<blockquote>\n" + self.blocks([re.sub("^> ?", "", t) for t in lines[at:end]]) + "\n</blockquote>", end
        while end < len(lines) and lines[end].strip() and not re.match(r"```|#{1,6} |\||>|[*-] |\d+\. ", lines[end]):
            end += 1
        return "<p>" + self.inline("\n".join(t.strip() for t in lines[at:end])) + "</p>", end

    def html(self, menu):
        return (f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
                f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
                f"<title>{html.escape(re.sub('[`*]', '', self.title))} - Rubato</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
                f"<nav>\n{menu}\n</nav>\n<main>\n{self.blocks(self.lines)}\n</main>\n</body>\n</html>\n")


def menu_for(current, pages):
    """The list of pages at the left."""
    left = {short_name(p): pages[p] for p in pages}
    groups = [(title, [n for n in names if n in left]) for title, names in MENU]
    others = sorted(set(left) - {n for _, names in MENU for n in names})
    out = []
    for title, names in groups + [("More", others)]:
        if names:
            out.append(f"<h2>{title}</h2>")
        for name in names:
            page = left[name]
            here = ' aria-current="page"' if page is current else ""
            out.append(f'<a href="{page_name(page.path)}"{here}>{html.escape(re.sub("[`*]", "", page.title))}</a>')
    return "\n".join(out)


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "site")
    paths = [os.path.join(ROOT, name) for name in ("README.md", "ARCHITECTURE.md", "STYLE.md", "examples/README.md")]
    paths += sorted(glob.glob(os.path.join(ROOT, "docs", "*.md")))
    pages, files = {}, set()
    for path in paths:
        pages[path] = None
    for path in paths:
        pages[path] = Page(path, pages, files)
    os.makedirs(os.path.join(folder, "pictures"), exist_ok=True)
    for path, page in pages.items():
        with open(os.path.join(folder, page_name(path)), "w", encoding="utf-8") as f:
            f.write(page.html(menu_for(page, pages)))
    for path in files:
        shutil.copy(path, os.path.join(folder, "pictures"))
    print(f"site: {len(pages)} pages in {os.path.relpath(folder)}, begin with index.html")


main()
