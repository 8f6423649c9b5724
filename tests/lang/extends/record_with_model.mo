model M
  model A
    Real x = 1;
  end A;
  record R
    A a;
  end R;
  R r;
end M;
//! command check {file}
//! error F115 6:7
