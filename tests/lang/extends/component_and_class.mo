model M
  Real a = 1;
  model a
    Real y = 1;
  end a;
end M;
//! command check {file}
//! error F110 3:9
