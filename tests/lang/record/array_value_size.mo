model M
  record R
    Real a;
  end R;
  R r[2] = {R(1), R(2), R(3)};
end M;
//! command check {file}
//! error T102 5:12
