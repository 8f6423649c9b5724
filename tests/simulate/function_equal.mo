// In functions Reals may be compared for equality, in the bindings of their variables, too (3.5).
//! command simulate {file} --stop 1 --intervals 1 --output -
//! near y(1) = 0.25 within 1e-12
//! near z(1) = 0 within 1e-12
model FunctionEqual
  function part
    input Real u;
    input Real s;
    output Real y;
  protected
    Real a = if s <> 0 then 1/s else 0;
    Boolean none = s == 0;
  algorithm
    y := if none then 0 else a*u;
  end part;
  Real y = part(time, 4*time);
  Real z = part(time, 0*time);
end FunctionEqual;
