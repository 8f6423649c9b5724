// A call with an array as result is solved for its arguments where the results are known: as ordinary
// equations, and at the start alone. At time t: s + k = t, w + k = 2 t + 1 with k = w (sin(s) + sin(s + 1) + sin(s + 2))/10.
//! command simulate {file} --stop 1 --intervals 2 --output -
//! near check(0) = 0 within 1e-9
//! near check(1) = 0 within 1e-9
//! near s(1) = 0.484897348862 within 1e-9
//! near w(1) = 2.484897348862 within 1e-9
//! near u(0) = 0.6565957967 within 1e-7
//! near v(0) = 1.6565957967 within 1e-7
//! near q[2](0) = 2 within 1e-7
model CallInverse
  function place
    input Real s;
    input Real w;
    output Real r[2];
  protected
    Real k = 0;
    Integer n = 0;
  algorithm
    while n < 3 loop
      k := k + w*sin(s + n)/10;
      n := n + 1;
    end while;
    r := {s + k, w + k};
  end place;
  Real s(start = 1), w(start = 1), r[2];
  Real u(start = 1), v(start = 1), q[2];
  Real check = abs(s + w*(sin(s) + sin(s + 1) + sin(s + 2))/10 - time) + abs(w - s - time - 1);
initial equation
  q = {1, 2};
equation
  r = place(s, w);
  r[1] = time;
  r[2] = 2*time + 1;
  q = place(u, v);
  der(u) = -u;
  der(v) = u - v;
end CallInverse;
