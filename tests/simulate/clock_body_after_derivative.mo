// A function whose derivative is given, instead of that of its text, is kept until the index is reduced, and then it is its text: y does not
// depend on w, which another partition computes out of y at the same tick.
//! command simulate {file} --output - --stop 1 --interval 0.1
//! near y(1) = 3 within 1e-12
//! near w(1) = 8 within 1e-12
//! near rate(1) = 8 within 1e-12
model ClockBodyAfterDerivative
  function position
    input Real q, w, t;
    output Real y;
  algorithm
    y := q;
    annotation(derivative(noDerivative = q, noDerivative = w) = speed);
  end position;
  function speed
    input Real q, w, t, der_t;
    output Real y;
  algorithm
    y := w*der_t;
  end speed;
  Clock c = Clock(Clock(1, 10), "ImplicitEuler");
  Real q, y, z, w, x(start = 0, fixed = true), rate;
equation
  when c then
    q = 3;
    der(x) = 1;
  end when;
  y = position(superSample(q, 1), superSample(w, 1), time);
  rate = der(y);
  z = y + 5;
  w = subSample(z, 1);
end ClockBodyAfterDerivative;
