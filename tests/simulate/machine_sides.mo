// Which variable an equation of a state determines follows from all of them: z is given elsewhere, so x + y = z gives y;
// w follows from an input, gain.u from an equation with a sum, and 2*der(v) = i gives the derivative. State a is active
// at n = 0, 1, 4, 5. At n = 1: x = 1, y = 2, w = 0, gain.u = 2*1 - 1 = 1, gain.y = 3; v = 1 + 0.5*(-1) = 0.5; at n = 4
// the state is entered, v stays (its derivative was 0), at n = 5 v = 0.5 - 0.25.
//! command simulate {file} --output - --stop 6 --interval 0.5
//! near a.y(1.5) = 2 within 0
//! near a.w(1.5) = 0 within 0
//! near a.gain.y(1.5) = 3 within 0
//! near a.v(1.5) = 0.5 within 0
//! near a.y(3.5) = 2 within 0
//! near a.gain.u(3.5) = 1 within 0
//! near a.y(4.5) = -1 within 0
//! near a.w(5.5) = 4 within 0
//! near a.gain.y(5.5) = 27 within 0
//! near a.t(5.5) = -2 within 0
//! near a.t(1.5) = 1 within 0
//! near a.v(4.5) = 0.5 within 0
//! near a.v(5.5) = 0.25 within 0
model Sides
  block Gain
    input Real u;
    output Real y;
  equation
    y/3 = u;
  end Gain;
  block A
    input Real u;
    Real x(start = 0), y(start = 0), z(start = 0), w(start = 0), t(start = 0);
    Real v(start = 1, fixed = true), i(start = 0);
    Gain gain;
  equation
    x + y = z;
    z = 3;
    x = u;
    w + 1 = u;
    gain.u + 1 = 2*x;
    if u > 3 then
      s = 3;
    else
      s = 0;
    end if;
    s + t = u - (if u > 3 then 4 else 0);
    2*der(v) = i;
    i = -v;
  protected
    Real s(start = 0);
  end A;
  block B
  end B;
  A a(u = n);
  B b;
  Integer n(start = -1);
equation
  when Clock(Clock(1, 1), "ExplicitEuler") then
    n = previous(n) + 1;
  end when;
  initialState(a);
  transition(a, b, mod(n, 4) == 2);
  transition(b, a, mod(n, 4) == 0, reset = false);
end Sides;
