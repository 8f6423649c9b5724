model M
  parameter Real p = time;
  Real x = p;
end M;
//! command check {file}
//! error T104 2:22
