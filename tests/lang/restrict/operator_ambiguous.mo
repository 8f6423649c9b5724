//! command check {file} --model T.M
package T
  operator record C
    Real re;
    encapsulated operator '+'
      function a
        import T.C;
        input C x;
        input C y;
        output C z;
      algorithm
        z := C(x.re);
      end a;
      function b
        import T.C;
        input C x;
        input C y;
        output C z;
      algorithm
        z := C(y.re);
      end b;
    end '+';
  end C;
  model M
    C p(re = 1), q(re = 1);
    C r = p + q; //! error T140
  end M;
end T;
