// Branches of an inlined function become if-expressions that cause no events; events of the
// arguments remain.
//! command simulate {file} --model M --stop 2 --intervals 8 --output -
//! near x(0.5) = 0.5 within 1e-7
//! near x(2) = 1.5 within 1e-7
//! near n(2) = 3 within 0
function bent
  input Real x;
  output Real y;
protected
  Real slope;
algorithm
  if x > 1 then
    slope := 2;
    y := slope*x - 1;
  else
    y := x;
  end if;
end bent;

function twice
  input Real x;
  output Real y;
algorithm
  y := 2*x;
end twice;

model M
  Real x(start = 0.1), y;
  discrete Integer n(start = 0, fixed = true);
equation
  bent(x) = time;
  y = twice(if time >= 1.25 then 1 else 0) + twice(time);
  when {time >= 0.3, y > 4, y > 6.5, y > 5.9} then
    n = pre(n) + 1;
  end when;
end M;
