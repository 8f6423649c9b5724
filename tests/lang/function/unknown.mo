model M
  Real x = foo(1);
end M;
//! command check {file}
//! error F111 2:12
//! message there is no function 'foo'
