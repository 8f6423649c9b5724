model M
  parameter Real p = 1;
  Real x = p;
algorithm
  when time > 1 then
    p := 2;
  end when;
end M;
//! command check {file}
//! error T176 6:5
//! message parameter 'p' cannot be assigned
