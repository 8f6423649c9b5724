//! command check {file}
//! message did you mean 'connect'?
model M
  connector C
    Real v;
    flow Real i;
  end C;
  C a, b;
equation
  conect(a, b); //! error F111
  a.v = 0;
end M;
