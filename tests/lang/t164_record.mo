//! command check {file}
model M
  record R
    Real a;
    Real b;
  end R;
  R r = R(1); //! error T164
end M;
