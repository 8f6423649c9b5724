model M
  record R
    final parameter Real a = 1;
    parameter Real b = 2;
  end R;
  R r(a = 3);
  Real x = r.a;
end M;
//! command check {file}
//! error F133 6:7
