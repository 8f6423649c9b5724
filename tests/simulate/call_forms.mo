//! command simulate {file} --output -
//! near total(1) = 14 within 1e-12
//! near slices[3](1) = 3 within 1e-12
//! near slices[5](1) = 6 within 1e-12
//! near slices[1](1) = 4 within 1e-12
//! near table[2,3](1) = 6 within 1e-12
//! near nested(1) = 0.9694547265 within 1e-9
//! near chosen[2](1) = 2 within 1e-12
//! near number(1) = 5 within 1e-12
//! near byEnum[3](1) = 6 within 1e-12
//! near texts(1) = 1 within 0
//! near u(1) = 2 within 1e-12
//! near r.a(1) = 4 within 1e-12
model CallForms "forms of calls, numbers, ranges and values"
  type E = enumeration(one, two, three);
  record R
    Real a = 2;
    Real b;
  end R;
  function squares
    input Real x[:];
    output Real y;
  algorithm
    y := x*x;
  end squares;
  function two
    input Real x;
    output Real a[2];
    output Real b;
  algorithm
    a := {x, 3*x};
    b := 2*x;
  end two;
  function block_
    input Real x;
    output Real m[2, 2];
    output Real n;
  algorithm
    m := x*{{1, 2}, {3, 4}};
    n := 5;
  end block_;
  partial function F1
    input Real x;
    output Real y;
  end F1;
  partial function F2
    input Real x;
    input F1 f;
    output Real y;
  end F2;
  function twice
    input Real x;
    input F1 f;
    output Real y;
  algorithm
    y := f(f(x));
  end twice;
  function apply
    input F2 h;
    input F1 g;
    input Real x;
    output Real y;
  algorithm
    y := h(x, g);
  end apply;
  function double_sine
    extends F1;
  algorithm
    y := sin(2*x);
  end double_sine;
  parameter Boolean short = true;
  parameter Real two_values[2] = {1, 2};
  Real total = squares(i*time for i in 1:3);
  Real slices[5], table[3, 3], rest;
  Real nested = apply(twice, double_sine, time);
  Real chosen[:] = if short then two_values else {1, 2, 3};
  .Real number = .5e1;
  parameter Real x[E] = {1, 2, 3};
  Real byEnum[E];
  String joined[2] = {"a", "b"} .+ "x" + {"c", "d"};
  Real texts = if joined[2] == "bxd" then 1 else 0;
  input Real u = 2*time "an input with a value is a variable";
  input R r(a = 4, b = 1);
equation
  for i loop
    byEnum[i] = 2*x[i];
  end for;
algorithm
  (slices[2:3], rest) := two(time);
  (slices[4:5], slices[1]) := two(2*time);
  table := zeros(3, 3);
  (table[1:2, 2:3], rest) := block_(1.5*time);
end CallForms;
