// What ticks together follows from equations as they are written: factors 0, differences of equal terms, choices between
// equal branches and values that a function ignores tie variables to their partitions, too.
//! command simulate {file} --output - --stop 0.35 --interval 0.025
//! near product(0.25) = 0.2 within 1e-12
//! near choice(0.25) = 0.2 within 1e-12
//! near difference(0.25) = 0.2 within 1e-12
//! near inside(0.25) = 0.2 within 1e-12
//! near ignored(0.25) = 0.2 within 1e-12
//! near slow(0.15) = 0 within 1e-12
//! near slow(0.35) = 0.2 within 1e-12
//! near element[2](0.25) = 0.4 within 1e-12
//! near apart(0.275) = 0.25 within 1e-12
model ClockWritten
  function first
    input Real a;
    input Real b;
    output Real c = a;
  algorithm
  end first;
  Real y(start = 0), product, choice, difference, inside, ignored, slow, element[2], apart, u = time;
equation
  when Clock(1, 10) then
    y = previous(y) + 1;
  end when;
  product = sample(u) + 0*y;
  choice = if y > 3 then sample(u) else sample(u);
  difference = sample(u) + (y - y);
  ignored = first(sample(u), y);
  slow = sample(u) + 0*subSample(y, 2);
  for i in 1:2 loop
    element[i] = i*sample(u) + 0*y;
  end for;
  when Clock(1, 20) then
    apart = sample(u);
  end when;
  inside = sample(u) + 0*(y + subSample(apart, 2));
end ClockWritten;
