model M
  record R
    Real a;
  end R;
  R r;
equation
  r = 3;
end M;
//! command check {file}
//! error T103 7:3
