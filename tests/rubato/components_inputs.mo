// A set of connects that names flanges towards the root only: they all get the signals of the one flange in it. What a look
// at the structure tells of a network.
//! command structure {file} --model M --components
//! output network: 3 classes of parts, 3 connections in 3 wires
//! output family j: 1 instances, 2 states, linear systems of 1 unknowns at most
//! output section 1: to on, torn by 1
//! check {rubato} simulate {file} --model M --stop 0.5 --interval 0.5 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model M --components --stop 0.5 --interval 0.5 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-10 40
model M
  import Rubato.Planar.*;
  Fixed fixed;
  Prismatic j(e = {0.6, 0.8}, c = 2, d = 0.1);
  Body a(m = 1), b(m = 0.5);
equation
  connect(fixed.on, j.to);
  connect(j.on, a.to);
  connect(a.to, b.to);
end M;
