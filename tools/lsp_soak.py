#!/usr/bin/env python3
"""A scripted editor over a whole library: what the language server must stand.

  tools/lsp_soak.py RUBATO LIBRARY [--requests N] [--edits N] [--files N] [--seed S] [--parts WORDS]

Parts, all of them unless named:
  ask      opens every file, asks for everything at random places: no crash, no hang; every range that comes
           back lies on the right words of the text (lsp_check.py)
  same     random edits of several open texts that use each other; then a fresh server gets the same texts: the
           messages must be identical
  speed    1,000 random edits on files that use MultiBody: time from the edit to complete messages,
           median and 99th percentile, and how long the first messages take after opening
  hour     as many edits as somebody makes in an hour, in many files, with the questions an editor asks
           meanwhile: the largest memory of the server

Prints one line a figure; ends with status 1 if a check fails. A server built with a sanitizer is checked by it.
"""
import argparse
import os
import random
import re
import statistics
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from lsp_check import Checker, read  # noqa: E402
from lsp_client import Client, ServerEnded, path_of  # noqa: E402

FILES = ("DoublePendulum.mo", "FullRobot.mo")  # a small and a large one that use MultiBody
failures = []


def fail(text):
    failures.append(text)
    print("FAILED: " + text, flush=True)


def library_files(folder):
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if f != "Resources" and not f.startswith("."))
        found += [os.path.join(place, n) for n in sorted(names) if n.endswith(".mo")]
    return found


def memory_of(process, what="VmHWM"):
    """Megabytes; not a number where /proc is not mounted."""
    if not os.path.exists("/proc/%d/status" % process.pid):
        return float("nan")
    with open("/proc/%d/status" % process.pid, encoding="ascii") as file:
        return int(re.search(what + r":\s+(\d+)", file.read()).group(1)) / 1024


def cpu_of(process):
    """Seconds on a processor, of all threads: does not depend on who else works on the machine."""
    total = 0
    if not os.path.exists("/proc/%d/task" % process.pid):
        return float("nan")
    for task in os.listdir("/proc/%d/task" % process.pid):
        with open("/proc/%d/task/%s/schedstat" % (process.pid, task), encoding="ascii") as file:
            total += int(file.read().split()[0])
    return 1e-9 * total


AT_PLACE = ["hover", "definition", "typeDefinition", "completion", "signatureHelp", "documentHighlight",
            "prepareRename", "codeAction", "rangeFormatting", "onTypeFormatting"]
OF_FILE = ["documentSymbol", "foldingRange", "semanticTokens/full", "inlayHint", "codeLens", "formatting"]
OF_ALL = ["references", "rename", "workspace/symbol"]  # through all files: one in OF_ALL_EACH
OF_ALL_EACH = 200


class Asker:
    """Asks, and checks the answers."""

    def __init__(self, client, rng, fail):
        self.client = client
        self.rng = rng
        self.checker = Checker(client, fail)
        self.asked = {}
        self.slowest = (0, "", "")

    def ask(self, kind, uri, at):
        client, words = self.client, self.checker.words(uri)
        params = client.at(uri, at)
        params["range"] = {"start": params["position"], "end": params["position"]}
        if kind == "inlayHint":
            params["range"] = {"start": {"line": 0, "character": 0}, "end": {"line": len(words.starts), "character": 0}}
        params.update({"options": {"tabSize": 2, "insertSpaces": True}, "ch": ";", "newName": "renamed",
                       "query": words.text[at:at + 4].strip(),
                       "context": {"diagnostics": client.told.get(uri, (0, [], 0))[1], "includeDeclaration": True}})
        begin = time.monotonic()
        try:
            answer = client.request(kind if kind.startswith("workspace") else "textDocument/" + kind, params)
        except RuntimeError as error:
            if kind != "rename" or "-32803" not in str(error):  # a name that is taken
                raise
            answer = None
        self.slowest = max(self.slowest, (time.monotonic() - begin, kind, "%s:%d" % (uri, at)))
        self.asked[kind] = self.asked.get(kind, 0) + 1
        self.checker.answer(kind, answer, uri, at, "%s:%d %s" % (uri, at, kind))

    def place(self, uri):
        """Mostly on a word."""
        words = self.checker.words(uri)
        names = [s for s in words.end_of if words.text[s].isalpha()]
        if names and self.rng.random() < 0.8:
            return min(self.rng.choice(names) + self.rng.randint(0, 3), len(words.text))
        return self.rng.randint(0, len(words.text))

    def file(self, path, count):
        uri = self.client.open(path, read(path))
        self.checker.forget(uri)
        self.checker.messages(self.client.diagnostics(uri)[0], uri, path)
        for k in range(count):
            kind = OF_FILE[k] if k < len(OF_FILE) else self.rng.choice(AT_PLACE)
            if k >= len(OF_FILE) and self.rng.randrange(OF_ALL_EACH) == 0:
                kind = self.rng.choice(OF_ALL)
            self.ask(kind, uri, self.place(uri))
        self.checker.messages(self.client.told.get(uri, (0, [], 0))[1], uri, path)
        self.client.close(uri)


