// Ranges that follow from the use of an iterator as subscript.
//! command simulate {file} --output - --stop 1
//! near x[3](1) = 3 within 1e-12
//! near s(1) = 14 within 1e-12
//! near r[2].m[2,3](1) = 23 within 1e-12
//! near t(1) = 66 within 1e-12
//! near f(1) = 6 within 1e-12
model DeducedRange
  record R
    Real m[2, 3];
  end R;
  function total
    input Real v[:];
    output Real y = 0;
  algorithm
    for i loop
      y := y + v[i];
    end for;
  end total;
  Real x[3], s, t, f;
  R r[2];
equation
  for i loop
    x[i] = i*time;
  end for;
  s = sum(x[i]*x[i] for i);
  for k, i, j loop
    r[k].m[i, j] = (10*i + j)*time;
  end for;
  t = sum({r[2].m[i, j] + 0*i for i, j}) - sum(r[1].m) + 66;
  f = total(x);
end DeducedRange;
