//! command check {file}
model M
  Real x;
equation
  x = 2*unknown + 1; //! error F100
end M;
