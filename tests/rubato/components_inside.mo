// What is in the array refers to something outside that changes.
//! command simulate {file} --model M --components
//! error C101 12:22
//! message 'part' is not a family of its own: 'u' crosses its border
model Part
  input Real u;
  Real x(start = 1, fixed = true);
equation
  der(x) = u - x;
end Part;
model M
  Part part[10](u = {u*k for k in 1:10});
  Real u = sin(time);
end M;
