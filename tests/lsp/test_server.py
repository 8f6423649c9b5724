#!/usr/bin/env python3
"""The language server answers a scripted editor: every kind of request on a package of our own, with
characters outside of the basic plane, and its answers are compared."""
import json
import os
import subprocess
import sys

from lsp_setup import RUBATO, TMP  # before the client, which it finds
from lsp_client import Client, apply_edits, index_of, path_of, point_of, uri_of  # noqa: E402

PLANT = '''package Plant "a plant"
  type Length = Real(unit="m", min=0) "a length";
  type Mode = enumeration(off "not running", on);
  connector Pin "an electrical pin"
    Real v(unit="V");
    flow Real i(unit="A");
  end Pin;
  function area "area of a rectangle"
    input Length a "one side";
    input Length b = 2 "other side";
    output Real y;
  algorithm
    y := a*b;
  end area;
  model Resistor "\u00e4\u00f6\u00fc \U0001d11e an ohmic resistor"
    parameter Real R(unit="Ohm") = 10 "resistance";
    Pin p "first", n "second";
  equation
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
    annotation(Documentation(info="<html><h4>Law</h4><p>v = R &lt;times&gt; i</p></html>"));
  end Resistor;
  model Circuit
    parameter Integer k = 3;
    parameter Mode mode = Mode.on; Source a[k], b[k]; Real u[k];
    Resistor r[k](each R = 2*k);
    Length s = area(3);
    Real w[:] = {1, 2, s};
    Real z = 1 /* \U0001d11e\u00e9 */ + w[2];
  equation
    for j in 1:k loop
      u[j] = r[j].p.v; connect(r[j].p, a[j].p); connect(r[j].n, b[j].p);
    end for;
  end Circuit;
  model Source
    Pin p;
  equation
    p.v = 5;
  end Source;
end Plant;
'''
path = os.path.join(TMP, "Plant.mo")
with open(path, "w", encoding="utf-8") as f:
    f.write(PLANT)
failed = []


def same(what, found, wanted):
    if found != wanted:
        failed.append(what)
        print("%s:\n  found  %s\n  wanted %s" % (what, json.dumps(found, ensure_ascii=False),
                                               json.dumps(wanted, ensure_ascii=False)))


def words(uri, places):
    """What stands at ranges of a text."""
    return [client.text[uri][index_of(client.text[uri], p["range"]["start"]):
                             index_of(client.text[uri], p["range"]["end"])] for p in places]


def line_of(place):
    return place["range"]["start"]["line"]


def hover(at):
    answer = client.request("textDocument/hover", client.at(uri, at))
    return answer and answer["contents"]["value"]


client = Client([RUBATO, "lsp"], root=TMP, options={"lint": False})
same("name of the server", client.server["serverInfo"]["name"], "rubato")
same("encoding", client.server["capabilities"]["positionEncoding"], "utf-16")
uri = client.open(path)
text = client.text[uri]
whole = {"textDocument": {"uri": uri}}
same("a right text has no messages", client.diagnostics(uri)[0], [])

# ---- hover: type, size, unit, value, description, documentation ----
same("array", hover(text.index("w[2]")), "```modelica\nReal[3] w = {1, 2, s}\n```")
same("unit of a type", hover(text.index("s = area")),
     "```modelica\nPlant.Length s = Plant.area(3, 2)\n```\n\nunit: m")
same("parameter in a modifier", hover(text.index("R = 2*k")),
     "```modelica\nparameter Real R = 10\n```\n\nunit: Ohm\n\nresistance")
same("documentation as text", hover(text.index("Resistor r")),
     "```modelica\nmodel Plant.Resistor\n```\n\n\u00e4\u00f6\u00fc \U0001d11e an ohmic resistor\n\n---\n"
     "\n\n### Law\n\nv = R <times> i")
same("after a dot", hover(text.index("v; connect")), "```modelica\nReal v\n```\n\nunit: V")
same("iterator", hover(text.index("j in")), "```modelica\nj\n```\n\niterator")
same("literal", hover(text.index("on; Source")), "```modelica\nPlant.Mode.on\n```")
same("attribute", hover(text.index('unit="Ohm"')), "```modelica\nunit\n```\n\nattribute of a built-in type")
same("nothing", hover(text.index("2*k")), None)
answer = client.request("textDocument/hover", client.at(uri, text.index("w[2]")))
same("range after U+1D11E", answer["range"]["start"], {"line": 28, "character": 27})

# ---- definitions ----


def target(method, at):
    place = client.request("textDocument/" + method, client.at(uri, at))
    return place and (os.path.basename(path_of(place["uri"])), line_of(place), words(uri, [place])[0])


