package P
  package Q
  protected
    constant Real k = 1;
  end Q;
  model M
    Real x = Q.k;
  end M;
end P;
//! command check --model P.M {file}
//! error F135 7:16
