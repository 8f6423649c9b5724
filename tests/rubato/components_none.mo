// Nothing is repeated.
//! command simulate {file} --model M --components
//! error C102 5:7
//! message contains no array of components
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
