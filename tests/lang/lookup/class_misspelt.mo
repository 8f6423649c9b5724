model M
  model Resistor
    parameter Real R = 1;
  end Resistor;
  Resistr r1;
end M;
//! command check {file}
//! error F101 5:3
//! message did you mean 'Resistor'?
