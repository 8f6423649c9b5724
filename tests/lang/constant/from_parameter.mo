model M
  parameter Real p = 1;
  constant Real c = p;
  Real x = c;
end M;
//! command check {file}
//! error T104 3:21
//! message constant 'c' cannot depend on a parameter
