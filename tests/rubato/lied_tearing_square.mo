// A joint whose residual is not linear in the unknown that tears.
//! command structure {file} --model Joint --components
//! error C104 18:3
//! message class 'Joint' is not LIED: it is not linear in what is implicit:
model Joint
  import Rubato.Planar.*;
  FlangeTo to;
  FlangeOn on;
  Real phi(stateSelect = StateSelect.always), w(stateSelect = StateSelect.always);
equation
  der(phi) = w;
  on.r = to.r;
  on.phi = to.phi + phi;
  on.v = to.v;
  on.w = to.w + w;
  to.f + on.f = {0, 0};
  to.tau + on.tau = 0;
  to.tau = 0.1*der(w)*abs(der(w));
end Joint;
