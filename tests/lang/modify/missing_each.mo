model M
  model A
    parameter Real p = 1;
    Real x = p;
  end A;
  A a[3](p = 2);
end M;
//! command check {file}
//! warning T106 6:14
//! message write 'each p'
