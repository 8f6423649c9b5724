//! command check {file}
function f //! error F172
  input Real u;
  output Real y;
algorithm
  y := u;
end f;
