model M
  connector C
    Real u;
    flow Real i;
  equation
    u = 1;
  end C;
  C c;
end M;
//! command check {file}
//! error F115 5:3