same("definition of a type", target("definition", text.index("Length s")), ("Plant.mo", 1, "Length"))
same("definition after a dot", target("definition", text.index("v; connect")), ("Plant.mo", 4, "v"))
same("definition of a function", target("definition", text.index("area(3")), ("Plant.mo", 7, "area"))
same("definition of a literal", target("definition", text.index("on; Source")), ("Plant.mo", 2, "on"))
same("definition of an iterator", target("definition", text.index("j].p.v")), ("Plant.mo", 30, "j"))
same("type definition", target("typeDefinition", text.index("r[j].p.v")), ("Plant.mo", 14, "Resistor"))
same("definition of a keyword", target("definition", text.index("for j")), None)

# ---- references and rename ----
at = text.index('R(unit="Ohm"')
places = client.request("textDocument/references", client.at(uri, at, context={"includeDeclaration": True}))
same("references", [line_of(p) for p in places], [15, 18, 25])
same("words of references", words(uri, places), ["R", "R", "R"])
places = client.request("textDocument/references", client.at(uri, at, context={"includeDeclaration": False}))
same("references without the declaration", [line_of(p) for p in places], [18, 25])
same("highlights", [line_of(p) for p in client.request("textDocument/documentHighlight", client.at(uri, at))],
     [15, 18, 25])
same("prepare rename", client.request("textDocument/prepareRename", client.at(uri, at))["placeholder"], "R")
same("no rename of a keyword", client.request("textDocument/prepareRename", client.at(uri, 0)), None)
at = text.index("Pin p")
edits = client.request("textDocument/rename", client.at(uri, at, newName="Plug"))["changes"][uri]
renamed = apply_edits(text, edits)
same("rename", renamed, text.replace("connector Pin", "connector Plug").replace("end Pin", "end Plug")
     .replace("Pin p", "Plug p"))

# ---- completion and signatures ----


def labels(at):
    return [i["label"] for i in client.request("textDocument/completion", client.at(uri, at))]


same("completion after a dot", labels(text.index("v; connect")), ["v", "i"])
same("completion of modifiers", labels(text.index("R = 2*k")), ["R", "p", "n"])
same("completion of attributes", labels(text.index('unit="Ohm"') + 1), ["unit"])
same("completion of arguments", labels(text.index("3);"))[:2], ["a", "b"])
same("completion of literals", labels(text.index("Mode.on") + 5), ["off", "on"])
same("completion of classes", labels(text.index("Length s") + 3), ["Length"])
item = client.request("textDocument/completion", client.at(uri, text.index("R = 2*k")))[0]
same("a completed modifier", (item["insertText"], item["detail"], item["documentation"]),
     ("R = ", "parameter Real", "resistance"))
answer = client.request("textDocument/signatureHelp", client.at(uri, text.index("3);") + 1))
same("signature", answer["signatures"][0]["label"], "area(Length a, Length b = 2) -> Real y")
same("active parameter", answer["activeParameter"], 0)

answer = client.request("textDocument/signatureHelp", client.at(uri, text.index("w[:]") - 5))
same("no signature outside of calls", answer, None)

# ---- outline, folding, workspace ----
outline = client.request("textDocument/documentSymbol", whole)
same("outline", [(c["name"], c["kind"]) for c in outline[0]["children"]],
     [("Length", 26), ("Mode", 10), ("Pin", 11), ("area", 12), ("Resistor", 5), ("Circuit", 5), ("Source", 5)])
same("outline of a model", [c["name"] for c in outline[0]["children"][4]["children"]], ["R", "p", "n"])
same("names in the outline", words(uri, [{"range": c["selectionRange"]} for c in outline[0]["children"]]),
     ["Length", "Mode", "Pin", "area", "Resistor", "Circuit", "Source"])
same("folding", [(f["startLine"], f["endLine"]) for f in client.request("textDocument/foldingRange", whole)],
     [(0, 39), (3, 6), (7, 13), (11, 12), (14, 21), (17, 19), (22, 33), (29, 32), (30, 32), (34, 38), (36, 37)])
same("workspace", [(x["name"], x["containerName"]) for x in client.request("workspace/symbol", {"query": "rstr"})],
     [("Resistor", "Plant")])

