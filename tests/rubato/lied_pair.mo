// A connector without signals is no triplet: the class is none that could be recognised.
//! command structure {file} --model Spring --components
//! error C102 9:7
//! message contains no array of components
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
