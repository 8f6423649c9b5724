model M
  model A
    replaceable Real x = 1;
  end A;
  A a(redeclare Real x = 2, redeclare Real x = 3);
end M;
//! command check {file}
//! error F131 5:44
