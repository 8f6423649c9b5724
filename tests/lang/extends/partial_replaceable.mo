model M
  partial model P
    Real x;
  end P;
  model A
    replaceable P p;
  end A;
  A a;
end M;
//! command check {file}
//! error F105 6:19
