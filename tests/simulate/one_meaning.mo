// Found by tools/values.py: expressions that once had several values.
//! command simulate {file} --stop 0.1 --intervals 1 --output -
//! near s1[2,1](0) = 2 within 0
//! near s2[2,1](0) = 2 within 0
//! near c1(0) = -3 within 0
//! near c2(0) = -3 within 0
//! near h(0) = -0.5 within 1e-12
//! near e1(0) = 7 within 0
//! near e2(0) = 1 within 1e-12
//! near e3(0) = 3 within 0
//! near m(0) = 3 within 0
//! near z(0) = 65 within 0
//! near text(0) = 1 within 0
//! near power(0) = 55 within 1e-12
model OneMeaning
  parameter Real M[2, 2] = [1, 2; 3, 4];
  Real s1[2, 2] = f(M), s2[2, 2] = symmetric(M), x = 1 + time;
  Integer k = if time < 1 then 2 else 1;
  function f input Real M[2, 2]; output Real y[2, 2]; algorithm y := symmetric(M); annotation(Inline = false); end f;
  constant Integer c1 = cross({3, 0, 1}, {0, 4, 1})*{1, 1, -1} + 16;
  Integer c2 = cross({3, 0, 1}, {0, 4, k - 1})*{1, 1, -1} + 16;
  function g input Real a, b; output Real y; algorithm y := 1/homotopy(a, 10*b) + w({a, b}) - a - 2*b; annotation(Inline = false); end g;
  function w input Real v[:]; output Real y; algorithm y := 0; for i in 1:size(v, 1) loop y := y + i*v[i]; end for; end w;
  Real h = der(g(x, x)) + 0.5;
  Real v[3] = {5, 7, 9} + fill(time, 3), e1 = (cat(1, {5}, {7, 9}))[k], e2 = der(v[k]), e3 = ([1, 2; 3, 4])[k, 1];
  Integer m = max({(j:(j + 1)) for j in 1:2});
  function o input Integer i; output Integer y; algorithm y := sum(outerProduct(i:(i + 1), i:(i + 1))*(i:(i + 1))); end o;
  Integer z = o(k);
  Boolean text = String(smooth(1, 1), significantDigits = 3) == "1" and String(homotopy(1, 2)) == "1";
  record P Real re; Real im; end P;
  function product2 input P v, i; output Real p; algorithm p := v.re*i.re + v.im*i.im; end product2;
  function all input P v[:], i[size(v, 1)]; output Real p; algorithm p := sum(product2(v, i)); end all;
  P pairs[3] = {P(1, time), P(2, 3), P(4, 5)};
  Real power = all(pairs, pairs);
end OneMeaning;
