// Something outside refers to what is in the array.
//! command simulate {file} --model M --components
//! error C101 12:14
//! message 'part' is not a family of its own: 'part.x' crosses its border
model Part
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end Part;
model M
  Part part[10];
  Real sum = part[1].x + part[2].x;
end M;
