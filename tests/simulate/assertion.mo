// A violated assertion stops the run with time and place.
//! command simulate {file} --output -
//! error R107 9:3
//! message failed at time 0.5: x is too large
//! exit 3
model M
  Real x = time;
equation
  assert(x < 0.5, "x is too large");
end M;
