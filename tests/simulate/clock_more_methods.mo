// An oscillator with steps of 0.01: an integrator of ours from tick to tick is exact, the semi-implicit
// Euler method keeps the energy where the explicit one gains it. At the end of 1000 steps
// (x, v) of the latter two are powers of their matrices.
//! command simulate {file} --stop 10.005 --interval 5 --output -
//! near ext.x(10.005) = -0.8390715290764524 within 1e-6
//! near semi.x(10.005) = -0.836328546182 within 1e-10
//! near semi.v(10.005) = 0.544062872953 within 1e-10
//! near ee.x(10.005) = -0.882280018204 within 1e-10
model ClockMoreMethods
  model Oscillator
    parameter String method;
    Clock c = Clock(Clock(1, 100), method);
    Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  equation
    when c then
      der(x) = v;
      der(v) = -x;
    end when;
  end Oscillator;
  Oscillator ext(method = "External"), semi(method = "SemiImplicitEuler");
  Oscillator ee(method = "ExplicitEuler");
end ClockMoreMethods;
