//! command check {file}
//! message did you mean 'start'?
model M
  Real x(strat = 1) = 2; //! error F130
end M;