def part_ask(options, files, rng):
    client = Client(options.command, root=options.library, limit=options.limit)
    asker = Asker(client, rng, fail)
    each = max(len(OF_FILE), -(-options.requests // len(files)))
    begin = time.monotonic()
    for k, path in enumerate(files):
        asker.file(path, each)
        if k % 100 == 99:
            print("  %d files, %d requests, %.0f MB, %.0f s" % (
                k + 1, sum(asker.asked.values()), memory_of(client.process, "VmRSS"), time.monotonic() - begin),
                flush=True)
    memory = memory_of(client.process)
    status = client.stop()
    if status:
        fail("the server ends with status %d" % status)
    print("  " + ", ".join("%d %s" % (n, kind) for kind, n in sorted(asker.asked.items())), flush=True)
    print("ask: %d requests in %d files, %d wrong, slowest %.2f s (%s at %s), at most %.0f MB"
          % (sum(asker.asked.values()), len(files), len(failures), *asker.slowest, memory), flush=True)


# ---- edits ----

def random_edit(text, rng):
    """(start, end, new): what people type, and what slips in."""
    at = rng.randint(0, len(text))
    choice = rng.random()
    if choice < 0.3:
        return at, at, rng.choice(["x", " ", "1", ";", "\n", "(", ")", ".", "=", "\u00e9", "\U0001d11e", "+ a", "end "])
    if choice < 0.5:
        return at, min(len(text), at + rng.randint(1, 3)), ""
    words = [m.span() for m in re.finditer(r"[A-Za-z_]\w*", text)]
    if not words:
        return at, at, "model "
    start, end = rng.choice(words)
    if choice < 0.75:
        return start, end, text[slice(*rng.choice(words))]
    if choice < 0.9:
        return end, end, "x"
    line = text.rfind("\n", 0, at) + 1
    stop = text.find("\n", at) + 1 or len(text)
    return line, stop, ""


def edited(client, uri, rng, undo):
    """One edit; most wrong ones are taken back by the next call, so that the text stays a model."""
    history = client.history.setdefault(uri, [])
    if history and rng.random() < undo:
        start, end, new = history.pop()
    else:
        text = client.text[uri]
        start, end, new = random_edit(text, rng)
        history.append((start, start + len(new), text[start:end]))
    client.change(uri, start, end, new)


def neighbours(files, rng, count):
    """Files that use each other: one, and others of its package."""
    first = rng.choice(files)
    folder = os.path.dirname(first)
    near = [f for f in files if f.startswith(os.path.dirname(folder) + os.sep) and f != first]
    return [first] + rng.sample(near, min(len(near), count - 1))


def part_same(options, files, rng):
    """Texts with mistakes of the syntax, with others, with none: all three kinds must be there."""
    client = Client(options.command, limit=options.limit)
    client.history = {}
    kinds = {"syntax": 0, "other": 0, "none": 0}
    different = 0
    while sum(kinds.values()) < options.same:
        uris = [client.open(path) for path in neighbours(files, rng, 3)]
        for _ in range(rng.randint(1, 12)):
            uri = rng.choice(uris)
            edited(client, uri, rng, 0.5)
            if rng.random() < 0.3:
                client.request("textDocument/hover", client.at(uri, rng.randint(0, len(client.text[uri]))))
        fresh = Client(options.command, limit=options.limit)
        for uri in reversed(uris):  # the order does not count
            fresh.open(path_of(uri), client.text[uri])
        for uri in uris:
            told, wanted = settled(client, uri), settled(fresh, uri)
            codes = {d["code"][0] for d in wanted if d["severity"] < 3}
            kinds["syntax" if codes & {"P", "L"} else "other" if codes else "none"] += 1
            if told != wanted:
                different += 1
                fail("%s: after edits %d messages, after a fresh start %d" % (uri, len(told), len(wanted)))
        fresh.stop()
        for uri in uris:
            client.close(uri)
            client.history.pop(uri, None)
    client.stop()
    print("same: %d texts after random edits (%d with mistakes of the syntax, %d with others, %d with none), "
          "%d differ from a fresh start" % (sum(kinds.values()), kinds["syntax"], kinds["other"], kinds["none"], different),
          flush=True)


def settled(client, uri):
    """The messages when the server has nothing more to say: a second edit-free round is asked for."""
    client.diagnostics(uri)
    client.version[uri] += 1
    client.notify("textDocument/didChange", {
        "textDocument": {"uri": uri, "version": client.version[uri]}, "contentChanges": []})
    client.diagnostics(uri)
    before = None
    while before != client.told[uri][2]:
        before = client.told[uri][2]
        client.wait(0.3)
    return client.told[uri][1]


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def verdict(value, bound):
    return "%s %g" % ("below" if value < bound else "NOT BELOW", bound)


def part_speed(options, files, rng):
    """Messages that are sent before all classes are looked at are not counted: the client asks for whole ones."""
    for path in options.file:
        client = Client(options.command, limit=options.limit, options={"partial": False})
        client.history = {}
        begin = time.monotonic()
        uri = client.open(path)
        first = client.diagnostics(uri)[1] - begin
        first_work = cpu_of(client.process)
        times, work = [], []
        for _ in range(options.edits):
            before = cpu_of(client.process)
            begin = time.monotonic()
            edited(client, uri, rng, 0.9)
            times.append(1e3 * (client.diagnostics(uri)[1] - begin))
            work.append(1e3 * (cpu_of(client.process) - before))
        memory = memory_of(client.process)
        client.stop()
        high = percentile(times, 0.99)
        print("speed: %s: first messages after %.0f ms (%s ms); %d edits: median %.1f ms, 99th percentile %.1f ms (%s ms), "
              "longest %.0f ms; %.0f MB" % (os.path.basename(path), 1e3 * first, verdict(1e3 * first, 300), len(times),
                                            statistics.median(times), high, verdict(high, 100), max(times), memory))
        print("  on a processor: first %.0f ms; an edit: median %.1f ms, 99th percentile %.1f ms"
              % (1e3 * first_work, statistics.median(work), percentile(work, 0.99)), flush=True)


def part_hour(options, files, rng):
    """A keystroke every third of a second makes 10,800 in an hour. Files change every now and then; most keystrokes
    follow each other before the messages are there, as when somebody types."""
    client = Client(options.command, root=options.library, limit=options.limit)
    client.history = {}
    asker = Asker(client, rng, lambda text: None)  # words of broken texts are a matter of taste
    uris, begin = [], time.monotonic()
    for k in range(options.hour):
        if k % 300 == 0:
            if len(uris) == 5:
                client.close(uris.pop(0))
            opened = {path_of(u) for u in uris}
            near = [f for f in files if "MultiBody" in f] or files
            uris.append(client.open(rng.choice([f for f in near if f not in opened])))
        uri = uris[-1] if rng.random() < 0.9 else rng.choice(uris)
        edited(client, uri, rng, 0.9)
        if rng.random() < 0.2:
            client.diagnostics(uri)
        if rng.random() < 0.3:
            asker.checker.forget(uri)
            asker.ask(rng.choice(AT_PLACE + OF_FILE), uri, rng.randint(0, len(client.text[uri])))
        if k % 500 == 499:
            asker.checker.forget(uri)
            asker.ask(rng.choice(OF_ALL), uri, asker.place(uri))
    for uri in uris:
        client.diagnostics(uri)
    now, most = memory_of(client.process, "VmRSS"), memory_of(client.process)
    client.stop()
    print("hour: %d edits and %d questions in %.0f s: memory %.0f MB at the end, %.0f MB at most (%s MB)"
          % (options.hour, sum(asker.asked.values()), time.monotonic() - begin, now, most, verdict(most, 200)), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rubato")
    parser.add_argument("library")
    parser.add_argument("--requests", type=int, default=100000)
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--same", type=int, default=100, help="texts that are compared with a fresh start")
    parser.add_argument("--files", type=int, default=0, help="so many files only")
    parser.add_argument("--file", action="append", help="of the measurement of speed")
    parser.add_argument("--hour", type=int, default=10800, help="edits that somebody makes in an hour")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=120, help="seconds after which a server hangs")
    parser.add_argument("--parts", default="ask,same,speed,hour")
    options = parser.parse_args()
    options.library = os.path.abspath(options.library)
    options.command = [options.rubato, "lsp", "--library", options.library]
    rng = random.Random(options.seed)
    files = library_files(options.library)
    if options.files:
        files = sorted(rng.sample(files, min(options.files, len(files))))
    if not options.file:
        uses = [f for f in library_files(options.library) if os.path.basename(f) in FILES]
        options.file = uses or files[-1:]
    try:
        for part in options.parts.split(","):
            {"ask": part_ask, "same": part_same, "speed": part_speed, "hour": part_hour}[part](options, files, rng)
    except ServerEnded as error:
        fail(str(error))
    sys.exit(1 if failures else 0)


main()