# ---- colours ----
legend = client.server["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
data = client.request("textDocument/semanticTokens/full", whole)["data"]
line = char = 0
colours = []
for k in range(0, len(data), 5):
    line, char = line + data[k], data[k + 1] + (char if data[k] == 0 else 0)
    start = index_of(text, {"line": line, "character": char})
    end = index_of(text, {"line": line, "character": char + data[k + 2]})
    colours.append((line, text[start:end], legend[data[k + 3]]))
same("colours", [c[1:] for c in colours if c[0] == 28],
     [("Real", "type"), ("z", "variable"), ("1", "number"), ("/* \U0001d11e\u00e9 */", "comment"), ("w", "variable"),
      ("2", "number")])
same("colours of a modifier", [c[1:] for c in colours if c[0] == 25],
     [("Resistor", "type"), ("r", "variable"), ("k", "parameter"), ("each", "keyword"), ("R", "property"),
      ("2", "number"), ("k", "parameter")])

# ---- hints, lens, layout ----
hints = client.request("textDocument/inlayHint", dict(whole, range={
    "start": {"line": 22, "character": 0}, "end": {"line": 34, "character": 0}}))
far = client.request("textDocument/hover", dict(whole, position={"line": 1e300, "character": -1e300}))
same("a place that no text has", far, None)
same("hints", [(h["position"]["line"], h["label"]) for h in hints],
     [(24, "[3]"), (24, "[3]"), (24, "[3]"), (25, "[3]"), (26, "\u27e8m\u27e9"), (27, "[3]")])
lens = client.request("textDocument/codeLens", whole)
same("lens", [(x["command"]["title"], x["command"]["arguments"][1]) for x in lens],
     [("simulate", "Plant.Resistor"), ("check", "Plant.Resistor"), ("simulate", "Plant.Circuit"),
      ("check", "Plant.Circuit"), ("simulate", "Plant.Source"), ("check", "Plant.Source")])
edits = client.request("textDocument/formatting", dict(whole, options={}))
formatted = subprocess.run([RUBATO, "format", path], capture_output=True, text=True).stdout
same("formatted as rubato format does", apply_edits(text, edits), formatted)

ugly = "model Ugly\n      Real x;\nequation\n x = 1;\n        x = max(1, 2);\nend Ugly;\n"
other = client.open(os.path.join(TMP, "Ugly.mo"), ugly)
indented = client.request("textDocument/rangeFormatting", {"textDocument": {"uri": other}, "options": {}, "range": {
    "start": {"line": 1, "character": 0}, "end": {"line": 3, "character": 0}}})
same("some lines", apply_edits(ugly, indented), ugly.replace("      Real", "  Real").replace("\n x", "\n  x"))
indented = client.request("textDocument/onTypeFormatting", {"textDocument": {"uri": other}, "options": {}, "ch": ";",
                                                        "position": {"line": 4, "character": 22}})
same("the line just typed", apply_edits(ugly, indented), ugly.replace("        x", "  x"))
answer = client.request("textDocument/signatureHelp", client.at(other, ugly.index("2);")))
same("signature of a built-in function", (answer["signatures"][0]["label"], answer["activeParameter"]), ("max(x, y)", 1))
client.close(other)

# ---- classes with their import ----
for head in ('model User "uses it"\n', "model User\n    \"uses\" + \"it\" // so\n", "model User "):
    user = head + "  Real x = 1; Sour s;\nend User;\n"
    other = client.open(os.path.join(TMP, "User.mo"), user)
    items = client.request("textDocument/completion", client.at(other, user.index("Sour") + 4))
    item = [i for i in items if i["label"] == "Source"][0]
    chosen = item["additionalTextEdits"] + [{"newText": "Source", "range": {
        "start": point_of(user, user.index("Sour")), "end": point_of(user, user.index(" s;"))}}]
    client.change(other, 0, len(user), apply_edits(user, chosen))
    same("import after %r" % head, client.text[other].count("import Plant.Source;"), 1)
    same("messages with the import after %r" % head, client.diagnostics(other)[0], [])
    client.close(other)

# ---- a check ends with the next keystroke ----
large = "model Large\n  Real x[200000];\nequation\n  for i in 1:200000 loop x[i] = time + i; end for;\nend Large;\n"
other = client.open(os.path.join(TMP, "Large.mo"), large)
for k in range(20):
    client.change(other, 0, 0, " ")
at = client.text[other].index("time")
client.change(other, at, at + 4, "tim")
same("messages after many keystrokes are those of the last", [d["code"] for d in client.diagnostics(other)[0]], ["F100"])
versions = client.versions[other]
same("not every version was looked at", versions[-1] == 22 and len(versions) < 21, True)
client.close(other)

# ---- changes: messages, repairs, UTF-16 ----
at = text.index("w[2]")
client.change(uri, at, at + 1, "ww")
found = client.diagnostics(uri)[0]
same("did you mean", [(d["code"], d["message"], d["range"]["start"]["character"]) for d in found],
     [("F100", "there is no 'ww' in 'Plant.Circuit'; did you mean 'w'?", 27)])
actions = client.request("textDocument/codeAction", dict(whole, range=found[0]["range"],
                                                       context={"diagnostics": found}))
same("the repair", apply_edits(client.text[uri], actions[0]["edit"]["changes"][uri]), text)
client.change(uri, at, at + 2, "w")
same("repaired", client.diagnostics(uri)[0], [])
at = text.index("each R")
client.change(uri, at, at + 5, "")
found = client.diagnostics(uri)[0]
same("missing each", [d["code"] for d in found], ["T106"])
actions = client.request("textDocument/codeAction", dict(whole, range=found[0]["range"],
                                                       context={"diagnostics": found}))
same("each is added", apply_edits(client.text[uri], actions[0]["edit"]["changes"][uri]), text)
client.change(uri, at, at, "each ")
at = text.index("{1, 2")
client.change(uri, at, at + 1, "(")
found = client.diagnostics(uri)[0]
same("syntax", [(d["code"], line_of(d)) for d in found], [("P105", 27)])
client.change(uri, at, at + 1, "{")
at = text.index("2*k")
client.change(uri, at, at, "\U0001d11e")
client.change(uri, at, at + 1, "")
same("a character of two units comes and goes", client.diagnostics(uri)[0], [])
same("the text is the same", client.request("textDocument/formatting", dict(whole, options={})), edits)
at = text.index("Length s = area(3);")
client.change(uri, at, at + len("Length s = area(3);"), "Length s = x; parameter Real x(unit=\"mm\") = 3;")
found = client.diagnostics(uri)[0]
same("units", [(d["code"], d["severity"]) for d in found], [("T200", 2)])
actions = client.request("textDocument/codeAction", dict(whole, range=found[0]["range"],
                                                       context={"diagnostics": found}))
same("conversion of units", apply_edits(client.text[uri], actions[0]["edit"]["changes"][uri]),
     client.text[uri].replace("s = x", "s = 0.001*x"))
client.close(uri)

# ---- a package of several files; files on disk that change ----
folder = os.path.join(TMP, "Parts")
os.makedirs(folder)
files = {"package.mo": "package Parts\n  constant Real g = 9.81;\nend Parts;\n",
         "Ball.mo": "within Parts;\nmodel Ball\n  parameter Real m = 1;\n  Real f = m*g;\nend Ball;\n",
         "Box.mo": "within Parts;\nmodel Box\n  Ball ball(m = 2);\n  Real f = ball.f;\nend Box;\n"}
for name, content in files.items():
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(content)
uri = client.open(os.path.join(folder, "Box.mo"))
same("classes in other files", client.diagnostics(uri)[0], [])
at = files["Box.mo"].index("m = 2")
changes = client.request("textDocument/rename", client.at(uri, at, newName="mass"))["changes"]
same("rename over a package", {os.path.basename(path_of(u)): len(e) for u, e in changes.items()},
     {"Ball.mo": 2, "Box.mo": 1})
with open(os.path.join(folder, "Ball.mo"), "w", encoding="utf-8") as f:
    f.write(files["Ball.mo"].replace("Real f", "Real force"))
client.notify("workspace/didChangeWatchedFiles", {"changes": []})
client.version[uri] += 1
client.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": client.version[uri]},
                                         "contentChanges": []})
