//! command check {file}
model M
  record R
    Real a;
  end R;
  R r(a = 1);
  Real x = r.b; //! error F106
end M;
