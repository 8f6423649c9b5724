model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  Pin p, q;
equation
  when time > 1 then
    connect(p, q);
  end when;
end M;
//! command check {file}
//! error T184 9:5
//! message connect cannot stand in a when-clause
