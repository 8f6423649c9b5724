//! command flat {file} --model P.M
//! output Real x = 2*P.Q.c
package P
  package Q
    constant Real c = 5;
  end Q;
  model M
    import Q2 = P.Q;
    Real x = 2*Q2.c;
  end M;
end P;
