// A Real range has the same elements as a constant, with parameters, in functions that are
// evaluated when translating or in the run, in loops and in reductions.
//! command simulate {file} --stop 1 --intervals 1 --output -
//! near c[11](0) = 1 within 1e-15
//! near v[11](0) = 1 within 1e-15
//! near w[4](0) = 0.3 within 1e-15
//! near third(0) = 0.3 within 1e-15
//! near total(0) = 5.5 within 1e-14
//! near by_iterator(0) = 5.5 within 1e-14
//! near counted(0) = 11 within 0
//! near counted_now(0) = 11 within 0
//! near long(0) = 11 within 0
//! near long_now(0) = 11 within 0
//! near none(0) = 0 within 0
//! near none_now(0) = 0 within 0
//! near down(0) = 4 within 0
//! near looped(0) = 13 within 1e-14
model RealRanges
  constant Real c[:] = 0:0.1:1;
  constant Real third = (0:0.1:0.3)[4];
  parameter Real from = 0, step = 0.1, to = 1 annotation(Evaluate = true);
  Real v[11] = from:step:to;
  Real w[4] = 0:0.1:0.3;
  Real total = sum(0:0.1:1);
  Real by_iterator = sum(x for x in 0:0.1:1);
  function count
    input Real a, b, s;
    output Integer n = 0;
  algorithm
    for x in a:s:b loop
      n := n + 1;
    end for;
  end count;
  function length
    input Real a, b, s;
    output Integer n;
  protected
    Real r[:] = a:s:b;
  algorithm
    n := size(r, 1);
  end length;
  function integers
    input Integer a, b, s;
    output Integer n = 0;
  algorithm
    for x in a:s:b loop
      n := n + 1;
    end for;
    n := n + 10*size(a:s:b, 1) - 10*n;
  end integers;
  constant Integer counted_now = count(0, 1, 0.1), long_now = length(0, 1, 0.1);
  constant Integer none_now = integers(5, 4, 3);
  Integer counted = count(0, 1 + 0*integer(time), 0.1), long = length(0, 1 + 0*integer(time), 0.1);
  Integer none = integers(5, 4 + 0*integer(time), 3), down = integers(9, 0 + 0*integer(time), -3);
  Real looped;
algorithm
  looped := 0;
  for r in 1.0:1.5:5.5 loop
    looped := looped + r;
  end for;
end RealRanges;
