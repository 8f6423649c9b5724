model M
  model A
    model B
      parameter Real p = 1;
      Real x = p;
    end B;
    B b;
  end A;
  A a(b.q = 2);
end M;
//! command check {file}
//! error F130 9:9
