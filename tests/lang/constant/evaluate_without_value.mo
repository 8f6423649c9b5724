model M
  parameter Boolean b annotation(Evaluate = true);
  Real x = 1 if b;
end M;
//! command check {file}
//! error F152 3:17
//! message parameter 'b' has no value
