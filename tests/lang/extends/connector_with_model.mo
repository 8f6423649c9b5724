model M
  model A
    Real x = 1;
  end A;
  connector C
    A a;
  end C;
  C c;
end M;
//! command check {file}
//! error F115 6:7
