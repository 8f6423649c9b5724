// A function that is not there has no value at any point: a system with it, of the run or of the start, says so, not that
// it has no solution.
//! command simulate {file} --model Run --output - --trust
//! environment XDG_CACHE_HOME={tmp}
//! error R115 9:12
//! exit 3
//! message the external function 'rubato_is_nowhere' is not available
//! check {rubato} simulate {file} --model Start --output m.csv > m.txt 2>&1; grep -q "error R115.*the external function 'rubato_is_nowhere' is not available" m.txt || { cat m.txt; exit 1; }
  function g
    input Real x;
    output Real y;
    external "C" y = rubato_is_nowhere(x);
  end g;
model Run
  Real x(start = 1);
equation
  g(x) + x^3 = 2 + time;
end Run;
model Start
  parameter Real p(fixed = false, start = 1);
  Real x(start = 1, fixed = true);
initial equation
  g(p) + p^3 = 2;
equation
  der(x) = -p*x;
end Start;
