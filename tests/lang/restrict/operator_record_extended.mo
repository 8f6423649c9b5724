operator record R
  Real x;
  encapsulated operator function '0'
    import R;
    output R c;
  algorithm
    c := R(0);
  end '0';
end R;
operator record T = R(x(unit = "m"));
operator record S
  extends R;
  Real y;
end S;
model M
  T t(x = 1);
  S s(x = 1, y = 2);
end M;
//! command check {file}
//! error F139 12:11
//! message operator record
