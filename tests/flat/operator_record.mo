//! command flat {file} --model P.M
//! output C.'+'
package P
  operator record C
    Real re;
    Real im;
    encapsulated operator function '+'
      import P.C;
      input C a;
      input C b;
      output C c;
    algorithm
      c.re := a.re + b.re;
      c.im := a.im + b.im;
    end '+';
  end C;
  model M
    C x = C(1, time);
    C y = x + x;
  end M;
end P;
