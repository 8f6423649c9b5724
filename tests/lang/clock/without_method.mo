model M
  Real x(start = 0, fixed = true);
equation
  when Clock(0.1) then
    der(x) = 1;
  end when;
end M;
//! command check {file}
//! error D140 2:8
