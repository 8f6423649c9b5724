package P
  constant Real a = Q.b;
  package Q
    constant Real b = a;
  end Q;
  model M
    Real x = a;
  end M;
end P;
//! command check --model P.M {file}
//! error F125 2:17
