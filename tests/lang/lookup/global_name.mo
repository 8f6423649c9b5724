model M
  constant Real c = 1;
  Real x = .c;
end M;
//! command check {file}
//! error F100 3:13
