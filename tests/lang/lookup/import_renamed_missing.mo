package P
  model M
    import K = P.Constants;
    Real x = K.c;
  end M;
end P;
//! command check --model P.M {file}
//! error F103 3:18
