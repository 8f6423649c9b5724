// Arrays of components, a loop over them, a linear system, a function.
package Arrays
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Cell
    parameter Real R = 1, C = 0.1;
    Pin a, b;
    Real u(start = 0, fixed = true);
  equation
    a.v - b.v = R*a.i;
    a.i + b.i = C*der(u);
    u = b.v;
  end Cell;
  model Source
    Pin p;
  equation
    p.v = 1;
  end Source;
  function shaped
    input Real x[:];
    output Real y;
  algorithm
    y := 0;
    for k in 1:size(x, 1) loop
      y := y + x[k]^2/k;
    end for;
  end shaped;
  model Chain
    parameter Integer n = 5;
    Cell cell[n](R = {0.5 + 0.1*k for k in 1:n});
    Source source;
    Real s, z[3];
  equation
    connect(source.p, cell[1].a);
    for k in 1:n - 1 loop
      connect(cell[k].b, cell[k + 1].a);
    end for;
    s = shaped(cell.u);
    2*z[1] + z[2] = s;
    z[1] + 3*z[2] + z[3] = 1;
    z[2] + 2*z[3] = time;
    annotation(experiment(StopTime = 1));
  end Chain;
end Arrays;
