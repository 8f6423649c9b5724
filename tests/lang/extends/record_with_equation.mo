model M
  record R
    Real a;
  equation
    a = 1;
  end R;
  R r;
end M;
//! command check {file}
//! error F115 4:3
//! message a record cannot have equations
