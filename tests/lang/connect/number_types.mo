// Real and Integer are different types, also where a value would be converted.
//! command check {file}
model M
  connector I = input Integer;
  connector X = input Real;
  connector O = output Real;
  connector N = output Integer;
  block A
    O y = 1;
    N n = 2;
  end A;
  block B
    I u;
    X x;
    I k;
  end B;
  A a;
  B b;
equation
  connect(a.n, b.k);
  connect(a.y, b.u); //! error T182
  connect(a.n, b.x); //! error T182
end M;
