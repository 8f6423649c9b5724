model M
  Real x(stateSelect = StateSelect.allways);
equation
  der(x) = 1;
end M;
//! command check {file}
//! error F107 2:36
//! message did you mean 'always'?
