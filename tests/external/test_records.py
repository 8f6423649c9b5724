"""Records and external objects as arguments of external C, at run time and while translating."""
import csv
import io
import os
import subprocess

TMP = os.environ["TMPDIR"]
RUBATO = os.path.join(os.path.abspath(os.environ["RUBATO_BUILD"]), "rubato")

MODELICA = """package Ext
  record Inner
    Real b;
    Boolean c;
  end Inner;
  record Whole
    Real a;
    Integer n;
    Inner q;
    Integer m;
    String s;
  end Whole;
  record Pair
    Real x, y;
  end Pair;
  function size_of
    input Whole r;
    output Integer n;
    external "C" n = ext_size(r) annotation(%(include)s);
  end size_of;
  function make
    input Integer n;
    output Whole r;
    external "C" ext_make(n, r) annotation(%(include)s);
  end make;
  function pair
    input Real u;
    output Pair r;
    external "C" r = ext_pair(u) annotation(%(include)s);
  end pair;
  function ext_plain
    input Pair p;
    output Real y;
    external "C" annotation(%(include)s);
  end ext_plain;
  function small "mixed, and by value: not supported"
    input Real u;
    output Inner r;
    external "C" r = ext_small(u) annotation(%(include)s);
  end small;
  class Table
    extends ExternalObject;
    function constructor
      input Integer n;
      output Table o;
      external "C" o = ext_open(n) annotation(%(include)s);
    end constructor;
    function destructor
      input Table o;
      external "C" ext_close(o) annotation(%(include)s);
    end destructor;
  end Table;
  function rows
    input Table o;
    output Integer n;
    external "C" n = ext_rows(o) annotation(%(include)s);
  end rows;
  model Running
    Whole r(a = 2.5, n = 2, q(b = 2.5, c = true), m = 100, s = "abc");
    Integer n = size_of(r);
    Whole w = make(n);
    Pair p = pair(time);
    Real y = ext_plain(p);
  end Running;
  model Sizes
    parameter Whole r(a = 1.5, n = 2, q(b = 2.5, c = true), m = 0, s = "abc");
    parameter Whole w = make(2);
    parameter Pair p = pair(3);
    parameter Table table = Table(4);
    Real a[size_of(r)], b[w.m], c[integer(p.y)], d[rows(table)];
    Integer n[4] = {size(a, 1), size(b, 1), size(c, 1), size(d, 1)};
    Boolean text = w.s == "made";
    Real y = time + rows(table);
  equation
    a = ones(size(a, 1));
    b = ones(size(b, 1));
    c = ones(size(c, 1));
    d = ones(size(d, 1));
  end Sizes;
  model Refused
    Inner r = small(time);
  end Refused;
  model RefusedSize
    parameter Inner r = small(2);
    Real x[integer(r.b)] = ones(integer(r.b));
  end RefusedSize;
end Ext;
"""

HEADER = """#include <stdlib.h>
#include <string.h>
struct Inner { double b; int c; };
struct Whole { double a; int n; struct Inner q; int m; const char *s; };
struct Pair { double x, y; };
int ext_size(const struct Whole *r);
void ext_make(int n, struct Whole *r);
struct Pair ext_pair(double u);
double ext_plain(const struct Pair *p);
struct Inner ext_small(double u);
void *ext_open(int n);
void ext_close(void *o);
int ext_rows(void *o);
"""

SOURCE = """#include "ext.h"
int ext_size(const struct Whole *r) {
    return r->n + (int)(2*r->a) + (r->q.c ? (int)r->q.b : 0) + r->m + (int)strlen(r->s);
}
void ext_make(int n, struct Whole *r) {
    struct Whole whole = {n + 0.5, n + 1, {n + 2.5, 1}, n + 3, "made"};
    *r = whole;
}
struct Pair ext_pair(double u) { struct Pair p = {u, 2*u}; return p; }
double ext_plain(const struct Pair *p) { return p->x + p->y; }
struct Inner ext_small(double u) { struct Inner r = {u, 1}; return r; }
void *ext_open(int n) { int *p = malloc(sizeof *p); *p = n; return p; }
void ext_close(void *o) { free(o); }
int ext_rows(void *o) { return *(int *)o; }
"""


def write(name, text):
    path = os.path.join(TMP, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def run(model):
    return subprocess.run([RUBATO, "simulate", "Ext." + model, "--library", TMP, "--trust", "--quiet", "--stop", "1",
                           "--intervals", "1", "--parameters", "no", "--output", "-"], capture_output=True, text=True)


def values(model):
    p = run(model)
    assert p.returncode == 0, p.stderr
    rows = list(csv.reader(io.StringIO(p.stdout)))
    return dict(zip(rows[0], map(float, rows[-1])))


def main():
    include = 'Include = "#include \\"ext.h\\""'
    write("Ext/package.mo", MODELICA % {"include": include})
    write("Ext/Resources/C-Sources/ext.c", SOURCE)
    write("Ext/Resources/C-Sources/ext.h", HEADER)
    v = values("Running")
    assert v["n"] == 2 + 5 + 2 + 100 + 3, v
    assert [v["w.a"], v["w.n"], v["w.q.b"], v["w.q.c"], v["w.m"]] == [112.5, 113, 114.5, 1, 115], v
    assert [v["p.x"], v["p.y"], v["y"]] == [1, 2, 3], v
    v = values("Sizes")
    assert [v["n[%d]" % k] for k in (1, 2, 3, 4)] == [10, 5, 6, 4] and v["text"] == 1 and v["y"] == 5, v
    for model, code in (("Refused", "F910"), ("RefusedSize", "F150")):
        p = run(model)
        assert p.returncode == 1 and code in p.stderr, (model, p.stderr)


main()
