//! command flat {file}
//! output Real[3] r.R
//! output r.v = r.R*r.i
//! output parameter Real[3] r.R = {1, 2, 3}
model M
  model Resistor
    parameter Real R;
    Real v;
    Real i;
  equation
    v = R*i;
    i = time;
  end Resistor;
  Resistor r[3](R = {1, 2, 3});
end M;
