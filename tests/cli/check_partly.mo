// What was counted is shown also where no code can be made.
//! command check {file}
//! error D140 6:8
//! output 1 equation, 1 unknown, 0 parameters
model M
  Real x(start = 0, fixed = true);
equation
  when Clock(0.1) then
    der(x) = 1;
  end when;
end M;
