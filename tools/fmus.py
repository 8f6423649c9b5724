#!/usr/bin/env python3
"""FMUs both ways: exports run by another tool's importer, and FMUs of others run by ours.

  tools/fmus.py RUBATO [--importer FMUSIM] [--schemas DIR]... [--library DIR] [--list FILE]
                [--reference DIR]... [--timeout S] [--keep DIR] [--trust] [FILE.mo | CLASS]...

Every model is exported for FMI 2.0 and 3.0. With --importer (a program with the options of fmusim of
modelica/Reference-FMUs) it is run as Model Exchange and as Co-Simulation, and what comes out is compared
with `rubato simulate` in the tube of `rubato compare`. With --schemas (folders with the public
fmi2ModelDescription.xsd or fmi3ModelDescription.xsd) xmllint checks the description; without --importer
nothing else is done, so that long lists of models are quick. --trust is passed on to Rubato.

With --reference, folders of FMUs that others built, with NAME_ref.csv or NAME_out.csv anywhere below them
or below the folders that --answers names, and NAME_in.csv beside it for inputs: each is imported by `rubato simulate --trust` in every kind it has and compared
with its reference. Where that is missing, or of another model, a run of the importer is the reference.

Prints one line for each model, then counts; exit status 1 if anything differs.
"""
import argparse
import csv
import math
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
import zipfile

MOST_VARIABLES = 60
MOST_STEPS = 100000
POINTS, TOLERANCE = 1000, "1e-7"  # of both sides: what is compared is the model, not the method


def run(command, timeout):
    try:
        p = subprocess.run(command, capture_output=True, text=True, errors="replace",
                           timeout=timeout)
        return p.returncode, (p.stdout + p.stderr).strip()
    except subprocess.TimeoutExpired:
        return -1, "time limit"


def whole_numbers(path):
    """An importer that writes 16 digits makes the largest number larger than itself."""
    with open(path, errors="replace") as f:
        text = f.read()
    whole = re.sub(r"1\.79769313486231\d+e\+308", "1.7976931348623157e308", text)
    if whole != text:
        with open(path, "w") as f:
            f.write(whole)


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1][:160] if lines else "no message"


def header(path):
    with open(path, newline="") as f:
        return next(csv.reader(f))


def description(fmu):
    with zipfile.ZipFile(fmu) as z:
        return z.read("modelDescription.xml")


def names_in(xml, version):
    """Scalars of the description that may vary, by name, without the aliases of 3.0, which few importers record."""
    root = ET.fromstring(xml)
    found = []
    for v in root.find("ModelVariables"):
        if v.find("Dimension") is not None or v.get("causality") == "independent":
            continue
        if v.get("variability") in ("constant", "fixed", "tunable"):
            continue
        if v.tag == "String" or v.find("String") is not None:
            continue
        found.append(v.get("name"))
    return found


def arrays_in(xml, names):
    """Arrays of 3.0 that may vary: {name: its elements among these names}. Arrays of components lost their subscripts."""
    found = {}
    for v in ET.fromstring(xml).find("ModelVariables"):
        sizes = [d.get("start") for d in v.findall("Dimension")]
        if not sizes or None in sizes or v.tag == "String" or v.get("variability") in ("constant", "fixed", "tunable"):
            continue
        elements = [n for n in names if re.sub(r"\[[^\]]*\]", "", n) == v.get("name")]
        if len(elements) == math.prod(map(int, sizes)):
            found[v.get("name")] = elements
    return found


def split_arrays(path, arrays):
    """A column that holds an array, written as one text, becomes one for each element."""
    with open(path, newline="") as f:
        head, *rows = list(csv.reader(f))
    if not any(n in arrays for n in head):
        return
    with open(path, "w", newline="") as f:
        out = csv.writer(f)
        out.writerow([e for n in head for e in arrays.get(n, [n])])
        for row in rows:
            out.writerow([x for n, text in zip(head, row) for x in (text.split() if n in arrays else [text])])


def kinds_in(xml):
    root = ET.fromstring(xml)
    return [k for k, tag in (("me", "ModelExchange"), ("cs", "CoSimulation"), ("se", "ScheduledExecution"))
            if root.find(tag) is not None]


