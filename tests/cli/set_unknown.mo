//! command simulate {file} --set y=4 --output -
//! exit 2
//! message --set y=4: the model has no such variable
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
