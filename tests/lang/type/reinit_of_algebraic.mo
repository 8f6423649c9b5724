model M
  Real x = time;
equation
  when x > 0.5 then
    reinit(x, 2);
  end when;
end M;
//! command check {file}
//! error T158 5:5
//! message 'x' is no state: der(x) does not appear
