model M
  record R
    flow Real a;
  end R;
  R r(a = 1);
end M;
//! command check {file}
//! error F117 3:15
