//! command check {file}
model M
  Real x if time > 1; //! error F152
end M;
