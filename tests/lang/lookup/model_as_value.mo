model M
  model A
    Real y = 1;
  end A;
  Real x = A + 1;
end M;
//! command check {file}
//! error F112 5:12
