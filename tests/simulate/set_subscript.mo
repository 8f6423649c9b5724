// Parameters that choose variables: another value needs another translation, also of what they are computed from.
//! command simulate {file} --output - --intervals 1 --set k=3 --set 't={3,1,1}' --set shift=2
//! near y(1) = 3 within 1e-12
//! near z(1) = 1 within 1e-12
//! near w[2](1) = 1 within 1e-12
//! near v(1) = 3 within 1e-12
//! near many(1) = 600 within 1e-12
//! check {rubato} check {file} > out; grep -q "structural: shift (needed at .*set_subscript.mo:17:" out
model SetSubscript
  parameter Integer k = 2;
  parameter Integer t[3] = {3, 2, 1};
  parameter Integer shift = 1;
  parameter Integer computed = 1 + shift;
  parameter Integer left[600] = {max(i - computed, 1) for i in 1:600};
  Real u[3] = {1, 2, 3}*time;
  Real y = u[k], z = u[t[2]], w[3];
  Real v = u[computed];
  Real b[600] = (1:600)*time, c[600];
  Real many = c[600] + shift + 1;
equation
  for i in 1:3 loop
    w[i] = u[t[i]];
  end for;
  for i in 1:600 loop
    c[i] = b[left[i]];
  end for;
end SetSubscript;
