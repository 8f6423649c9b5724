// Vector functions are inlined: a rotation is solved for its argument, a position is
// differentiated twice.
//! command simulate {file} --model M --stop 1 --output -
//! near x[1](1) = 0.5403023058681398 within 1e-9
//! near x[2](1) = -0.8414709848078965 within 1e-9
//! near v[1](0.5) = 0.96891242171064473 within 1e-6
//! near v[2](0.5) = 0.24740395925452293 within 1e-6
//! near a[1](0) = 2 within 1e-6
//! near power(1) = 14 within 1e-9
function rotation
  input Real phi;
  output Real T[2, 2];
algorithm
  T := [cos(phi), -sin(phi); sin(phi), cos(phi)];
end rotation;

function turned
  input Real phi;
  input Real x[2];
  output Real y[2];
algorithm
  y := rotation(phi)*x;
  annotation(Inline = true);
end turned;

function position
  input Real phi;
  output Real r[2];
algorithm
  r[1] := sin(phi);
  r[2] := -cos(phi);
end position;

function total
  input Real x[:];
  output Real y;
protected
  Real sum = 0;
algorithm
  for k in 1:size(x, 1) loop
    sum := sum + x[k]^2;
  end for;
  y := sum;
end total;

model M
  Real x[2], r[2], v[2], a[2], power;
equation
  turned(time, x) = {1, 0};
  r = position(time^2);
  v = der(r);
  a = der(v);
  power = total({1, 2, 3*time});
end M;
