operator record R
  Real x;
  encapsulated operator function 'plus'
    import R;
    input R a;
    output R c;
  algorithm
    c := a;
  end 'plus';
end R;
model M
  R r(x = 1);
end M;
//! command check {file}
//! error F115 3:34
//! message 'plus' is no operator
