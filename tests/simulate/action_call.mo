// Calls without results run at their event and at no other time; arrays are passed whole.
//! command simulate {file} --model M --stop 2 --intervals 4 --output -
//! warning R105 16:3
//! warning R105 27:3
//! warning R105 16:3
//! warning R105 16:3
//! message at time 0: noted 3.5
//! message at time 0: sum 6
//! message at time 0.5: event 0.5
//! message at time 1.25: event 1.25
//! near n(2) = 2 within 0
function note
  input String text;
  input Real x;
algorithm
  assert(false, text + " " + String(x), AssertionLevel.warning);
end note;

function total
  input Real x[:];
protected
  Real sum = 0;
algorithm
  for k in 1:size(x, 1) loop
    sum := sum + x[k];
  end for;
  assert(false, "sum " + String(sum), AssertionLevel.warning);
end total;

model M
  discrete Integer n(start = 0, fixed = true);
  parameter Real a[3] = {1, 2, 3};
equation
  when {time >= 0.5, time >= 1.25} then
    n = pre(n) + 1;
    note("event", time);
  end when;
initial algorithm
  note("noted", 3.5);
  total(a);
end M;
