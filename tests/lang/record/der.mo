model M
  record R
    Real a;
  end R;
  R r = R(1);
  Real x = der(r);
end M;
//! command check {file}
//! error T150 6:16
