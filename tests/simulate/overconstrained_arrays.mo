//! command simulate {file} --model OverconstrainedArrays.Test --output -
//! near load.t.theta[1](0.5) = 0.5 within 1e-9
//! near loads[3].t.theta[2](0.5) = 1 within 1e-9
//! near first.t.v(1) = 1 within 1e-9
//! near load.t.v[2](1) = 1.5 within 1e-9
package OverconstrainedArrays "An array of an overdetermined type is one node of the graph (9.4)"
  type Angle
    extends Real;
    function equalityConstraint
      input Angle a[:];
      input Angle b[:];
      output Real r[0];
    algorithm
      assert(abs(a[1] - b[1]) < 1e-9, "the angles differ");
    end equalityConstraint;
  end Angle;
  package System
    constant Integer n = 2;
  end System;
  connector Terminal
    replaceable package S = System;
    Real v[S.n];
    flow Real i[S.n];
    Angle theta[S.n];
  end Terminal;
  model Source
    Terminal t;
  equation
    t.v = {1, 2};
    Connections.root(t.theta);
    if Connections.isRoot(t.theta) then
      t.theta = {time, 2*time};
    end if;
  end Source;
  model Line
    Terminal p, n;
  equation
    p.i + n.i = zeros(2);
    p.v - n.v = p.i;
    Connections.branch(p.theta, n.theta);
    p.theta = n.theta;
  end Line;
  model Load
    Terminal t;
  equation
    t.v = 2*t.i;
  end Load;
  connector ThreePhases
    Terminal phase[3];
  end ThreePhases;
  connector Empty
    Real v;
    flow Real i;
    Angle theta[0] "no angle: no node";
  end Empty;
  model EmptyEnd
    Empty t;
  equation
    t.v = t.i + time;
    Connections.potentialRoot(t.theta);
  end EmptyEnd;
  model Test
    EmptyEnd first, second;
    Source source;
    Line a, b, c;
    Load load;
    Source sources[3];
    Line lines[3];
    Load loads[3];
    ThreePhases bar;
  equation
    connect(first.t, second.t);
    connect(source.t, a.p);
    connect(a.n, b.p);
    connect(b.n, load.t);
    connect(source.t, c.p);
    connect(c.n, b.n); // a ring: one connect is broken
    connect(sources.t, lines.p);
    connect(lines.n, bar.phase);
    connect(bar.phase, loads.t);
  end Test;
end OverconstrainedArrays;
