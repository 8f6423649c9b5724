// Rows of one shape whose arrays have different sizes have code of their own.
//! command simulate {file} --model M --stop 1 --intervals 2 --output -
//! near p.y(1) = 3 within 0
//! near q.y(1) = 10 within 0
//! near r.y(1) = 6 within 0
function total
  input Real x[:];
  output Real y = 0;
protected
  Integer k = 1;
algorithm
  while k <= size(x, 1) loop
    y := y + x[k];
    k := k + 1;
  end while;
end total;

model Part
  parameter Integer n = 2;
  Real x[n] = {k*time for k in 1:n};
  Real y = total(x);
end Part;

model M
  Part p(n = 2), q(n = 4), r(n = 3);
end M;
