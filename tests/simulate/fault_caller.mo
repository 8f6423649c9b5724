// An error inside a function is shown with the component of the model whose equation called it.
//! command simulate {file} --model M --stop 1 --output -
//! exit 3
//! error R115 11:3
//! message too large: 0.5
//! message 15:12: note: called to compute 'part[2].deep.y'
function root
  input Real x;
  output Real y;
algorithm
  assert(x < 0.5, "too large: " + String(x));
  y := sqrt(x);
end root;
model Inner
  Real y = root(time*k);
  parameter Real k = 1;
end Inner;
model Part
  Inner deep;
end Part;
model M
  Part part[2](deep(k = {0.1, 1.25}));
end M;
