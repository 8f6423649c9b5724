package P
  model A
    extends B;
  end A;
  model B
    extends A;
  end B;
end P;
//! command check --model P.A {file}
//! error F120 6:13
