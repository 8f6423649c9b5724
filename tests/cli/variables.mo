// Only the variables asked for are recorded; the others are computed all the same.
//! command simulate {file} --variables ^(x|e)$ --intervals 2 --output -
//! output "time","x","e"\n0,1,0.5\n
//! near e(1) = 0.5 within 1e-5
model M
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), e = (x^2 + v^2)/2;
equation
  der(x) = v;
  der(v) = -x;
end M;
