model M
  Real v = time;
  parameter Real p = 2*v;
end M;
//! command check {file}
//! error T104 3:23
//! message parameter 'p' cannot depend on a variable
