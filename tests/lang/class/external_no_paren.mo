function f
  input Real x;
  output Real y;
  external "C" y = g x;
end f;
//! error P101 4:22
