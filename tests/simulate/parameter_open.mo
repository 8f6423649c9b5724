// What is computed from parameters that the start finds has no value before: 0/0 with their guesses is no
// error, with their values it is.
//! command simulate {file} --model ParameterOpen.Test --stop 1 --intervals 1 --output -
//! near b.share(0) = 0.9486832980505138 within 1e-12
//! near b.angle(0) = 0.3217505543966422 within 1e-12
//! near b.z(1) = 0.3333333333333333 within 1e-12
//! check ! {rubato} simulate {file} --model ParameterOpen.None 2>why.txt && grep -q "not a number, in 'b.share'" why.txt
package ParameterOpen
  model A
    parameter Real p = 3e-7;
    output Real y = p;
    output Real z = p/3;
  end A;
  model B
    input Real p0, q0;
    parameter Real share = p/sqrt(p^2 + q^2);
    parameter Real angle = if q > 0 then acos(share) else -acos(share);
    parameter Real p(fixed = false), q(fixed = false);
    Real z = tan(angle)*time;
  initial equation
    p = p0;
    q = q0;
  end B;
  model Test
    A a;
    B b;
  equation
    a.y = b.p0;
    a.z = b.q0;
  end Test;
  model None
    A a(p = 0);
    B b;
  equation
    a.y = b.p0;
    a.z = b.q0;
  end None;
end ParameterOpen;
