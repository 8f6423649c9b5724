//! command flat {file} --model P.M
//! output Real[2] x
//! output x[P.E.b] = 2;
package P
  type E = enumeration(a, b);
  model M
    Real x[E];
  equation
    x[E.a] = 1;
    x[E.b] = 2;
  end M;
end P;
