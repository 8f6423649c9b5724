model M
  model A
    replaceable Real x = 1;
  end A;
  A a(redeclare Real z = 2);
end M;
//! command check {file}
//! error F130 5:22
//! message 'M.A' has no element 'z'
