model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
//! command simulate {file} --events some
//! exit 2
//! message --events is auto or global, not 'some'
