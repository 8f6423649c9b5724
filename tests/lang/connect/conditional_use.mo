model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Pin p if false;
  Real x = p.v;
end M;
//! command check {file}
//! error F153 7:12
//! message 'p' is used, but its condition is false
