//! command check {file}
//! message did you mean 'sqrt'?
model M
  Real x = sqr(2); //! error F111
end M;
