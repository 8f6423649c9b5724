// Line breaks mean nothing to the grammar, not even after a class keyword.
//! command parse --quiet --dump=parse {file}
//! output package Medium short
//! output model Broken long
model
  Broken
  A a(redeclare package
    Medium = B);
end
  Broken;
