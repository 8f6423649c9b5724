model M
  record R
    Real a;
  end R;
  record S
    Boolean a;
  end S;
  S s = S(true);
  R r = s;
end M;
//! command check {file}
//! error T101 9:9
