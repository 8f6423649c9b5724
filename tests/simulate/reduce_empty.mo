// Over nothing: 0, 1 and the limits of the type. Sums of arrays whose size is known at run time.
//! command simulate {file} --output - --stop 1
//! near s(1) = 0 within 0
//! near p(1) = 1 within 0
//! near low(1) = 1 within 0
//! near high(1) = 1 within 0
//! near count(1) = -2147483647 within 0
//! near most(1) = 24 within 1e-12
//! near rows(1) = 3 within 0
//! near columns(1) = 0 within 0
model M
  function largest "of {sum over i >= 2 of i*v*c[i]}"
    input Real v[:], c[:];
    output Real y = max(sum(i*v*c[i] for i in 2:size(c, 1)));
  algorithm
  end largest;
  function shape
    input Real a[:, :];
    output Integer n, m;
  algorithm
    n := size(a, 1);
    m := size(a, 2);
  end shape;
  parameter Integer n = 0;
  parameter Real none[3, n];
  Real s = time*sum(i for i in 1:n), p = product(i + time for i in 1:n);
  Boolean low = min(none) > 1e300 + time, high = max(none) < -1e300 - time;
  Integer count = max(i for i in 1:n);
  Real most = largest({1, 3, 2}, {7, time, 2})*(1 + 0*time);
  Integer rows, columns;
algorithm
  (rows, columns) := shape(none);
end M;
