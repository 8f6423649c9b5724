package T
  operator record C
    Real re;
    encapsulated operator function '+'
      import T.C;
      input C a;
      input C b;
      output C c;
    algorithm
      c := C(a.re + b.re);
    end '+';
  end C;
  model M
    C x = C(1);
    C z = x + true; //! error T140
  end M;
end T;
//! command check {file} --model T.M
