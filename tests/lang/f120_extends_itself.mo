//! command check {file}
model M
  extends M; //! error F120
  Real x = 1;
end M;
