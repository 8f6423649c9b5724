// Elements of one array may be fast, slow and of different levels, whether they are written as
// variables or belong to an array of components; slow ones keep their start values.
//! command simulate {file} --stop 1 --intervals 2 --tolerance 1e-10 --output -
//! stat states = 3
//! stat theta.states = 3
//! stat theta.levels = 2
//! near x[2](0) = 2 within 1e-12
//! near x[2](1) = 0.7357588823428847 within 1e-8
//! near x[1](1) = 0.36787944117144233 within 1e-8
//! near x[3](1) = 0.18393972058572117 within 1e-8
//! near c[1].v(0) = 1 within 1e-9
//! near c[1].v(0.5) = 1.5 within 1e-8
//! near c[2].v(0) = 0.25 within 1e-12
//! near c[2].v(1) = 1.0919698602928606 within 1e-8
//! near y(1) = 1 within 1e-9
model Elements
  constant Real THETA = 1;
  model Lag
    parameter Real T;
    Real v(start = 0.25, fixed = true), u;
  equation
    T*der(v) = u - v;
  end Lag;
  Real x[3](start = {5, 2, 7}, each fixed = true, each stateSelect = StateSelect.prefer), y(start = 0, fixed = true);
  Lag c[2](T = {1e-6*THETA, 1}, u = {1 + time, 1 + time});
equation
  THETA*der(x[1]) = 0.5*x[2] - x[1];
  der(x[2]) = -x[2];
  THETA^2*der(x[3]) = 0.5*x[1] - x[3];
  der(y) = 1;
end Elements;
