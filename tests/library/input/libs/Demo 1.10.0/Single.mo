within Demo;
model Single
  Real x;
end Single;
