model M
  model A
    outer Real u;
    Real x = u;
  end A;
  A a;
end M;
//! command check {file}
//! error F160 3:16
