// Ctrl-C is noticed inside a step: this one would take minutes.
//! command simulate {file} --stop 1 --set n=1 --output -
//! near x(1) = 1 within 1e-6
//! check {rubato} simulate {file} --stop 1 --output r.csv 2> words & p=$!; sleep 2; kill -TERM $p; wait $p; test $? = 3 && grep -q "interrupted at time .*1 point.* up to there" words || { cat words; exit 1; }
model M
  function slow
    input Real x;
    input Integer n;
    output Real y;
  protected
    Real s;
  algorithm
    s := 0;
    for i in 1:n loop
      s := s + sin(x + i);
    end for;
    y := 1 + 1e-30*s;
  end slow;
  parameter Integer n = 100000000;
  Real x(start = 0, fixed = true);
equation
  der(x) = slow(x, n);
end M;
//! long
