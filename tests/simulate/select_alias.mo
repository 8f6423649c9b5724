// An angle has two names: one is never to be a state, as that of a joint inside of another one, the other one asks to be. Then
// it is one, and the height of the tip, which is no longer monotone at a quarter of a turn, need not be.
//! command simulate {file} --stop 4 --output -
//! near phi(4) = 4 within 1e-6
//! near h(4) = -0.756802495307928 within 1e-6
//! check {rubato} simulate {file} --dump=states --output a.mat | grep -q '^states: phi$'
model SelectAlias
  Real inner_phi(stateSelect = StateSelect.never);
  Real phi(stateSelect = StateSelect.prefer, start = 0, fixed = true);
  Real h(start = 0), v, w;
equation
  inner_phi = phi;
  der(inner_phi) = w;
  w = 1;
  h = sin(inner_phi);
  der(h) = v;
end SelectAlias;
