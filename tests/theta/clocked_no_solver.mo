//! command check {file}
//! error D140 5:8
//! message 'z' is differentiated in a clocked partition without a solver method
model M
  Real z(start = 0), u = sample(time, Clock(1, 10));
equation
  Rubato.THETA*der(z) = u - z;
end M;
