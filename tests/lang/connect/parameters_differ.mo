model M
  connector A
    Real v;
    flow Real i;
    parameter Integer n = 1;
  end A;
  A a(n = 1), b(n = 2);
equation
  connect(a, b);
end M;
//! command check {file}
//! error T189 9:3
//! message 'n' is 1 in 'a' and 2 in 'b'
