//! command flat {file}
//! output parameter Real[2] a.k = 5
//! output Real[2, 3] a.x
model M
  model A
    parameter Real k = 1;
    Real x[3] = k*ones(3);
  end A;
  A a[2](each k = 5);
end M;
