model M
  record R
    Real a;
  algorithm
    a := 1;
  end R;
  R r;
end M;
//! command check {file}
//! error F115 4:3
