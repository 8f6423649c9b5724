model M
  Real v = time;
  constant Real c = v;
  Real x = c;
end M;
//! command check {file}
//! error T104 3:21
