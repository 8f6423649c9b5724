//! command check {file}
//! message 'M.Cell' has 5 equations for 6 unknowns (component 'cell')
//! message equations: 0 written, 0 in declarations, 2 of connections, 1 flows not connected, 2 inputs and flows given from outside
//! message 4 in connectors ('a', 'b'), 2 inputs and flows of components ('r')
//! message 'M' has 9 equations for 6 unknowns
//! message the model is singular: 6 equations for 3 unknowns
model M //! warning F174
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model R
    Pin p, n;
  equation
    p.v - n.v = p.i;
    p.i + n.i = 0;
  end R;
  model Cell //! warning F174
    Pin a, b;
    R r;
  equation
    connect(a, r.p);
  end Cell;
  Cell cell[3]; //! error D103
equation
  for k in 1:3 loop
    cell[k].b.v = 0;
  end for;
end M;
