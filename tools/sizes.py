#!/usr/bin/env python3
"""No function above 100 lines, no struct above 40 fields: prints those that are, and fails.

  tools/sizes.py FILE...
"""
import re
import sys

MOST_LINES, MOST_FIELDS = 100, 40


def functions(text):
    for m in re.finditer(r"^[a-zA-Z][^\n;{}]*(?:\n[^\n;{}]*)*?\)\s*\{\n", text, re.M):
        if "= {" not in m.group(0):
            end = text.find("\n}", m.end())
            yield m.group(0).split("\n")[0], text.count("\n", m.start(), end) + 1


def declared(text):
    """How many names a declaration makes: commas outside of brackets, and one."""
    depth, names = 0, 1
    for c in text:
        depth += (c in "([") - (c in ")]")
        names += c == "," and depth == 0
    return names


def structs(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    for m in re.finditer(r"struct\s*(\w*)\s*\{", text):
        depth, fields, begin = 1, 0, m.end()
        for i in range(m.end(), len(text)):
            c = text[i]
            if c == ";" and depth == 1:
                fields += declared(text[begin:i])
            depth += (c == "{") - (c == "}")
            if c in ";{}":
                begin = i + 1
            if depth == 0:
                break
        yield m.group(1), fields


def main():
    bad = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for name, lines in functions(text):
            if lines > MOST_LINES:
                print(f"{path}: {lines} lines: {name}")
                bad += 1
        for name, fields in structs(text):
            if fields > MOST_FIELDS:
                print(f"{path}: {fields} fields: struct {name}")
                bad += 1
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
