// An algebraic equation as the equilibrium of an infinitely fast process: certified values, with the
// first value of a beside its start value.
//! command simulate {file} --stop 20 --intervals 40 --tolerance 1e-12 --output -
//! near a(0) = 37 within 1e-9
//! near x(0.5) = 0.601298999125142 within 1e-7
//! near a(0.5) = 21.0519599650057 within 1e-7
//! near x(1) = -0.167780521910559 within 1e-7
//! near a(1) = -3.71122087642234 within 1e-7
//! near x(2) = -0.597904811134993 within 1e-7
//! near a(2) = -20.9161924453997 within 1e-7
//! near x(5) = -0.355359054050987 within 1e-7
//! near a(5) = -11.2143621620395 within 1e-7
//! near x(10) = -0.0713014580602617 within 1e-7
//! near a(10) = -0.713014580602617 within 1e-7
//! near x(20) = -0.0109163385908184 within 1e-7
//! near a(20) = -0.109163385908184 within 1e-7
//! stat theta.processes = 1
//! stat theta.states = 1
//! stat theta.jumps = 0
//! same-as --solver rk
model DAE_Example_THETA
  Real a(start = 0);
  Real x(start = 1, fixed = true);
  Real y(start = 0, fixed = true);
  parameter Real THETA = 1.0;
  function s
    input Real a;
    output Real oa;
  algorithm
    if a < -1 then
      oa := a/4 - 3/4;
    elseif a > 1 then
      oa := a/4 + 3/4;
    else
      oa := a;
    end if;
  end s;
equation
  der(x) = y;
  der(y) = -0.1*a - 0.4*y;
  der(a)*THETA = 10*x - s(a);
end DAE_Example_THETA;
