// The constraints leave one state. By structure a and b could both be taken away, which c would
// prefer, but their coefficients are dependent.
//! command simulate {file} --stop 1 --intervals 2 --tolerance 1e-8 --output -
//! near a(1) = 0.69088664533801811 within 1e-6
//! near c(1) = -1.1426396637476532 within 1e-6
//! near p[1].x(1) = 2 within 1e-9
//! near p[2].x(1) = 1 within 1e-9
model M
  model Part
    parameter Real phi = 0;
    final parameter Real n[2] = {sin(phi), cos(phi)};
    Real x, y;
  equation
    n[1]*x + n[2]*y = time;
    x - y = 1;
  end Part;
  Real a(start = 0.5, fixed = true), b, c(stateSelect = StateSelect.prefer);
  Part p[2](phi = {0, 1.5707963267948966});
equation
  a + b = sin(time);
  2*a + 2*b + c = cos(time);
  der(a) + 2*der(b) + der(c) = -a;
end M;
