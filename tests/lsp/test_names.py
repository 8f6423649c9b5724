#!/usr/bin/env python3
# long
"""References and rename over the packages of a workspace whose files are not open: redeclared classes, inherited
parameters, modifiers, named arguments, classes with files of their own. After each rename the files are checked by the
compiler: the flat model is the same but for the name."""
import os
import re
import shutil
import subprocess
import sys

from lsp_setup import RUBATO, TMP  # before the client, which it finds
from lsp_client import Client, apply_edits, edits_by_uri, path_of  # noqa: E402

FILES = {
    "Lib/package.mo": 'package Lib "a library"\n  constant Real g(unit="m/s2") = 9.81;\nend Lib;\n',
    "Lib/package.order": "g\nBase\nLaw0\nLinear\nshape\nsquare\nMedium\n",
    "Lib/Base.mo": '''within Lib;
partial model Base "a base"
  parameter Real k = 1 "gain";
  replaceable model Law = Linear constrainedby Law0 "the law";
  replaceable function f = square constrainedby shape;
  Law law(k = k);
  Real y = f(law.y);
end Base;
''',
    "Lib/Law0.mo": "within Lib;\npartial model Law0\n  parameter Real k = 1;\n  Real y;\nend Law0;\n",
    "Lib/Linear.mo": "within Lib;\nmodel Linear\n  extends Law0;\nequation\n  y = k*time*g;\nend Linear;\n",
    "Lib/shape.mo": "within Lib;\npartial function shape\n  input Real u;\n  output Real y;\nend shape;\n",
    "Lib/square.mo": "within Lib;\nfunction square\n  extends shape;\nalgorithm\n  y := u*u;\nend square;\n",
    "Lib/Medium.mo": '''within Lib;
partial package Medium
  replaceable partial function density
    input Real p;
    output Real d;
  end density;
  replaceable model Props
    Real p, d;
  equation
    d = density(p);
  end Props;
end Medium;
''',
    "App.mo": '''package App
  package Water
    extends Lib.Medium;
    redeclare function extends density
    algorithm
      d := 1000 + p;
    end density;
  end Water;
  package Oil
    extends Lib.Medium;
    redeclare function density
      input Real p;
      output Real d;
    algorithm
      d := 900 + p;
    end density;
  end Oil;
  model Cubic
    extends Lib.Law0;
  equation
    y = k*time^3;
  end Cubic;
  model A
    extends Lib.Base(redeclare model Law = Cubic, k = 3);
    replaceable package M = Oil constrainedby Lib.Medium;
    M.Props props(p = time);
    Real d2 = M.density(2);
    Real z = law.y + Lib.g;
  end A;
  model B
    A a(k = 4, redeclare package M = Water, redeclare function f = Lib.square);
    Real q = a.props.d;
  end B;
end App;
''',
}
work, other = os.path.join(TMP, "work"), os.path.join(TMP, "other")
os.makedirs(os.path.join(work, "Lib"))
for name, text in FILES.items():
    with open(os.path.join(work, name), "w", encoding="utf-8") as file:
        file.write(text)
failed = []


def flat(folder):
    p = subprocess.run([RUBATO, "flat", "--library", folder, "App.B"], capture_output=True, text=True)
    return p.stdout + p.stderr


def same(what, found, wanted):
    if found != wanted:
        failed.append(what)
        print("%s:\n  found  %s\n  wanted %s" % (what, found, wanted))


def ask(name, at, method, moves=True, **more):
    """Asks about a place of one file, which alone is open."""
    client = Client([RUBATO, "lsp"], root=work, options={"lint": False}, moves=moves)
    uri = client.open(os.path.join(work, name))
    try:
        return client.request("textDocument/" + method, client.at(uri, FILES[name].index(at), **more))
    except RuntimeError as error:
        return str(error)
    finally:
        assert client.stop() == 0


