// The library ida as second opinion: its own steps and dense output, our events and Jacobian.
//! needs SUNDIALS
//! command simulate {file} --solver ida --tolerance 1e-8 --stop 2 --output -
//! near h(0.4) = 0.2152 within 1e-6
//! near h(2) = 0.2607417 within 1e-6
//! near fast(2) = 0.909297 within 2e-5
model Solver
  Real h(start=1, fixed=true), v(start=0, fixed=true);
  Real fast(start=0, fixed=true) "follows sin(time), stiff";
equation
  der(h) = v;
  der(v) = -9.81;
  der(fast) = -1000*(fast - sin(time)) + cos(time);
  when h < 0 then
    reinit(v, -0.8*pre(v));
  end when;
end Solver;
