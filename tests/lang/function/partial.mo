model M
  partial function f
    input Real u;
    output Real y;
  end f;
  Real x = f(1);
end M;
//! command check {file}
//! error F109 6:12
