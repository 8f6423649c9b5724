model M
  model A
    Real x = missing;
  end A;
  A a1, a2, a3[2];
end M;
//! command check {file}
//! error F100 3:14
