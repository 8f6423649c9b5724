//! command check {file} --model T.M
package T
  operator record C
    Real re;
    encapsulated operator '+'
      function a //! error F115
        import T.C;
        input C x;
        input C y;
        output C z;
        output Real w;
      algorithm
        z := C(x.re);
        w := 1;
      end a;
    end '+';
  end C;
  model M
    C p(re = 1);
    C r = p + p;
  end M;
end T;
