model M
  impure function read
    output Real y;
  external "C" y = read();
  end read;
  Real x;
equation
  x = read();
end M;
//! command check {file}
//! error T155 8:7
//! message when
