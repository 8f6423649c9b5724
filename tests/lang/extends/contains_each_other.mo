package P
  model A
    B b;
  end A;
  model B
    A a;
  end B;
end P;
//! command check --model P.A {file}
//! error F123 3:7
