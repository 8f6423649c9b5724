model M
  model A
    replaceable function f
      input Real u;
      output Real y;
    algorithm
      y := u;
    end f;
    Real x = f(1);
  end A;
  model B
    Real z = 1;
  end B;
  A a(redeclare function f = B);
end M;
//! command check {file}
//! error F139 14:30
