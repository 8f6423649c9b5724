//! command simulate {file} --variables x( --output -
//! exit 2
//! message --variables 'x('
model M
  Real x = time;
end M;
