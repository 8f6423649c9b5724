within Demo.Sub;
model Leaf
  Real x;
end Leaf;
