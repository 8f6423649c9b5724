//! command check {file}
model M
  function f
    output Real y;
  equation //! error F113
    y = 1;
  end f;
  Real x[integer(f())] = {1};
end M;
