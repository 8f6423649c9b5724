model M
  model A
    Real x = 1;
    Real y = x;
  end A;
  model B
    extends A(break x);
  end B;
  B b;
end M;
//! command check {file}
//! error F100 4:14
