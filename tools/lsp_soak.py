#!/usr/bin/env python3
"""A scripted editor over a whole library: what the language server must stand.

  tools/lsp_soak.py RUBATO LIBRARY [--requests N] [--edits N] [--files N] [--seed S] [--parts WORDS]

Parts, all of them unless named:
  ask      opens every file, asks for everything at random places: no crash, no hang; every range that comes
           back lies on words of the text (as `rubato lsp` colours and the lexer below see them)
  same     random edits; then a fresh server gets the same text: the messages must be identical
  speed    1,000 random edits on a file that uses MultiBody: time from the edit to complete messages,
           median and 99th percentile, and how long the first messages take after opening
  memory   the largest memory of the server of `speed` at its end

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
from lsp_client import Client, ServerEnded, index_of, line_starts, point_of  # noqa: E402

WORD = re.compile(r"""//[^\n\r]* | /\*.*?(?:\*/|\Z) | "(?:\\.|[^"\\])*(?:"|\Z) | '(?:\\.|[^'\\\n])*' | [A-Za-z_]\w*
                      | \d+(?:\.\d*)?(?:[eE][+-]?\d+)?""", re.X | re.S | re.A)
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


def read(path):
    with open(path, encoding="utf-8", newline="", errors="strict") as file:
        return file.read()


class Words:
    """Words of a text by a lexer of our own: where they begin and end."""

    def __init__(self, text):
        self.text = text
        self.starts = line_starts(text)
        self.end_of = {m.start(): m.end() for m in WORD.finditer(text)}

    def span(self, place):
        return index_of(self.text, place["start"], self.starts), index_of(self.text, place["end"], self.starts)

    def is_word(self, place):
        start, end = self.span(place)
        return self.end_of.get(start) == end

    def exact(self, point):
        """Does the position exist: is it that of its own character?"""
        return point_of(self.text, index_of(self.text, point, self.starts)) == point


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


def check_colours(words, data, where):
    line = char = 0
    for k in range(0, len(data), 5):
        line, char = line + data[k], data[k + 1] + (char if data[k] == 0 else 0)
        start = index_of(words.text, {"line": line, "character": char}, words.starts)
        end = index_of(words.text, {"line": line, "character": char + data[k + 2]}, words.starts)
        if words.end_of.get(start) == end:
            continue
        piece = words.text[start:end]  # one line of a comment or string
        whole = [s for s in (start, ) if any(a <= start and end <= b for a, b in words.long)]
        if not whole:
            fail("%s: the colour at %d:%d lies on %r" % (where, line, char, piece[:40]))
            return


def check_answer(kind, answer, words, uri, where, client):
    """Ranges of an answer against the words of the text."""
    if answer is None:
        return
    if kind == "hover" and not words.is_word(answer["range"]):
        fail("%s: hover at %s is no word" % (where, answer["range"]))
    places = []
    if kind in ("definition", "typeDefinition"):
        places = [answer]
    if kind in ("references", ):
        places = answer
    for place in places:
        other = words if place["uri"] == uri else cached_words(client, place["uri"])
        if not other.is_word(place["range"]):
            fail("%s: %s leads to %s, which is no word" % (where, kind, place))
            return
    if kind == "documentHighlight":
        for place in answer:
            if not words.is_word(place["range"]):
                fail("%s: highlight %s is no word" % (where, place))
                return
    if kind == "documentSymbol":
        stack = list(answer)
        while stack:
            item = stack.pop()
            stack += item.get("children", [])
            start, end = words.span(item["selectionRange"])
            if words.text[start:end] != item["name"]:
                fail("%s: '%s' of the outline is %r" % (where, item["name"], words.text[start:end]))
                return
            a, b = words.span(item["range"])
            if not a <= start <= end <= b:
                fail("%s: '%s' of the outline lies outside of its range" % (where, item["name"]))
                return
    if kind == "semanticTokens/full":
        check_colours(words, answer["data"], where)
    if kind == "inlayHint":
        for item in answer:
            at = index_of(words.text, item["position"], words.starts)
            if at not in words.ends:
                fail("%s: a hint at %s does not follow a word" % (where, item["position"]))
                return
    if kind == "codeLens":
        for item in answer:
            if not words.is_word(item["range"]):
                fail("%s: lens %s is no word" % (where, item["range"]))
                return


def words_of(text):
    words = Words(text)
    words.ends = set(words.end_of.values())
    words.long = [(s, e) for s, e in words.end_of.items() if "\n" in text[s:e] or "\r" in text[s:e]]
    return words


CACHE = {}


def cached_words(client, uri):
    from lsp_client import path_of
    if uri not in CACHE:
        if len(CACHE) > 200:
            CACHE.clear()
        CACHE[uri] = words_of(client.text[uri] if uri in client.text else read(path_of(uri)))
    return CACHE[uri]


AT_PLACE = ["hover", "definition", "typeDefinition", "completion", "signatureHelp", "documentHighlight",
            "prepareRename", "codeAction", "rangeFormatting", "onTypeFormatting"]
OF_FILE = ["documentSymbol", "foldingRange", "semanticTokens/full", "inlayHint", "codeLens", "formatting"]


def ask_file(client, path, count, rng, slowest):
    text = read(path)
    uri = client.open(path, text)
    words = words_of(text)
    names = [s for s, e in words.end_of.items() if text[s].isalpha()] or [0]
    client.diagnostics(uri)
    asked = 0
    while asked < count:
        kind = OF_FILE[asked] if asked < len(OF_FILE) else rng.choice(AT_PLACE)
        at = rng.choice(names) + rng.randint(0, 3) if rng.random() < 0.8 else rng.randint(0, len(text))
        at = min(at, len(text))
        params = client.at(uri, at)
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(words.starts), "character": 0}}
        line = {"start": params["position"], "end": params["position"]}
        if kind == "inlayHint":
            params["range"] = whole
        if kind in ("rangeFormatting", "codeAction"):
            params["range"] = line
        params.update({"options": {"tabSize": 2, "insertSpaces": True}, "ch": ";",
                       "context": {"diagnostics": client.told.get(uri, (0, [], 0))[1],
                                   "includeDeclaration": True}})
        begin = time.monotonic()
        answer = client.request("textDocument/" + kind, params)
        took = time.monotonic() - begin
        if took > slowest[0]:
            slowest[:] = [took, kind, "%s:%d" % (path, at)]
        asked += 1
        check_answer(kind, answer, words, uri, "%s:%d %s" % (path, at, kind), client)
    client.close(uri)
    return asked


def part_ask(options, files, rng):
    client = Client(options.command, limit=options.limit)
    asked, errors, slowest = 0, 0, [0, "", ""]
    each = max(len(OF_FILE), -(-options.requests // len(files)))
    begin = time.monotonic()
    for k, path in enumerate(files):
        asked += ask_file(client, path, each, rng, slowest)
        if k % 100 == 99:
            print("  %d files, %d requests, %.0f MB, %.0f s" % (
                k + 1, asked, memory_of(client.process, "VmRSS"), time.monotonic() - begin), flush=True)
    memory = memory_of(client.process)
    status = client.stop()
    if status:
        fail("the server ends with status %d" % status)
    print("ask: %d requests in %d files, %d wrong, slowest %.2f s (%s at %s), at most %.0f MB"
          % (asked, len(files), len(failures) + errors, slowest[0], slowest[1], slowest[2], memory), flush=True)


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


def edited(client, uri, rng, undo=0.7):
    """One edit; most wrong ones are taken back by the next call, so that the text stays a model."""
    history = client.history.setdefault(uri, [])
    if history and rng.random() < undo:
        start, end, new = history.pop()
    else:
        text = client.text[uri]
        start, end, new = random_edit(text, rng)
        history.append((start, start + len(new), text[start:end]))
    client.change(uri, start, end, new)


def part_same(options, files, rng):
    client = Client(options.command, limit=options.limit)
    client.history = {}
    compared = different = 0
    chosen = rng.sample(files, min(len(files), options.same))
    for path in chosen:
        uri = client.open(path)
        for _ in range(rng.randint(1, 8)):
            edited(client, uri, rng)
            if rng.random() < 0.3:
                client.request("textDocument/hover", client.at(uri, rng.randint(0, len(client.text[uri]))))
        told = settled(client, uri)
        fresh = Client(options.command, limit=options.limit)
        other = fresh.open(path, client.text[uri])
        wanted = settled(fresh, other)
        fresh.stop()
        compared += 1
        if told != wanted:
            different += 1
            fail("%s: after edits %d messages, after a fresh start %d" % (path, len(told), len(wanted)))
        client.close(uri)
    client.stop()
    print("same: %d texts after random edits, %d differ from a fresh start" % (compared, different), flush=True)


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


def part_speed(options, files, rng):
    path = options.file
    client = Client(options.command, limit=options.limit)
    client.history = {}
    begin = time.monotonic()
    uri = client.open(path)
    first = client.diagnostics(uri)[1] - begin
    times, work = [], []
    first_work = cpu_of(client.process)
    for _ in range(options.edits):
        before = cpu_of(client.process)
        begin = time.monotonic()
        edited(client, uri, rng, 0.9)
        times.append(client.diagnostics(uri)[1] - begin)
        work.append(cpu_of(client.process) - before)
    memory = memory_of(client.process)
    client.stop()
    times.sort()
    work.sort()
    print("speed, on a processor: first messages after %.0f ms; an edit: median %.1f ms, 99th percentile %.1f ms"
          % (1e3 * first_work, 1e3 * statistics.median(work), 1e3 * work[int(0.99 * len(work))]), flush=True)
    print("speed: %s: first messages after %.0f ms; %d edits: median %.1f ms, 99th percentile %.1f ms, longest %.0f ms"
          % (os.path.basename(path), 1e3 * first, len(times), 1e3 * statistics.median(times),
             1e3 * times[int(0.99 * len(times))], 1e3 * times[-1]), flush=True)
    print("memory: %.0f MB at most after %d edits" % (memory, len(times)), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rubato")
    parser.add_argument("library")
    parser.add_argument("--requests", type=int, default=100000)
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--same", type=int, default=100, help="texts that are compared with a fresh start")
    parser.add_argument("--files", type=int, default=0, help="so many files only")
    parser.add_argument("--file", help="of the measurement of speed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=120, help="seconds after which a server hangs")
    parser.add_argument("--parts", default="ask,same,speed")
    options = parser.parse_args()
    options.command = [options.rubato, "lsp", "--library", os.path.abspath(options.library)]
    rng = random.Random(options.seed)
    files = library_files(os.path.abspath(options.library))
    if options.files:
        files = sorted(rng.sample(files, min(options.files, len(files))))
    if not options.file:
        uses = [f for f in library_files(os.path.abspath(options.library)) if f.endswith("DoublePendulum.mo")]
        options.file = uses[0] if uses else files[-1]
    try:
        for part in options.parts.split(","):
            {"ask": part_ask, "same": part_same, "speed": part_speed}[part](options, files, rng)
    except ServerEnded as error:
        fail(str(error))
    sys.exit(1 if failures else 0)


main()
