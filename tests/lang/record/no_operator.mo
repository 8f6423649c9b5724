model M
  record R
    Real a;
  end R;
  R r = R(1), s = R(2);
  R t = r + s;
end M;
//! command check {file}
//! error T140 6:11
//! message 'M.R' has no operator '+'
