"""Ranges in the answers of a language server, checked against the words of the text: a lexer of our own finds them, so
that a position that is off by one lies on no word, or on another one than was asked for."""
import bisect
import re

from lsp_client import edits_by_uri, index_of, line_starts, path_of, units

WORD = re.compile(r"""//[^\n\r]* | /\*.*?(?:\*/|\Z) | "(?:\\.|[^"\\])*(?:"|\Z) | '(?:\\.|[^'\\\n])*' | [A-Za-z_]\w*
                      | \d+(?:\.\d*)?(?:[eE][+-]?\d+)?""", re.X | re.S | re.A)


def read(path):
    with open(path, encoding="utf-8", newline="", errors="strict") as file:
        return file.read()


class Words:
    """Words of a text: where they begin and end."""

    def __init__(self, text):
        self.text = text
        self.starts = line_starts(text)
        self.end_of = {m.start(): m.end() for m in WORD.finditer(text)}
        self.ends = set(self.end_of.values())
        self.begins = sorted(self.end_of)

    def span(self, place):
        return index_of(self.text, place["start"], self.starts), index_of(self.text, place["end"], self.starts)

    def at(self, place):
        """The text of a range."""
        return self.text[slice(*self.span(place))]

    def is_word(self, place):
        start, end = self.span(place)
        return self.end_of.get(start) == end

    def around(self, start):
        """The word that a character lies in or begins: (start, end); (-1, -1) if there is none."""
        k = bisect.bisect_right(self.begins, start) - 1
        if k < 0 or self.end_of[self.begins[k]] <= start:
            return -1, -1
        return self.begins[k], self.end_of[self.begins[k]]

    def holds(self, place):
        """Do both positions exist, in this order: is each that of its own character?"""
        start, end = self.span(place)
        return start <= end and all(point_of_line(self, at) == point
                                    for at, point in ((start, place["start"]), (end, place["end"])))


def point_of_line(words, at):
    """As point_of, by the known beginnings of lines."""
    line = bisect.bisect_right(words.starts, at) - 1
    return {"line": line, "character": units(words.text[words.starts[line]:at])}


