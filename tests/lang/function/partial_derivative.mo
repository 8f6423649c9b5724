model M
  function f
    input Real u[2];
    input Integer n;
    output Real y;
  algorithm
    y := u[1]^n;
  end f;
  function df = der(f, u); //! error F903 9:24
  function dn = der(f, n); //! error F903 10:24
  function dz = der(f, z); //! error F903 11:24
  Real x = df({time, 1}, 2) + dn({time, 1}, 2) + dz({time, 1}, 2);
end M;
//! command check {file}
//! message 'z' is no scalar Real input of 'M.f'
