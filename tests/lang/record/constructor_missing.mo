model M
  record R
    Real a, b;
  end R;
  R r = R(1);
end M;
//! command check {file}
//! error T164 5:9
//! message argument 'b' of 'M.R' is missing
