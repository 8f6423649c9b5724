//! command check {file}
model M
  partial function f
    input Real u;
    output Real y;
  end f;
  Real x = f(1); //! error F109
end M;
