model M
  record R
    Real a;
  end R;
  R r = R(1, 2);
end M;
//! command check {file}
//! error T160 5:14
