package P
  package Q
    constant Real a = 1;
  end Q;
  model M
    import P.Q.{a, b};
    Real x = a + b;
  end M;
end P;
//! command check --model P.M {file}
//! error F103 6:20
