model M
  record R
    Real a;
  end R;
  R r = R(true);
end M;
//! command check {file}
//! error T163 5:11
