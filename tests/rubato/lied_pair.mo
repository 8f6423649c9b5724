// A connector without signals is no triplet.
//! command structure {file} --model Spring --components
//! error C104 9:7
//! message class 'Spring' is not LIED: it has no connector of signals, potentials and flows
connector Pin
  Real v;
  flow Real i;
end Pin;
model Spring
  Pin p, n;
equation
  p.v - n.v = p.i;
  p.i + n.i = 0;
end Spring;
