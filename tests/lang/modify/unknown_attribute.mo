model M
  Real x(strat = 1) = 2;
end M;
//! command check {file}
//! error F130 2:10
//! message 'Real' has no attribute 'strat'; did you mean 'start'?
