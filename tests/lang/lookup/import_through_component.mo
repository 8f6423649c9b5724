package P
  model N
    Real q = 1;
  end N;
  model M
    import P.N.q.z;
    Real x = z;
  end M;
end P;
//! command check --model P.M {file}
//! error F103 6:18
