//! command check {file} --model P.M
package P
  connector C
    Real v;
    flow Real i;
  end C;
  model M
    C a[2];
    C b[3];
  equation
    connect(a, b); //! error T181
  end M;
end P;
