package P
  package Q
    constant Real c = 1;
  end Q;
  package R
    constant Real c = 2;
  end R;
  model M
    import P.Q.c;
    import P.R.c;
    Real x = c;
  end M;
end P;
//! command check --model P.M {file}
//! error F129 10:16
//! message 'c' is imported twice
