package P
  package Q
    constant Real speed = 1;
  end Q;
  model M
    import P.Q.sped;
    Real x = sped;
  end M;
end P;
//! command check --model P.M {file}
//! error F103 6:16
//! message there is no 'sped' in P.Q; did you mean 'speed'?
