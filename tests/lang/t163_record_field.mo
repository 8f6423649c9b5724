//! command check {file}
model M
  record R
    Integer n;
  end R;
  R r = R(1.5); //! error T163
end M;
