// What shapes a model, an equation that differs in a number, another unit or another name keeps components apart; a Real
// parameter on which a condition depends may not differ within a family.
//! command structure {file} --model M --components
//! output family b, d: 2 instances
//! output family integer: 2 instances
//! output family truth: 2 instances
//! output family number: 2 instances
//! output family unit: 2 instances
//! output family name: 2 instances
//! output family low: 2 instances
//! output family high: 2 instances
//! check {rubato} simulate {file} --model M --stop 1 --interval 0.5 --fixed-step 1e-3 --method rk4 --output one.csv --quiet && {rubato} simulate {file} --model M --components --stop 1 --interval 0.5 --fixed-step 1e-3 --method rk4 --output many.csv --quiet && {dir}/same.py one.csv many.csv 1e-9 40
model Part
  parameter Integer n = 2;
  parameter Boolean fast = false;
  parameter Real k = 1;
  Real x(start = 1, fixed = true, unit = "m");
  Real y[n] = fill(x, n);
equation
  der(x) = -2*sum(y)*k*(if fast then 2 else 1);
end Part;
model Number
  extends Part;
  Real z = time + 3;
end Number;
model Number2
  extends Part;
  Real z = time + 4;
end Number2;
model Name
  extends Part;
  Real w = time + 3;
end Name;
model Chooses
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  if k > 2 then
    der(x) = -x;
  else
    der(x) = -2*x;
  end if;
end Chooses;
model M
  Part a[2](k = {1, 2}), b(k = 3), d(k = 4), integer[2](each n = 3), truth[2](each fast = true), unit[2](x(each unit = "km"));
  Number number[2];
  Number2 more[2];
  Name name[2];
  Chooses low[2](each k = 1), high[2](each k = 3);
end M;
