model M
  Real x(start = 0), y;
equation
  when Clock(0.1) then
    y = x + 1;
  end when;
  x = hold(y);
end M;
//! command check {file}
//! error D130 7:3
//! message belongs to a clocked partition and is used as continuous here
