model M
  Integer i = Integer(1.5);
end M;
//! command check {file}
//! error T150 2:23
//! message use integer()