class Checker:
    """Checks answers; what is wrong goes to `fail`."""

    def __init__(self, client, fail):
        self.client = client
        self.fail = fail
        self.cache = {}

    def words(self, uri):
        if uri not in self.cache:
            if len(self.cache) > 200:
                self.cache.clear()
            known = self.client.text.get(uri) if uri in self.client.opened else None
            self.cache[uri] = Words(read(path_of(uri)) if known is None else known)
        return self.cache[uri]

    def forget(self, uri):
        self.cache.pop(uri, None)

    def answer(self, kind, answer, uri, at, where):
        """The answer to a question about the character `at` of a text."""
        if answer is None:
            return
        words = self.words(uri)
        check = {"hover": self.under, "prepareRename": self.under, "definition": self.place,
                 "typeDefinition": self.place, "references": self.same_name, "documentHighlight": self.highlights,
                 "rename": self.edits, "documentSymbol": self.outline, "semanticTokens/full": self.colours,
                 "inlayHint": self.hints, "codeLens": self.lenses, "formatting": self.layout,
                 "rangeFormatting": self.layout, "onTypeFormatting": self.layout, "foldingRange": self.folds,
                 "codeAction": self.repairs, "completion": self.items}.get(kind)
        if check:
            check(answer, words, at, where)

    def under(self, answer, words, at, where):
        start, end = words.span(answer["range"])
        if not words.is_word(answer["range"]) or not start <= at <= end:
            self.fail("%s: %s is not the word there" % (where, answer["range"]))

    def place(self, answer, words, at, where):
        if not self.words(answer["uri"]).is_word(answer["range"]):
            self.fail("%s: leads to %s, which is no word" % (where, answer))

    def same_name(self, answer, words, at, where):
        """One word, the same everywhere."""
        found = {self.words(p["uri"]).at(p["range"]) if self.words(p["uri"]).is_word(p["range"]) else "(no word)"
                 for p in answer}
        if len(found) > 1 or "(no word)" in found:
            self.fail("%s: references are %s" % (where, sorted(found)[:5]))

    def highlights(self, answer, words, at, where):
        found = {words.at(p["range"]) if words.is_word(p["range"]) else "(no word)" for p in answer}
        if len(found) > 1 or "(no word)" in found:
            self.fail("%s: highlights are %s" % (where, sorted(found)[:5]))

    def edits(self, answer, words, at, where):
        places = [{"uri": uri, "range": e["range"]} for uri, edits in edits_by_uri(answer).items()
                  for e in edits]
        self.same_name(places, words, at, where)
        if len({str(p) for p in places}) != len(places):
            self.fail("%s: a place is renamed twice" % where)

    def outline(self, answer, words, at, where):
        stack = list(answer)
        while stack:
            item = stack.pop()
            stack += item.get("children", [])
            start, end = words.span(item["selectionRange"])
            a, b = words.span(item["range"])
            if words.text[start:end] != item["name"] or not a <= start <= end <= b:
                self.fail("%s: '%s' of the outline is %r" % (where, item["name"], words.text[start:end]))
                return

    def colours(self, answer, words, at, where):
        data = answer["data"]
        line = char = 0
        for k in range(0, len(data), 5):
            line, char = line + data[k], data[k + 1] + (char if data[k] == 0 else 0)
            start = index_of(words.text, {"line": line, "character": char}, words.starts)
            end = index_of(words.text, {"line": line, "character": char + data[k + 2]}, words.starts)
            a, b = words.around(start)
            one_line_of = a >= 0 and words.text[a] in "\"/" and end <= b  # of a comment or string
            if words.end_of.get(start) != end and not one_line_of:
                self.fail("%s: the colour at %d:%d lies on %r" % (where, line, char, words.text[start:end][:40]))
                return

    def hints(self, answer, words, at, where):
        for item in answer:
            if index_of(words.text, item["position"], words.starts) not in words.ends:
                self.fail("%s: a hint at %s does not follow a word" % (where, item["position"]))
                return

    def lenses(self, answer, words, at, where):
        for item in answer:
            if not words.is_word(item["range"]):
                self.fail("%s: lens %s is no word" % (where, item["range"]))
                return

    def layout(self, answer, words, at, where):
        """Nothing but white space and the places of brackets may change: the words stay."""
        for edit in answer:
            if not words.holds(edit["range"]):
                self.fail("%s: there is no %s" % (where, edit["range"]))
                return
        if len(answer) == 1:
            start, end = words.span(answer[0]["range"])
            text = words.text[:start] + answer[0]["newText"] + words.text[end:]
            if "".join(words.text.split()) != "".join(text.split()) and \
                    sorted(WORD.findall(words.text)) != sorted(WORD.findall(text)):
                self.fail("%s: formatting changes words" % where)

    def folds(self, answer, words, at, where):
        for item in answer:
            if not 0 <= item["startLine"] < item["endLine"] < len(words.starts):
                self.fail("%s: lines %d to %d cannot be folded" % (where, item["startLine"], item["endLine"]))
                return

    def repairs(self, answer, words, at, where):
        for action in answer:
            for edits in action["edit"]["changes"].values():
                if not all(words.holds(e["range"]) for e in edits):
                    self.fail("%s: repair %s lies nowhere" % (where, action["title"]))
                    return

    def items(self, answer, words, at, where):
        for item in answer:
            for edit in item.get("additionalTextEdits", []):
                if not words.holds(edit["range"]):
                    self.fail("%s: the import of %s lies nowhere" % (where, item["label"]))
                    return

    def messages(self, told, uri, where):
        """Messages begin at a word or sign of the text, not in the middle of a word."""
        words = self.words(uri)
        for item in told:
            start, end = words.span(item["range"])
            a, _ = words.around(start)
            inside = a >= 0 and a != start and words.text[a] not in "\"/'"
            if inside or start > end or point_of_line(words, start) != item["range"]["start"]:
                self.fail("%s: message %s at %s" % (where, item["code"], item["range"]))
                return
