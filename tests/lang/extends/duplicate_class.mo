model M
  model A
    Real x = 1;
  end A;
  model A
    Real y = 1;
  end A;
  A a;
end M;
//! command check {file}
//! error F110 5:9
