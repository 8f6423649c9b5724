model M
  record R
    Real a;
  end R;
  R r(a = 1);
  Real x = r.b;
end M;
//! command check {file}
//! error F106 6:14
