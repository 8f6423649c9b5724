//! command check {file}
model M
  record R
    inner Real x = 1; //! error F115
  end R;
  R r;
end M;
