model M
  model A
    Real x = 1;
  end A;
  model Three = A[3];
  model B
    extends Three;
  end B;
  B b;
end M;
//! command check {file}
//! error F139 7:13