def validate(o, xml, schema, work):
    """Text of the complaint, "" if the text is valid, None if there is no schema."""
    for folder in o.schemas:
        if not os.path.exists(os.path.join(folder, schema)):
            continue
        path = os.path.join(work, "validated.xml")
        with open(path, "wb") as f:
            f.write(xml)
        code, text = run(["xmllint", "--noout", "--schema", os.path.join(folder, schema), path], o.timeout)
        return "" if code == 0 else text.splitlines()[0][:200] if text else "xmllint failed"
    return None


def terminals(fmu):
    """The terminals of an archive, None if it has none."""
    with zipfile.ZipFile(fmu) as z:
        name = "terminalsAndIcons/terminalsAndIcons.xml"
        return z.read(name) if name in z.namelist() else None


def compare(o, result, reference, signals, work):
    """"" if all signals are inside the tube, else the words of the comparison."""
    path = os.path.join(work, "signals.txt")
    with open(path, "w") as f:
        f.write("".join(s + "\n" for s in signals))
    code, text = run([o.rubato, "compare", result, reference, "--signals", path,
                      "--tolerance", str(o.tube)], o.timeout)
    if code == 0:
        return ""
    outside = [line.split()[1].rstrip(":") for line in text.splitlines() if line.startswith("FAIL")]
    return last_line(text) + "".join(" " + name for name in outside[:3])


def span_of(path):
    with open(path, newline="") as f:
        rows = csv.reader(f)
        next(rows)
        times = [float(row[0]) for row in rows if row]
    return times[0], times[-1]


