model M
  record R
    Real a, b;
  end R;
  R r;
equation
  r.a = 1;
end M;
//! command check {file}
//! error F170 1:7
//! message 'r.b' appears in no equation
