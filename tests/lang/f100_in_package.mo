//! command check {file} --model P.M
package P
  package Q
    constant Real c = 1;
  end Q;
  model M
    Real x = Q.d; //! error F100
  end M;
end P;