def ours(o, model, work):
    """Complaints about one model, and how many runs were compared."""
    target = [model]
    if o.library:
        target += [w for d in o.library for w in ("--library", d)]
    target += ["--trust"] if o.trust else []
    wanted = os.path.join(work, "ours.csv")
    code, text = run([o.rubato, "simulate", *target, "--tolerance", TOLERANCE, "--intervals", str(POINTS),
                      "--output", wanted, "--quiet"], o.timeout) if o.importer else (0, "")
    if code != 0:
        return ["rubato simulate: " + last_line(text)], 0
    bad, runs = [], 0
    for version in (2, 3):
        fmu = os.path.join(work, f"model{version}.fmu")
        code, text = run([o.rubato, "fmu", *target, "--fmi", str(version), "--output", fmu],
                         o.timeout)
        if code != 0:
            bad.append(f"export {version}: " + last_line(text))
            continue
        xml = description(fmu)
        wrong = validate(o, xml, f"fmi{version}ModelDescription.xsd", work)
        if not wrong and terminals(fmu):
            wrong = validate(o, terminals(fmu), f"fmi{version}TerminalsAndIcons.xsd", work)
        if wrong:
            bad.append(f"schema {version}: {wrong}")
        if not o.importer:
            continue
        arrays = arrays_in(xml, header(wanted)[1:]) if version == 3 else {}
        home = {e: a for a, elements in arrays.items() for e in elements}
        known = {*names_in(xml, version), *home}
        signals = [n for n in header(wanted)[1:] if n in known]
        step = max(1, len(signals) // MOST_VARIABLES)
        signals = signals[::step][:MOST_VARIABLES]
        begin, end = span_of(wanted)
        for kind in ("me", "cs"):
            out = os.path.join(work, "theirs.csv")
            asked = dict.fromkeys(home.get(n, n) for n in signals)
            chosen = [w for n in asked for w in ("--output-variable", n)]
            command = [o.importer, "--interface-type", kind, "--solver", "cvode",
                       "--tolerance", TOLERANCE, "--start-time", repr(begin), "--stop-time",
                       repr(end), "--output-interval", repr((end - begin) / POINTS),
                       *chosen, "--output-file", out, fmu]
            if os.path.exists(out):
                os.remove(out)
            code, text = run(command, o.timeout)
            runs += 1
            if code != 0 or not os.path.exists(out):
                bad.append(f"{version} {kind}: importer: " + last_line(text))
                continue
            whole_numbers(out)
            split_arrays(out, arrays)
            wrong = compare(o, out, wanted, signals, work)
            if wrong:
                bad.append(f"{version} {kind}: {wrong}")
    return bad, runs


def references(o):
    """(FMU, its reference) of the folders."""
    answers = {}
    for folder in o.answers + o.reference:
        for at, _, names in os.walk(folder):
            for name in names:
                m = re.fullmatch(r"(.*)_(?:ref|out)\.csv", name)
                if m:
                    answers.setdefault(m.group(1), os.path.join(at, name))
    for folder in o.reference:
        for at, _, names in sorted(os.walk(folder)):
            for name in sorted(n for n in names if n.endswith(".fmu")):
                yield os.path.join(at, name), answers.get(name[:-4])


def plain_reference(path, work):
    """A reference as numbers: arrays written as one text become columns, texts are left out."""
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    columns = []
    for k, name in enumerate(rows[0]):
        parts = [row[k].replace("true", "1").replace("false", "0").split() for row in rows[1:] if row]
        width = len(parts[0]) if parts else 0
        try:
            values = [[float(x) for x in p] for p in parts]
        except ValueError:
            continue
        if not width or any(len(v) != width for v in values):
            continue
        for i in range(width):
            columns.append((name if width == 1 else f"{name}[{i + 1}]", [v[i] for v in values]))
    out = os.path.join(work, "reference.csv")
    with open(out, "w", newline="") as f:
        w = csv.writer(f)
        w.writerow([name for name, _ in columns])
        w.writerows(zip(*[[repr(x) for x in values] for _, values in columns]))
    return out


def solver_step(fmu):
    """The step of explicit Euler with which the reference was made, if the FMU tells it; None."""
    with zipfile.ZipFile(fmu) as z:
        for name in z.namelist():
            if name.endswith("config.h"):
                m = re.search(r"FIXED_SOLVER_STEP\s+(\S+)", z.read(name).decode())
                return m.group(1) if m else None
    return None


def against_importer(o, fmu, command, begin, end, signals, work):
    """Model Exchange by our integrator and by CVODE of the other importer."""
    out = os.path.join(work, "cvode.csv")
    chosen = [w for n in signals for w in ("--output-variable", n)]
    code, text = run([o.importer, "--interface-type", "me", "--solver", "cvode", "--tolerance", "1e-9",
                      "--start-time", repr(begin), "--stop-time", repr(end), "--output-interval",
                      repr((end - begin) / 1000), *chosen, "--output-file", out, fmu], o.timeout)
    if code != 0 or not os.path.exists(out):
        return "importer: " + last_line(text)
    at = command.index("--interval")
    command = command[:at] + command[at + 2:] + ["--tolerance", "1e-9"]
    code, text = run(command, o.timeout)
    return compare(o, command[command.index("--output") + 1], out, signals, work) if code == 0 \
        else last_line(text)


def is_of(fmu, reference):
    """Does a reference name any variable of the FMU?"""
    variables = ET.fromstring(description(fmu)).find("ModelVariables")
    names = {v.get("name") for v in variables if v.get("causality") != "independent"}
    return bool(names & {n.split("[")[0] for n in header(reference)})


def by_importer(o, fmu, kind, work):
    """A run of the other importer as the reference of an FMU that has none: at most MOST_STEPS steps of its own."""
    experiment = ET.fromstring(description(fmu)).find("DefaultExperiment")
    begin, end = (float(experiment.get(n, d)) for n, d in (("startTime", "0"), ("stopTime", "1")))
    end = min(end, begin + MOST_STEPS * float(solver_step(fmu) or "inf"))
    interval = repr((end - begin) / POINTS)
    names = [n for n in names_in(description(fmu), 0) if "(" not in n][:MOST_VARIABLES]
    theirs, out = os.path.join(work, "importer.csv"), os.path.join(work, "ours.csv")
    code, text = run([o.importer, "--interface-type", kind, "--solver", "cvode", "--tolerance", TOLERANCE, "--start-time",
                      repr(begin), "--stop-time", repr(end), "--output-interval", interval,
                      *[w for n in names for w in ("--output-variable", n)], "--output-file", theirs, fmu], o.timeout)
    if code != 0:
        return "importer: " + last_line(text)
    code, text = run([o.rubato, "simulate", fmu, "--trust", "--kind", kind, "--output", out, "--quiet", "--start",
                      repr(begin), "--stop", repr(end), "--interval", interval, "--tolerance", TOLERANCE], o.timeout)
    return compare(o, out, theirs, names, work) if code == 0 else last_line(text)


def theirs(o, fmu, reference, work):
    """References are results of explicit Euler: Model Exchange uses the same method and step."""
    bad, runs = [], 0
    if o.importer and not (reference and is_of(fmu, reference)):
        kinds = [k for k in kinds_in(description(fmu)) if k != "se"]
        for kind in kinds:
            wrong = by_importer(o, fmu, kind, work)
            bad += [f"{kind}: {wrong}"] if wrong else []
        return bad if kinds else ["no reference"], len(kinds)
    if reference:
        inputs = re.sub(r"_ref\.csv$", "_in.csv", reference)
        inputs = inputs if inputs != reference and os.path.exists(inputs) else None
        reference = plain_reference(reference, work)
    for kind in kinds_in(description(fmu)):
        out = os.path.join(work, "ours.csv")
        command = [o.rubato, "simulate", fmu, "--trust", "--kind", kind, "--output", out, "--quiet"]
        step = solver_step(fmu)
        if reference:
            begin, end = span_of(reference)
            with open(reference) as f:
                points = sum(1 for _ in f) - 2
            command += ["--start", repr(begin), "--stop", repr(end)]
            command += ["--interval", repr((end - begin) / points)] if points > 0 else []
            command += ["--inputs", inputs] if inputs else []
        precise = list(command)
        if kind == "me" and step and (end - begin) / float(step) < 1e6:
            command += ["--method", "euler", "--fixed-step", step]
        code, text = run(command, o.timeout)
        runs += 1
        if code != 0:
            bad.append(f"{kind}: " + last_line(text))
        elif reference:
            known = set(names_in(description(fmu), 0)) | set(header(out))
            signals = [n for n in header(reference)[1:] if n in header(out)]
            missing = [n for n in header(reference)[1:] if n not in header(out) and n in known]
            wrong = compare(o, out, reference, signals, work)
            if wrong and kind == "me" and o.importer:
                # events are located, those of the reference wait for the end of a step
                wrong = against_importer(o, fmu, precise, begin, end, signals, work)
            if wrong or not signals or missing:
                bad.append(f"{kind}: {wrong or 'missing ' + ' '.join(missing) or 'nothing compared'}")
    if not runs:
        bad.append("it is of no kind that is known")
    elif not reference:
        bad.append("no reference")
    return bad, runs


def main():
    a = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("rubato")
    a.add_argument("models", nargs="*")
    a.add_argument("--importer")
    a.add_argument("--schemas", action="append", default=[])
    a.add_argument("--library", action="append", default=[])
    a.add_argument("--list")
    a.add_argument("--reference", action="append", default=[])
    a.add_argument("--answers", action="append", default=[])
    a.add_argument("--timeout", type=float, default=60)
    a.add_argument("--tube", type=float, default=0.002)
    a.add_argument("--keep")
    a.add_argument("--trust", action="store_true")
    o = a.parse_intermixed_args()
    models = list(o.models)
    if o.list:
        with open(o.list) as f:
            models += [line.split()[0] for line in f if line.strip() and line[0] != "#"]
    total = wrong = runs = 0
    jobs = [(m, lambda work, m=m: ours(o, m, work)) for m in models]
    jobs += [(f, lambda work, f=f, r=r: theirs(o, f, r, work)) for f, r in references(o)]
    for name, job in jobs:
        with tempfile.TemporaryDirectory(dir=o.keep) as work:
            bad, n = job(work)
        total, wrong, runs = total + 1, wrong + bool(bad), runs + n
        print(f"{'DIFFERS' if bad else 'ok     '} {name}" + "".join("\n    " + b for b in bad),
              flush=True)
    print(f"{total} models, {runs} runs, {wrong} with a complaint")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
