model M
  model A
    Real x = 1;
  end A;
  .A a;
end M;
//! command check {file}
//! error F101 5:4