same("a file that changed on disk", [(d["code"], line_of(d)) for d in client.diagnostics(uri)[0]], [("F106", 3)])
other = client.open(os.path.join(folder, "Ball.mo"), files["Ball.mo"])
client.diagnostics(other)
client.change(uri, 0, 0, " ")
client.diagnostics(uri)
client.change(uri, 0, 1, "")
same("the text of the editor counts", client.diagnostics(uri)[0], [])
client.change(other, 0, len("within Parts;\n"), "")
found = client.diagnostics(other)[0]
same("missing within", [d["code"] for d in found], ["S107"])
actions = client.request("textDocument/codeAction", {"textDocument": {"uri": other}, "range": found[0]["range"],
                                                    "context": {"diagnostics": found}})
same("within is added", apply_edits(client.text[other], actions[0]["edit"]["changes"][other]), files["Ball.mo"])

# ---- what an editor should not send ----
for method, params in (("textDocument/hover", {"textDocument": {"uri": uri_of("/nowhere.mo")},
                                               "position": {"line": 0, "character": 0}}),
                       ("textDocument/hover", {}), ("textDocument/completion", {"textDocument": {"uri": uri}}),
                       ("textDocument/definition", {"textDocument": {"uri": uri},
                                                    "position": {"line": -5, "character": 1e9}})):
    client.request(method, params)
try:
    client.request("rubato/unknown", {})
    failed.append("an unknown request is refused")
except RuntimeError as error:
    same("unknown request", str(error), "-32601: rubato/unknown")
same("exit status", client.stop(), 0)
# ---- what no editor sends: the server ends instead of collecting it ----
for data in (b"Content-Length: 1\r\nX: " + b"y" * 60000, b"Content-Length: 99999999999\r\n\r\n{"):
    with subprocess.Popen([RUBATO, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdin.write(data)
        process.stdin.flush()
        same("the server ends", process.wait(timeout=60), 1)
print("%d comparisons failed" % len(failed))
sys.exit(1 if failed else 0)
