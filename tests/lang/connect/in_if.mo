model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Pin p, q;
equation
  if time > 1 then
    connect(p, q);
  end if;
end M;
//! command check {file}
//! error T184 9:5
//! message the condition around connect must be known when translating
