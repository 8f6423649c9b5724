// A subscript, condition or range given by a parameter that differs between the elements of an
// array of components.
//! command simulate {file} --model M --stop 1 --intervals 2 --output -
//! near a[1].y(1) = 10 within 0
//! near a[2].y(1) = 20 within 0
//! near a[3].y(1) = 30 within 0
//! near a[1].z(1) = 1 within 0
//! near a[2].z(1) = 2 within 0
//! near a[3].z(1) = 2 within 0
//! near a[2].s(1) = 30 within 0
//! near a[2].b(1) = 21 within 0
//! near a[3].s(1) = 60 within 0
model Part
  parameter Integer k = 1 annotation(Evaluate = true);
  Real u[3] = {10, 20, 30}*time;
  Real y, z, s;
  Real b = u[k] + 1;
equation
  y = u[k];
  if k == 1 then
    z = time;
  else
    z = 2*time;
  end if;
  s = sum(u[j] for j in 1:k);
end Part;

model M
  Part a[3](k = {j for j in 1:3});
end M;
