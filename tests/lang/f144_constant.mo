model M
  model A
    replaceable constant Real c = 1;
    Real x = c;
  end A;
  A a(redeclare constant Real c = 2);
end M;
//! command check {file}
//! error F144 6:31
