package Models "For the scripts beside this file"
  model Decay
    parameter Real k = 1 "Rate";
    Real x(start = 1, fixed = true);
  equation
    der(x) = -k*x;
  end Decay;

  model Ball
    parameter Real e = 0.7 "Coefficient of restitution";
    parameter Real g = 9.81;
    Real h(start = 1, fixed = true), v(start = 0, fixed = true);
    Boolean flying(start = true, fixed = true);
  equation
    der(h) = v;
    der(v) = if flying then -g else 0;
    when h <= 0 then
      reinit(v, -e*pre(v));
      flying = e*abs(pre(v)) > 0.01;
    end when;
    annotation(experiment(StopTime = 3));
  end Ball;

  model VanDerPol
    Real x(start = 1, fixed = true), y(start = 1, fixed = true);
    parameter Real lambda = 0.3;
  equation
    der(x) = y;
    der(y) = -x + lambda*(1 - x*x)*y;
    annotation(experiment(StopTime = 10));
  end VanDerPol;

  model Oscillator "Exact: x = cos(w*t)"
    parameter Real w = 2;
    Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  equation
    der(x) = y;
    der(y) = -w^2*x;
  end Oscillator;

  model Wrong
    Real x = missing;
  end Wrong;

  model Empty
    Real x(start = 1, fixed = true);
  equation
    der(x) = -1/x;
    annotation(experiment(StopTime = 2));
  end Empty;
end Models;
