// A counter that is sampled, and a relation on its value.
//! command simulate {file} --output - --intervals 100
//! near n(0.35) = 3 within 0
//! near late(0.35) = 0 within 0
//! near late(0.95) = 1 within 0
model M
  discrete Real n(start=0, fixed=true);
  Boolean late = n > 5;
equation
  when sample(0.1, 0.1) then
    n = pre(n) + 1;
  end when;
end M;
