// States in an array, transitions in a loop, arrays in a state.
//! command simulate {file} --output - --stop 1.2 --interval 0.05
//! near v(0.25) = 3 within 0
//! near v(0.35) = 13 within 0
//! near v(0.55) = 33 within 0
//! near v(0.65) = 133 within 0
//! near v(0.75) = 134 within 0
//! near v(1.05) = 146 within 0
//! near s[1].n(0.65) = 3 within 0
//! near s[1].n(0.75) = 1 within 0
//! near s[2].a[2](0.55) = 8 within 0
//! near s[2].b(0.95) = 12 within 0
//! near s[2].b(1.05) = 10 within 0
model Arrays
  inner Integer v(start = 0);
  block S
    outer output Integer v;
    parameter Integer k = 1;
    Integer n(start = 0), a[2](start = {1, 2}), b = previous(n) + 10;
  equation
    v = previous(v) + k;
    n = previous(n) + 1;
    for i in 1:2 loop
      a[i] = previous(a[i]) + i;
    end for;
  end S;
  S s[3](k = {1, 10, 100});
equation
  initialState(s[1]);
  for i in 1:2 loop
    transition(s[i], s[i + 1], timeInState() >= 0.2, immediate = false);
  end for;
  transition(s[3], s[1], ticksInState() >= 2);
  when Clock(1, 10) then
    assert(v < 1000, "v is too large");
  end when;
end Arrays;
