package P
  model A
    Real x = 1;
  end A;
  encapsulated model M
    A a;
  end M;
end P;
//! command check --model P.M {file}
//! error F101 6:5
