// A joint without a residual: one unknown too many.
//! command structure {file} --model Joint --components
//! error C104 5:7
//! message class 'Joint' is not LIED: unknowns and residuals do not match: the model is singular: 4 unknowns with 3 equations
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
end Joint;
