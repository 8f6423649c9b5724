// What an algorithm does not assign in a branch begins with its start value at every evaluation, if it is
// continuous: numbers, parameters, arrays, lists, records, elements of components (11.1.2).
//! command simulate {file} --output -
//! near x[2](1) = 0 within 1e-12
//! near x[2](0.25) = 0.5 within 1e-12
//! near y(1) = 7 within 1e-12
//! near z[1](1) = 10 within 1e-12
//! near z[3](1) = 30 within 1e-12
//! near w[2](1) = 7 within 1e-12
//! near p.b(1) = 5 within 1e-12
//! near c[2].u(1) = 12 within 1e-12
//! near c[1].v[2](1) = 3 within 1e-12
//! near d[2](1) = 2 within 1e-12
model M
  record P
    Real a, b;
  end P;
  model C
    parameter Real s = 11;
    Real u(start = s), v[2](start = {2, 3});
  algorithm
    if time <= 0.5 then
      u := time;
      v[2] := time;
    end if;
    v[1] := 1;
  end C;
  parameter Real p0 = 7;
  Real x[3], y(start = p0), z[3](start = {10, 20, 30}), w[2](each start = p0);
  P p(b(start = 5));
  C c[2](s = {11, 12});
  discrete Real d[2](each start = 1, each fixed = true) "kept";
algorithm
  if time > 0.5 then
    x[1] := 2;
    z[2] := 1;
    p.a := 1;
  else
    x := {1, 2, 3}*time;
    y := time;
    z := {time, time, time};
    w := {time, time};
    p := P(3, 4);
  end if;
algorithm
  when time > 0.25 then
    d[1] := pre(d[1]);
    d[2] := 2;
  end when;
end M;
