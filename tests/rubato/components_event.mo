// Events have no place in a loop over instances.
//! command simulate {file} --model M --components
//! error C103 8:3
//! message an equation of 'part' cannot be computed instance by instance: it causes events
model Part
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > 0.5 then -x else -2*x;
end Part;
model M
  Part part[10];
end M;