def renamed(name, at, new="renamed"):
    """Renames in a copy of the workspace; how many places in each file."""
    edit = ask(name, at, "rename", newName=new)
    shutil.rmtree(other, ignore_errors=True)
    shutil.copytree(work, other)
    for uri, edits in edits_by_uri(edit).items():
        path = path_of(uri)
        with open(path, encoding="utf-8") as file:
            text = apply_edits(file.read(), edits)
        with open(path.replace(work, other), "w", encoding="utf-8") as file:
            file.write(text)
    for change in edit.get("documentChanges", []):
        if change.get("kind") == "rename":
            os.rename(path_of(change["oldUri"]).replace(work, other), path_of(change["newUri"]).replace(work, other))
    return {os.path.relpath(path_of(uri), work): len(edits) for uri, edits in edits_by_uri(edit).items()}


before = flat(work)
assert before.startswith("model App.B\n"), before
for name, at, word, places in (
        ("Lib/Base.mo", "Law =", "Law", {"Lib/Base.mo": 2, "App.mo": 1}),  # redeclared in a modifier
        ("Lib/Base.mo", "k = 1", "k", {"Lib/Base.mo": 2, "App.mo": 2}),  # modified where it is inherited
        ("Lib/Base.mo", "f =", "f", {"Lib/Base.mo": 2, "App.mo": 1}),
        ("App.mo", "density\n    algorithm", "density", {"Lib/Medium.mo": 3, "App.mo": 5}),  # from what redeclares it
        ("App.mo", "density(2)", "density", {"Lib/Medium.mo": 3, "App.mo": 5}),
        ("Lib/Medium.mo", "Props", "Props", {"Lib/Medium.mo": 2, "App.mo": 1}),
        ("Lib/Law0.mo", "k = 1", "k", {"Lib/Law0.mo": 1, "Lib/Base.mo": 1, "Lib/Linear.mo": 1, "App.mo": 1}),
        ("App.mo", "Law0", "Law0", {"Lib/package.order": 1, "Lib/Law0.mo": 2, "Lib/Base.mo": 1, "Lib/Linear.mo": 1,
                                    "App.mo": 1}),  # with its file
        ("Lib/Linear.mo", "g;", "g", {"Lib/package.mo": 1, "Lib/Linear.mo": 1, "App.mo": 1}),
        ("Lib/Base.mo", "Lib;", "Lib", dict({n: 1 for n in FILES if n.startswith("Lib/") and n.endswith(".mo")},
                                            **{"Lib/package.mo": 2, "App.mo": 7})),  # with its folder
        ("Lib/shape.mo", "u;", "u", {"Lib/shape.mo": 1, "Lib/square.mo": 2}),
        ("App.mo", "M = Oil", "M", {"App.mo": 4})):
    same("places of %s in %s" % (word, name), renamed(name, at), places)
    same("the model after renaming %s" % word, re.sub(r"\brenamed\b", word, flat(other)), before)

places = ask("App.mo", "M.density", "references", context={"includeDeclaration": False})
same("references in one file", len(places), 3)
places = ask("Lib/Law0.mo", "y;", "references", context={"includeDeclaration": False})
same("references in files that are not open", sorted(os.path.basename(path_of(p["uri"])) for p in places),
     ["App.mo", "App.mo", "Base.mo", "Linear.mo"])
same("a class with a file, and an editor that cannot rename files", ask("App.mo", "Law0", "rename", False, newName="L"),
     "-32803: the class has a file of its own, and this editor cannot rename files")
same("a name that is taken", ask("Lib/Law0.mo", "y;", "rename", newName="k"),
     "-32803: this name is taken in the same class")
for wrong in ("a b", "model", "1x", "'q", ""):
    same("renamed to %r" % wrong, ask("Lib/Law0.mo", "y;", "rename", newName=wrong),
         "-32803: this is no name of Modelica")
print("%d comparisons failed" % len(failed))
sys.exit(1 if failed else 0)
