model M
  constant Real c = 1;
  Real x = c;
equation
  c = 2;
end M;
//! command check {file}
//! error F175 5:3
