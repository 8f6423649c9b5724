//! command check {file}
model M
  model A
    outer Real g;
    Real y = g;
  end A;
  inner Real g = time;
  A a(g = 3); //! error F136
end M;
