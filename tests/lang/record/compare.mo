model M
  record R
    Real a;
  end R;
  R r = R(1), s = R(2);
  Boolean b = r == s;
end M;
//! command check {file}
//! error T140 6:17
