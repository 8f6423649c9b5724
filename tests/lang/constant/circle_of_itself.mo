model M
  constant Real c = c + 1;
  Real x = c;
end M;
//! command check {file}
//! error F125 2:17
