model M
  Boolean b(min = false) = true;
end M;
//! command check {file}
//! error F130 2:13
//! message 'Boolean' has no attribute 'min'
