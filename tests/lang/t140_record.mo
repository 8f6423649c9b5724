//! command check {file}
model M
  record R
    Real x;
  end R;
  R a(x = 1);
  R b = a + a; //! error T140
end M;
