package P
  model A
    extends B;
  end A;
  model B
    extends C;
  end B;
  model C
    extends A;
    Real x = 1;
  end C;
end P;
//! command check --model P.A {file}
//! error F120 9:13
