package P
  model A
    Real x = 1;
  end A;
  package Q
    extends A;
    constant Real c = 1;
  end Q;
  model M
    Real y = Q.c;
  end M;
end P;
//! command check --model P.M {file}
//! error F139 6:13
