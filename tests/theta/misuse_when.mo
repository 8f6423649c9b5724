//! command check {file}
//! error H105 9:5
//! message in a when-clause or between clocks
model M
  parameter Real THETA = 1;
  discrete Real n(start = 0);
equation
  when time > 1 then
    n = THETA;
  end when;
end M;
