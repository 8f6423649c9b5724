model M
  impure function read
    output Real y;
  algorithm
    y := 1;
  end read;
  pure function f
    output Real y;
  algorithm
    y := read();
  end f;
  Real x = f();
end M;
//! command check {file}
//! error T155 10:10
//! message 'M.read' is impure and cannot be called in a pure function
