model M
  record R
    Real a;
  end R;
  record S
    Real b;
  end S;
  S s = S(1);
  R r = s;
end M;
//! command check {file}
//! error T101 9:9
//! message has no 'a'
