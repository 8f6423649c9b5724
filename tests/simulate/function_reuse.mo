// What statements of a function have in common is computed once: one power and one exponential instead of three and two. What
// is assigned in between, in a round of a loop or in an element of an array, is computed again; what stands in a branch is
// not computed ahead. Every function gives the number of the formula beside it.
//! command simulate {file} --model M.All --stop 1 --output -
//! near e(1) = 0 within 1e-13
//! near between(1) = 0 within 1e-12
//! near branch(1) = 0 within 1e-13
//! near rounds(1) = 0 within 1e-13
//! near places(1) = 0 within 1e-13
//! check {rubato} simulate {file} --model M.All --no-cache --stop-after emit --dump emit > out && sed -n "/^.. M.series/,/^}/p" out > f && test $(grep -o "pow(" f | wc -l) = 1 && test $(grep -o "exp(" f | wc -l) = 1
package M
  function series
    input Real x;
    output Real y;
  protected
    Real a, b;
  algorithm
    a := x^0.3 + exp(-x);
    b := 2*x^0.3*exp(-x);
    y := a + b*x^0.3;
    annotation (Inline = false);
  end series;
  function between
    input Real x;
    output Real y;
  protected
    Real d, a, b;
  algorithm
    d := x;
    a := exp(3*d)*d;
    d := 2*x;
    b := exp(3*d)*d;
    d := exp(3*d)*d;
    y := a + b + d;
    annotation (Inline = false);
  end between;
  function branch "log(x - 2) and zero(x) would fail"
    input Real x;
    output Real y;
  protected
    Real a, b;
  algorithm
    a := if x > 2 then log(x - 2)*zero(x) else x;
    b := if x > 2 then log(x - 2)*zero(x) else 2*x;
    if x > 2 then
      y := log(x - 2)*zero(x);
      y := log(x - 2)*zero(x) + y;
    else
      y := a + b + sqrt(x)*exp(x);
      y := y + sqrt(x)*exp(x);
    end if;
    annotation (Inline = false);
  end branch;
  function zero
    input Real x;
    output Real y;
  algorithm
    assert(x < 1, "not to be called");
    y := x;
    annotation (Inline = false);
  end zero;
  function rounds
    input Real x;
    output Real y;
  protected
    Real k;
  algorithm
    k := 1;
    y := 0;
    for i in 1:3 loop
      y := y + sin(k + x)*k;
      k := k*x;
      y := y + sin(k + x)*k;
    end for;
    annotation (Inline = false);
  end rounds;
  function places
    input Real x;
    output Real y;
  protected
    Real v[integer(x) + 1];
    Real a, b;
  algorithm
    v[1] := x;
    v[2] := 1;
    a := sin(v[1]*v[2])*v[1];
    v[integer(x) + 1] := 3;
    b := sin(v[1]*v[2])*v[1];
    y := a + 10*b;
    annotation (Inline = false);
  end places;
  model All
    Real x = 1 + time/2;
    Real e = series(x) - x^0.3 - exp(-x) - 2*x^0.6*exp(-x);
    Real between = M.between(x) - x*exp(3*x) - 4*x*exp(6*x);
    Real branch = M.branch(x) - 3*x - 2*sqrt(x)*exp(x);
    Real rounds = M.rounds(x) - sin(1 + x) - 2*x*sin(2*x) - 2*x^2*sin(x^2 + x) - x^3*sin(x^3 + x);
    Real places = M.places(x) - x*sin(x) - 10*x*sin(3*x);
  end All;
end M;
