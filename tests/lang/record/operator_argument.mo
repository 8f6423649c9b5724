model M
  operator record C
    Real re;
    encapsulated operator function '+'
      import M.C;
      input C a;
      input C b;
      output C c;
    algorithm
      c := C(a.re + b.re);
    end '+';
  end C;
  C x = C(1);
  C z = x + true;
end M;
//! command check {file}
//! error T140 14:11
