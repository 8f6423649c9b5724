// The start value of a variable that is equal to a fast state is no initial condition either, though it is fixed.
//! command simulate {file} --stop 1 --intervals 1 --output -
//! near i(0) = 2 within 1e-9
//! near shown(0) = -2 within 1e-9
//! near i(1) = 0.7357588823428847 within 1e-5
model FixedAlias
  model Coil
    parameter Real L;
    Real i, u;
  equation
    L*der(i) = u;
  end Coil;
  Coil coil(L = 1e-3*Rubato.THETA);
  Real i = coil.i, shown(start = 0.25, fixed = true), w(start = 2, fixed = true);
equation
  shown = -coil.i;
  coil.u = w - coil.i;
  der(w) = -coil.i;
end FixedAlias;
