// Rigid kinematic loops. Of a network the pin and its neighbours up to the joints that it determines join the rest of the
// model, whose connection to the other branch is cut; in a family each instance solves its own system. The same as the
// ordinary path, and a motion that keeps its energy and its gap.
//! command simulate {file} --model Bars --components --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output -
//! near pin.gap[1](0.3) = 0 within 1e-11
//! near pin.gap[2](0.3) = 0 within 1e-11
//! near energy(0.1) = 31.392 within 1e-10
//! near energy(0.3) = 31.392 within 1e-10
//! check {rubato} simulate {file} --model Bars --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Bars --components --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-9 100
//! check {rubato} structure {file} --model Bars --components | grep -q "section 1: to to (cut), torn by 4"
//! check {rubato} simulate {file} --model Many --set n=1 --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model Many --components --set n=130 --instances 130 --stop 0.3 --interval 0.1 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/agree.py one.csv many.csv 1e-9
model Bars
  import Rubato.Planar.*;
  Fixed left, right(r = {2.2, 0.2});
  Revolute a, b, c;
  Translation crank(r = {0.3, 0.8}), coupler(r = {1.5, 0.4}), rocker(r = {-0.4, 1});
  Body m1(m = 1), m2(m = 1), m3(m = 1);
  Pin pin;
  Real energy = weight(m1.to.v, m1.to.w, m1.to.r) + weight(m2.to.v, m2.to.w, m2.to.r) + weight(m3.to.v, m3.to.w, m3.to.r);
  function weight "Energy of a body"
    input Real v[2], w, r[2];
    output Real e = 0.5*(v*v) + 0.05*w^2 + 9.81*r[2];
  algorithm
    annotation(Inline = true);
  end weight;
equation
  connect(left.on, a.to);
  connect(a.on, crank.to);
  connect(crank.on, m1.to);
  connect(crank.on, b.to);
  connect(b.on, coupler.to);
  connect(coupler.on, m2.to);
  connect(right.on, c.to);
  connect(c.on, rocker.to);
  connect(rocker.on, m3.to);
  connect(coupler.on, pin.a);
  connect(rocker.on, pin.b);
end Bars;
model Many
  parameter Integer n = 1;
  Bars bars[n];
end Many;
