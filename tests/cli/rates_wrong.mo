model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
//! command simulate {file} --rates many
//! exit 2
//! message --rates is a number from 1 to 4, not 'many'
