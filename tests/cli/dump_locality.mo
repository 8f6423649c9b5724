// Which events concern a part of the model is known before the simulation.
//! command simulate {file} --rates 3 --stop-after locality --dump locality --stages
//! output relation 1 of der(x) is local and ties x\n
//! output relation 2 of der(z) concerns the whole model
//! message stage: locality ok
//! check {rubato} simulate {file} --rates 3 --stop-after readers --dump readers | grep -q "^x: "
model M
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 0, fixed = true);
  Real u(start = 1, fixed = true), v(start = 1, fixed = true);
equation
  der(x) = if x > 0.5 then -x else -0.5;
  der(y) = -y;
  der(u) = -u;
  der(v) = -v;
  der(z) = if x + y + u + v > 2 then 1 else -1;
end M;
