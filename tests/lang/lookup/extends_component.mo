model M
  Real x = 1;
  model A
    extends x;
  end A;
  A a;
end M;
//! command check {file}
//! error F102 4:13
