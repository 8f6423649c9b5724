// A tier that does not exist.
//! command simulate {file} --tier 2
//! exit 2
//! message --tier is 0, 1 or auto, not '2'
model M
  Real x = 1;
end M;
