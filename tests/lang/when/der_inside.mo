model M
  Real x(start = 0);
equation
  when time > 1 then
    der(x) = 1;
  end when;
end M;
//! command check {file}
//! error T191 5:5
