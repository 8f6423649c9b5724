//! command check {file}
model M
  model A
    outer Real g[3]; //! error F162
    Real y = g[1];
  end A;
  inner Real g[2] = {1, 2};
  A a;
end M;
