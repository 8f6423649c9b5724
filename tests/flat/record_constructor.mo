//! command flat {file}
//! output Real r.a = 1
//! output Real r.b = 2
model M
  record R
    Real a;
    Real b = 2;
  end R;
  R r = R(a = 1);
end M;
