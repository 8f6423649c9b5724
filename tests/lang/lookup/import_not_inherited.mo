package P
  package Q
    constant Real c = 1;
  end Q;
  partial model Base
    import P.Q.c;
  end Base;
  model M
    extends Base;
    Real x = c;
  end M;
end P;
//! command check --model P.M {file}
//! error F100 10:14
