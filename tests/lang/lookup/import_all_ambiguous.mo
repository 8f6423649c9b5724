package P
  package Q
    constant Real c = 1;
  end Q;
  package R
    constant Real c = 2;
  end R;
  model M
    import P.Q.*;
    import P.R.*;
    Real x = c;
  end M;
end P;
//! command check --model P.M {file}
//! error F129 10:14
//! message 'c' is found by two imports
