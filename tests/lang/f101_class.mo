//! command check {file}
model M
  Resistor r; //! error F101
end M;
