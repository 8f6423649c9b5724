// What every pass gave can be printed, and the passes after it do not run.
//! command simulate {file} --stop-after structure --dump structure --stages
//! output 6 equations, 6 unknowns, 1 states (1 independent), 3 aliases, 1 rows differentiated, 6 blocks, 1 of them loops
//! output l.y ?= l.y + exp(l.y) = s.p.v
//! message stage: tear ok
//! input echo '{rubato} simulate {file} --stop-after $1 --dump $1 --stages > out 2>&1 && grep -qF "$2" out && test "$(grep stage: out | tail -n 1)" = "stage: $1 ok"' > dump
//! check sh dump parse 'M'
//! check sh dump instantiate 'l: M.Load, 2 equations'
//! check sh dump connect 's.p.i + l.p.i = 0'
//! check sh dump flatten 'l.g = 1/l.r'
//! check sh dump rows 'der(x)'
//! check sh dump aliases 'l.p.i = -s.p.i'
//! check sh dump index 'z = 2.0*x -> der(z) = -2.0*w'
//! check sh dump states 'state set of 2 candidates, 1 states: x'
//! check sh dump match 'w <- der(z) = -2.0*w'
//! check sh dump order '5: der(z)'
//! check sh dump tear '2: nonlinear block of 1, 1 iteration variables'
//! check sh dump bindings 'l.g := l.g = 1/l.r'
//! check sh dump start 'z := z = 2.0*x'
//! check sh dump schedule '6 groups of 6 kernels'
//! check sh dump needs 'to be shown: 2 groups, 2 rows'
//! check sh dump homes 'x: in place, rate copied'
//! check sh dump fuse 'parallel, shown'
//! check sh dump relations '1: x > 0.5'
//! check sh dump emit 'exp('
//! check sh dump tables 'run: 6 groups, 6 equations, 1 relations'
//! check sh dump patterns 'df/dx: 1 x 1, 1 entries'
//! check sh dump readers 'all blocks are evaluated together'
//! check sh dump locality 'all events concern the whole model'
//! check sh dump freeze '13 variables, 1 states'
model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Source
    Pin p;
    parameter Real u = 2;
  equation
    p.v = u * time;
  end Source;
  model Load
    Pin p;
    Real y;
    parameter Real r = 3, g = 1 / r;
  equation
    p.i = g * p.v + sin(y);
    y + exp(y) = p.v;
  end Load;
  Source s;
  Load l;
  Real x(start = 1, fixed = true), z, w;
equation
  connect(s.p, l.p);
  der(x) = -w;
  z = 2 * x;
  der(z) = if x > 0.5 then -x else l.y;
end M;
//! long
