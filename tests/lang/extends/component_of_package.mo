package P
  package Q
    constant Real c = 1;
  end Q;
  model M
    Q q;
  end M;
end P;
//! command check --model P.M {file}
//! error F104 6:7
