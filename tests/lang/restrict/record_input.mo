//! command check {file}
model M
  record R
    input Real x; //! error F115
  end R;
  R r(x = 1);
end M;
