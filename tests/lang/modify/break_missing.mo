model M
  model A
    Real x = 1;
  end A;
  model B
    extends A(break y);
  end B;
  B b;
end M;
//! command check {file}
//! error F130 6:15
