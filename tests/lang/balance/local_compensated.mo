//! command check {file}
//! message 'M.A' has 1 equation for 2 unknowns (component 'a')
//! message unknowns: 2 variables, 0 in connectors, 0 inputs and flows of components
//! message 'M' has 1 equation for 0 unknowns
//! message unknowns: 0 variables, 0 in connectors, 0 inputs and flows of components ('a')
//! output 2 equations, 2 unknowns
model M //! warning F174 7:7
  model A //! warning F174 8:9
    Real x;
    Real y;
  equation
    x = 1;
  end A;
  A a;
equation
  a.y = 2;
end M;
