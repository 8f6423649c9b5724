//! command check {file}
model M
  Real x[-1]; //! error T111
end M;
