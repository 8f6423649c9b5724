//! command check {file}
model M
  record R
    Real a;
  end R;
  function f
    output R r;
  algorithm
    r.a := 1;
  end f;
  Real x = (f()).b; //! error F106
end M;
