package Sensed "Models whose sensitivities are compared with differences of whole simulations"
  model Decay "Start values, parameters computed from others, a variable that is only shown"
    parameter Real k = 1.3;
    parameter Real half = 2*k;
    parameter Real x0 = 2;
    Real x(start = x0, fixed = true), y = half*x^2 + time*k;
  equation
    der(x) = -k*x + sin(half*time);
  end Decay;

  model Bounce "New values of states at crossings, a variable that counts what it lost"
    parameter Real e = 0.7, g = 9.81, h0 = 1;
    Real h(start = h0, fixed = true), v(start = 0, fixed = true);
    discrete Real lost(start = 0, fixed = true);
    discrete Real hit(start = 0, fixed = true) "when";
  equation
    der(h) = v;
    der(v) = -g;
    when h <= 0 then
      reinit(v, -e*pre(v));
      lost = pre(lost) + (1 - e^2)*v^2/2;
      hit = time;
    end when;
  end Bounce;

  model Loop "A start that must be solved, a loop that is not linear"
    parameter Real a = 2, b = 0.5;
    Real x, z(start = 1), w;
  initial equation
    x^3 + a*x = 3 + z;
  equation
    z + b*z^3 = a*x + w;
    w = exp(-z) + b;
    der(x) = -z + a*sin(time);
  end Loop;

  model Switch "Time events that depend on parameters, samples, relations in an equation"
    parameter Real at = 0.3, every = 0.21, gain = 2, level = 0.8;
    Real x(start = 0, fixed = true), u;
    discrete Real held(start = 0.1, fixed = true);
  equation
    u = if time > at then gain else 0;
    der(x) = u - x - held + (if x > level then -3*(x - level) - 1 else 0);
    when sample(0.05, every) then
      held = 0.5*x + gain*time;
    end when;
  end Switch;

  model Stiff "Implicit methods: slow and fast"
    parameter Real fast = 3000, slow = 1, c = 0.4;
    Real x(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
  equation
    der(x) = -slow*x + c*y;
    der(y) = fast*(x^2 - y);
    der(z) = (if y > c then y - c else 0) - z;
  end Stiff;

  model Late "It has none"
    parameter Real k = 1;
    Real x(start = 1, fixed = true);
  equation
    der(x) = -k*delay(x, 0.2);
  end Late;
end Sensed;
