//! command check {file}
model M
  constant Integer a = b; //! error F125
  constant Integer b = a;
  Real x[a] = {1};
end M;
