// A pulse travels along a chain of 1000 inverters while the rest of it waits. Look at u[10],
// u[100] and u[500]. With --rates auto only the inverters that switch take small steps.
model InverterChain "A pulse travels along a chain of MOSFET inverters; the rest of it waits"
  parameter Integer N = 1000 "Inverters";
  parameter Real Uop = 5 "Operating voltage";
  parameter Real Ut = 1 "Threshold voltage";
  parameter Real gamma = 100 "Strength";
  Real U[N](start = {if mod(i, 2) == 1 then 5 else 6.246e-3 for i in 1:N}, each fixed = true);
  Real Uin "Input: one trapezoidal pulse";
protected
  function square "v^2 for positive v, else 0"
    input Real v;
    output Real y;
  algorithm
    y := if v > 0 then v^2 else 0;
  end square;
equation
  Uin = noEvent(if time < 5 or time > 17 then 0 elseif time < 10 then time - 5
    elseif time < 15 then 5 else 2.5*(17 - time));
  der(U[1]) = Uop - U[1] - gamma*(square(Uin - Ut) - square(Uin - U[1] - Ut));
  for i in 2:N loop
    der(U[i]) = Uop - U[i] - gamma*(square(U[i - 1] - Ut) - square(U[i - 1] - U[i] - Ut));
  end for;
  annotation(experiment(StopTime = 260, Tolerance = 1e-6));
end InverterChain;
