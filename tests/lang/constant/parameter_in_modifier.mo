model M
  model A
    parameter Real k = 1;
    Real x = k;
  end A;
  Real v = time;
  A a(k = v);
end M;
//! command check {file}
//! error T104 7:11
