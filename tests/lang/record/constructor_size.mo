model M
  record R
    Real a[2];
  end R;
  R r = R({1, 2, 3});
end M;
//! command check {file}
//! error T163 5:11
