model M
  Real x(start = 0);
equation
  when Clock(0.1) then
    x = previous(2*x);
  end when;
end M;
//! command check {file}
//! error T150 5:19
