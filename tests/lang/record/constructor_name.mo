model M
  record R
    Real mass;
  end R;
  R r = R(mas = 1);
end M;
//! command check {file}
//! error T161 5:11
//! message did you mean 'mass'?
