// Loops over tables of numbers are written round by round, arrays with subscripts that stand in the text are numbers: no
// array is left. Where a subscript is known in the run only, or the array is used as a whole, it stays one.
//! command simulate {file} --no-cache --stop 1 --intervals 2 --method rodas4 --output -
//! near y(0) = 6.914213562373096 within 1e-11
//! near y(1) = 36.4820508075689 within 1e-11
//! near z(0) = 5 within 1e-12
//! near z(1) = 5 within 1e-12
//! near s(1) = 16 within 1e-11
//! near d(1) = 40.5386751345948 within 1e-10
//! check {rubato} simulate {file} --no-cache --stop-after emit --dump emit > out && sed -n "/^.. M.series/,/^}/p" out > f && test -s f && ! grep -q "RbArray\|for (" f
//! check sed -n "/^.. M.later/,/^}/p" out > f && grep -q "RbArray" f && grep -q "for (" f
model M
  function series
    input Real x;
    output Real y;
  protected
    Real c[:] = {1, 0.5, 2, 0.25};
    Real e[:] = {0.5, 1, 2, 3};
    Real p[4];
    Real table[2, 2] = {{1, 2}, {3, 4}};
    Real w[2, 2];
  algorithm
    y := 0;
    for k in 1:4 loop
      p[k] := x^e[k];
      y := y + c[k]*p[k];
    end for;
    for k in 2:-1:1 loop
      w[k, 1] := table[k, 2];
    end for;
    y := y + (w[1, 1] + w[2, 1])/4 - 11 + p[4] - p[3];
    annotation(Inline = false);
  end series;
  function later
    input Real x;
    input Integer n;
    output Real y;
  protected
    Real c[3] = {1, 2, 4};
    Real own[2];
  algorithm
    y := 0;
    own[1] := x;
    own[2] := c[n];
    for k in 1:n loop
      y := y + c[k];
    end for;
    y := y + own[n - 1] + 2;
    annotation(Inline = false);
  end later;
  function whole
    input Real x;
    output Real y;
  protected
    Real a[3];
  algorithm
    for k in 1:3 loop
      a[k] := k*x;
    end for;
    a[2] := 2*a[2];
    y := sum(a);
    annotation(Inline = false);
  end whole;
  Integer n(start = 2, fixed = true);
  Real x(start = 2, fixed = true), y = series(x), z = later(0, n), s = whole(x - 1), d = der(y);
equation
  der(x) = 1;
  when time > 0.25 then
    n = 2;
  end when;
end M;
