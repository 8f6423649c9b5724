//! command check {file}
//! message the argument and input 'r' of 'M.area' have different units: "s" and "m"
//! message 'V' and its value have different units: "m3" and "m2"
model M
  Real t(unit = "s") = time;
  function area
    input Real r(unit = "m");
    output Real A(unit = "m2");
  algorithm
    A := 3.14*r^2;
  end area;
  Real A(unit = "m2") = area(t); //! warning T200
  Real V(unit = "m3") = area(1); //! warning T200
  Real W(unit = "m3") = area(1)*h; //! warning T200
  parameter Real h(unit = "dm") = 1; // a product keeps the factor
  parameter Real k(unit = "m") = 1;
  Real U(unit = "m3") = area(1)*k;
end M;
