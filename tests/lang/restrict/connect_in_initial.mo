//! command check {file}
model M
  connector C
    Real v;
    flow Real i;
  end C;
  C c, d;
initial equation
  for k in 1:1 loop
    connect(c, d); //! error T184
  end for;
equation
  c.v = 1;
  d.v = 1;
end M;
