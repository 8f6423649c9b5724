//! command simulate {file} --set y.nominal=3
//! exit 2
//! message --set y.nominal=3: the model has no such variable
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
