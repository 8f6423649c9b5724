#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which classes of a library of streams are LIED?

  recognise.py RUBATO LIBRARY MEDIUM... [--library DIR]... [--inner CLASS]

LIBRARY is the folder of the package, such as ThermofluidStream. Every model in a file of its own that has Inlets or
Outlets (without folders called Undirected, Tests, Examples, Media) is put into a model that shows these connectors and
the signal inputs, with an inner component of the class --inner, and looked at by `rubato structure --components`; the
media are tried until one is recognised. A line for each class: recognised, or why not."""
import argparse
import os
import re
import subprocess
import tempfile

SKIPPED = {"Undirected", "Tests", "Examples", "UsersGuide", "Media"}
PORT = re.compile(r"^\s*(?:\w+\.)*(Inlet|Outlet)\s+(\w+)\s*(\[[^\]]*\])?", re.M)
INPUT = re.compile(r"^\s*Modelica\.Blocks\.Interfaces\.(RealInput|BooleanInput)\s+(\w+)([^;]*)", re.M)


def code_of(path):
    with open(path, encoding="utf-8") as f:
        text = re.sub(r'"(?:[^"\\]|\\.)*"', '""', f.read(), flags=re.S)
    return re.sub(r"//.*", "", text)


def find_files(top):
    found = {}
    for root, _, files in sorted(os.walk(top)):
        if "Undirected" not in root.split(os.sep):
            for name in sorted(files):
                if name.endswith(".mo"):
                    found.setdefault(name[:-3], []).append(os.path.join(root, name))
    return found


def looks(path, files, seen=()):
    """Connectors by name: (class, size), and replaceable media, those of base classes too."""
    text = code_of(path)
    ports = {n: (k, d) for k, n, d in PORT.findall(text)}
    ports.update({n: (k, "") for k, n, rest in INPUT.findall(text.split("\nprotected")[0])
                  if not re.search(r"\bif\b", rest)})
    media = set(re.findall(r"replaceable package (Medium\w*)", text))
    for base in re.findall(r"extends\s+([\w.]+)", text):
        at = [p for p in files.get(base.split(".")[-1], []) if p != path and p not in seen]
        if at:
            at.sort(key=lambda p: (-p.endswith(base.replace(".", os.sep) + ".mo"), -len(os.path.commonpath([p, path]))))
            more, others = looks(at[0], files, seen + (path,))
            ports = {**more, **ports}
            media |= others
    return ports, media


def wrapped(name, ports, media, medium, inner, package):
    lines = ["model Shown"]
    if inner:
        lines.append(f"  inner {inner} {inner.split('.')[-1][0].lower() + inner.split('.')[-1][1:]};")
    lines.append(f"  {name} c({', '.join(f'redeclare package {m} = {medium}' for m in sorted(media))});")
    for port, (kind, size) in ports.items():
        size = re.sub(r"\b([A-Za-z]\w*)", r"c.\1", size)
        lines.append(f"  Modelica.Blocks.Interfaces.{kind} p_{port};" if kind.endswith("Input") else
                     f"  {package}.Interfaces.{kind} p_{port}{size}(redeclare package Medium = {medium});")
    return "\n".join([*lines, "equation", *(f"  connect(p_{p}, c.{p});" for p in ports), "end Shown;"])


def judge(rubato, text, libraries):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "Shown.mo")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        p = subprocess.run([rubato, "structure", path, "--model", "Shown", "--components", *libraries],
                           capture_output=True, text=True, check=False)
    found = re.search(r": (not LIED|LIED): (.*)", p.stdout)
    error = re.search(r"error ([A-Z][0-9]+: .*)", p.stderr)
    return (found.group(1), found.group(2)) if found else ("not translated", error.group(1) if error else "")


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("rubato")
    a.add_argument("package")
    a.add_argument("medium", nargs="+")
    a.add_argument("--library", action="append", default=[])
    a.add_argument("--inner")
    o = a.parse_args()
    top = os.path.abspath(o.package)
    package = os.path.basename(top)
    libraries = [w for d in [os.path.dirname(top), *o.library] for w in ("--library", d)]
    files, every, fine = find_files(top), 0, 0
    for path in sorted(p for paths in files.values() for p in paths):
        short = os.path.basename(path)[:-3]
        if SKIPPED & set(path.split(os.sep)) or not re.search(rf"^\s*model\s+{short}\b", code_of(path), re.M):
            continue
        ports, media = looks(path, files)
        if not any(kind in ("Inlet", "Outlet") for kind, _ in ports.values()):
            continue
        name = os.path.relpath(path[:-3], os.path.dirname(top)).replace(os.sep, ".")
        said = []
        for medium in o.medium:
            said.append(judge(o.rubato, wrapped(name, ports, media, medium, o.inner, package), libraries))
            if said[-1][0] == "LIED":
                break
        best = min(said, key=lambda s: ("LIED", "not LIED", "not translated").index(s[0]))
        every += 1
        fine += best[0] == "LIED"
        print(f"{name}: {best[0]}: {best[1][:160]}", flush=True)
    print(f"{fine} of {every} classes are recognised")


main()
