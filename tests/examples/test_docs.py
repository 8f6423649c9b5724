#!/usr/bin/env python3
"""The pages tell the truth: README.md, ARCHITECTURE.md, STYLE.md, examples/README.md and docs/*.md.

Fenced blocks, in the order of the page, in a fresh folder for each page with `examples`, `src` and `bench` in it:

  ```sh              every line is a command and must succeed. `make TARGET` is tried with `make -n`
  ```sh needs WORD   the same if a library WORD is in the MODELICAPATH of tests/run.py; else only the names of its options are checked
  ```console         lines after `$ ` are commands, the others are what they print
  ```output          what the block before has printed. A line `...` stands for any lines; times are not compared
  ```python          one program for each page, run to its end
  ```c FILE          stands in that file, line by line
  ```modelica FILE   is written into this file, and so is ```mos FILE; without a name it must at least parse

Commands in other blocks, and `rubato ...` in the text with commands or options that do not exist, are mistakes, and
so are links that lead nowhere."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ["RUBATO_BUILD"]
SANITIZED = os.environ["RUBATO_SANITIZED"]
PAGES = [os.path.join(ROOT, name) for name in ("README.md", "ARCHITECTURE.md", "STYLE.md", "examples/README.md")]
PAGES += sorted(glob.glob(os.path.join(ROOT, "docs", "*.md")))
COMMAND = re.compile(r"(\$ )?(rubato|make|cc|python3|PYTHONPATH=|git|export|tools/\w|pkg-config) ?\S")
counts = {"commands": 0, "outputs": 0, "links": 0, "python": 0, "make": 0, "inline": 0}
mistakes = []
tried_targets = set()


class Block:
    def __init__(self, kind, word, body, line):
        self.kind, self.word, self.body, self.line = kind, word, body, line
        self.printed = None


def blocks_of(text):
    found, fence, start = [], None, 0
    for number, line in enumerate(text.split("\n"), 1):
        if fence is None and line.startswith("```"):
            kind, _, word = line[3:].strip().partition(" ")
            fence, start, body = (kind, word), number, []
        elif fence is not None and line.startswith("```"):
            found.append(Block(*fence, body, start))
            fence = None
        elif fence is not None:
            body.append(line)
        elif line.startswith("    "):
            found.append(Block("indented", "", [line[4:]], number))
    return found


def plain(lines):
    """Lines as they are compared: without times, which differ from run to run, and without numbers of steps and
    points, which depend on rounding."""
    text = "\n".join(lines).rstrip()
    text = re.sub(r"(?<= in )[\d.e-]+(?= s,)", "T", text)
    text = re.sub(r"\b\d+(?= (steps|points)\b)", "N", text)
    return [line.rstrip() for line in text.split("\n")]


def matches(expected, printed):
    """Are the lines the same? `...` stands for any number of lines."""
    if not expected:
        return not printed
    if expected[0].strip() == "...":
        return any(matches(expected[1:], printed[k:]) for k in range(len(printed) + 1))
    return bool(printed) and expected[0] == printed[0] and matches(expected[1:], printed[1:])


class Page:
    def __init__(self, path, work, options):
        self.path, self.work, self.options = path, work, options
        self.name = os.path.relpath(path, ROOT)
        with open(path, encoding="utf-8") as f:
            self.text = f.read()
        self.env = dict(os.environ, PATH=BUILD + ":" + os.environ["PATH"], HOME=work, COLUMNS="80",
                        MODELICAPATH=os.environ.get("RUBATO_LIBRARIES", ""),
                        XDG_CACHE_HOME=os.path.join(work, ".cache"))
        for name in ("examples", "src", "bench"):
            os.symlink(os.path.join(ROOT, name), os.path.join(work, name))
        os.symlink(os.environ.get("RUBATO_LIBRARIES", "").split(":")[0] or "nowhere", os.path.join(work, "libraries"))

    def wrong(self, line, text):
        mistakes.append(f"{self.name}:{line}: {text}")

    def shell(self, command, line):
        """What a command printed."""
        if command.startswith("make "):
            return self.make(command, line)
        if self.needs_install(command):
            return None
        counts["commands"] += 1
        p = subprocess.run(command, shell=True, cwd=self.work, env=self.env, capture_output=True, text=True)
        if p.returncode:
            self.wrong(line, f"{command}\n{p.stdout}{p.stderr}")
        return p.stdout.split("\n")[:-1]

    def needs_install(self, command):
        """Programs in C are left out where they cannot be linked: without pkg-config."""
        return ("pkg-config" in command or "./sweep" in command) and not shutil.which("pkg-config")

    def make(self, command, line):
        counts["make"] += 1
        words = re.sub(r"\[.*?\]", "", command.split(" #")[0]).strip()
        if words in tried_targets:
            return []
        tried_targets.add(words)
        p = subprocess.run(words.replace("make ", "make -n ", 1), shell=True, cwd=ROOT, capture_output=True, text=True,
                           env={k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))})
        if p.returncode:
            self.wrong(line, f"{command}: {p.stderr}")
        return []

    def known_options(self, command, line):
        """The words of a command line exist, without running it."""
        words = command.split(" #")[0].split()
        known = self.options.get(words[1]) if len(words) > 1 else None
        if known is None:
            return self.wrong(line, f"there is no command: {command}")
        for word in re.findall(r"(?:(?<=\s)|^)--[a-z-]+", " ".join(words[2:])):
            if word not in known:
                self.wrong(line, f"rubato {words[1]} has no option {word}")
        counts["inline"] += 1
        return None

    def run_sh(self, block):
        block.printed = []
        word = block.word[6:] if block.word.startswith("needs ") else ""
        there = not word or any(os.path.isdir(os.path.join(p, word)) for p in os.environ.get("RUBATO_LIBRARIES", "").split(":"))
        rest = ""
        for number, command in enumerate(block.body, block.line + 1):
            command, rest = rest + command, ""
            if not command.strip() or command.startswith("#"):
                continue
            if command.endswith("\\"):  # goes on in the next line
                rest = command[:-1]
                continue
            if not there:
                self.known_options(command, number)
            else:
                out = self.shell(command, number)
                block.printed = None if out is None or block.printed is None else block.printed + out

    def run_console(self, block):
        at = 0
        while at < len(block.body):
            line = block.line + 1 + at
            if not block.body[at].startswith("$ "):
                return self.wrong(line, "a block of kind console begins with '$ '")
            end = at + 1
            while end < len(block.body) and not block.body[end].startswith("$ "):
                end += 1
            out = self.shell(block.body[at][2:], line)
            self.compare(block.body[at + 1:end], out, line)
            at = end
        return None

    def compare(self, expected, printed, line):
        if printed is None:
            return
        counts["outputs"] += 1
        expected, printed = plain(expected), plain(printed)
        if not matches(expected, printed):
            self.wrong(line, "expected:\n" + "\n".join(expected) + "\nprinted:\n" + "\n".join(printed))

    def run_python(self, blocks):
        """All Python of the page is one program; what each block prints is kept apart."""
        blocks = [b for b in blocks if b.kind == "python"]
        if not blocks:
            return
        counts["python"] += len(blocks)
        mark = "-- block --"
        program = "".join("\n".join(b.body) + f"\nprint({mark!r})\n" for b in blocks)
        p = subprocess.run([sys.executable, "-c", program], cwd=self.work, capture_output=True, text=True,
                           env=dict(self.env, PYTHONPATH=os.path.join(ROOT, "src", "python")))
        if p.returncode:
            self.wrong(blocks[0].line, p.stdout + p.stderr)
        for block, out in zip(blocks, p.stdout.split(mark + "\n")):
            block.printed = out.split("\n")[:-1]

    def excerpt(self, block):
        with open(os.path.join(ROOT, block.word), encoding="utf-8") as f:
            there = " ".join(f.read().split())
        if " ".join(" ".join(block.body).split()) not in there:
            self.wrong(block.line, f"this does not stand in {block.word}")

    def modelica(self, block):
        name = block.word or "fragment.mo"
        with open(os.path.join(self.work, name), "w", encoding="utf-8") as f:
            f.write("\n".join(block.body) + "\n")
        if not block.word:
            self.shell(f"rubato parse {name} --quiet", block.line)

    def run_blocks(self):
        blocks, before = blocks_of(self.text), None
        self.run_python(blocks)
        for block in blocks:
            if block.kind == "sh":
                self.run_sh(block)
            elif block.kind == "console":
                self.run_console(block)
            elif block.kind == "output":
                if before is None or before.kind not in ("sh", "python"):
                    self.wrong(block.line, "there is no command before this output")
                elif before.printed is not None:
                    self.compare(block.body, before.printed, block.line)
            elif block.kind == "c" and block.word:
                self.excerpt(block)
            elif block.kind in ("modelica", "mos"):
                self.modelica(block)
            elif block.kind not in ("python",):
                for number, line in enumerate(block.body, block.line + (block.kind != "indented")):
                    if COMMAND.match(line):
                        self.wrong(number, f"a command that is not executed: {line}")
            before = block

    def inline(self):
        """`rubato check X --dump=PASS` in running text names what exists, and so does `make target`."""
        text = re.sub(r"^```.*?^```", lambda m: "\n" * m.group().count("\n"), self.text, flags=re.M | re.S)
        for m in re.finditer(r"`((?:rubato|make) [^`]+)`", text):
            line, words = text.count("\n", 0, m.start()) + 1, " ".join(m.group(1).split())
            if words.startswith("make "):
                self.make(words, line)
            elif re.match(r"rubato [a-z]+\b", words):
                self.known_options(words.replace("=", " "), line)

    def links(self):
        text = re.sub(r"^```.*?^```", "", self.text, flags=re.M | re.S)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            counts["links"] += 1
            target, _, anchor = link.partition("#")
            if "://" in link:
                continue
            path = os.path.join(os.path.dirname(self.path), target) if target else self.path
            if not os.path.exists(path):
                self.wrong(1, f"dead link {link}")
            elif anchor and anchor not in anchors(path):
                self.wrong(1, f"dead link {link}: there is no such heading")


def anchors(path):
    with open(path, encoding="utf-8") as f:
        headings = re.findall(r"^#+ +(.*)$", f.read(), re.M)
    return {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}


def command_options():
    """The options of each command, from its help."""
    def text(*words):
        return subprocess.run([os.path.join(BUILD, "rubato"), "help", *words], capture_output=True, text=True).stdout
    names = re.findall(r"^  ([a-z]+) ", text(), re.M)
    return {name: set(re.findall(r"^  (--[a-z-]+)", text(name), re.M)) for name in names if name != "rubato"}


if SANITIZED:
    print("left out: the pages are run by the plain build; with sanitizers they take minutes and show nothing new")
    sys.exit(77)


def man_page(options):
    """The manual page has every command and option."""
    with open(os.path.join(ROOT, "docs", "rubato.1"), encoding="utf-8") as f:
        text = f.read()
    for name, known in options.items():
        if not re.search(rf"^\.(It )?Cm {name}\b", text, re.M):
            mistakes.append(f"docs/rubato.1: the command {name} is missing")
        for option in known:
            if f"Fl Fl {option[2:]}" not in text:
                mistakes.append(f"docs/rubato.1: {option} of {name} is missing")


def install(work):
    """`make install` into a folder, for programs in C that are built with pkg-config."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "RUBATO"))}
    subprocess.run(["make", "install", f"BUILD={BUILD}", f"PREFIX={work}"], cwd=ROOT, env=env, check=True,
                   capture_output=True)
    os.environ["PKG_CONFIG_PATH"] = os.path.join(work, "lib", "pkgconfig")
    os.environ["LD_LIBRARY_PATH"] = os.path.join(work, "lib")


def main():
    options = command_options()
    man_page(options)
    with tempfile.TemporaryDirectory() as prefix:
        if shutil.which("pkg-config"):
            install(prefix)
        wanted = sys.argv[1:]  # pages to look at, for those who write them
        for path in PAGES:
            if wanted and os.path.relpath(path, ROOT) not in wanted:
                continue
            with tempfile.TemporaryDirectory() as work:
                page = Page(path, work, options)
                page.run_blocks()
                page.inline()
                page.links()
    print("\n".join(mistakes))
    print(counts)
    few = [name for name, least in (("commands", 60), ("outputs", 5), ("links", 60), ("make", 30)) if counts[name] < least]
    if few and not wanted:
        print("too few were found:", ", ".join(few))
    sys.exit(1 if mistakes or (few and not wanted) else 0)


main()
