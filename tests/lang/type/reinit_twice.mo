model M
  Real x(start = 1), y(start = 1);
equation
  der(x) = -x;
  der(y) = -y;
  when x < 0.5 then
    reinit(x, 2);
  end when;
  when y < 0.2 then
    reinit(x, 3);
  end when;
end M;
//! command check {file}
//! error T157 10:5
//! message 'x' is reinitialised in two when-clauses
