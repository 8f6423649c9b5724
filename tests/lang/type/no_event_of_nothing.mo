model M
  Real x = noEvent(u);
end M;
//! command check {file}
//! error F100 2:20
