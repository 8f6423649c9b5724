// Values for variables of an array of states, given outside of the block: each element keeps its own while it is not
// active. s[1] is active at n = 0, 1, 4, 5, s[2] at 2, 3, 6.
//! command simulate {file} --output - --stop 6 --interval 0.5
//! near s[1].i(1.5) = 1 within 0
//! near s[1].i(3.5) = 1 within 0
//! near s[1].i(5.5) = 5 within 0
//! near s[2].i(1.5) = 0 within 0
//! near s[2].i(2.5) = 20 within 0
//! near s[2].i(5.5) = 30 within 0
//! near s[1].v[2](3.5) = -1 within 0
//! near s[2].v[2](3.5) = -3 within 0
//! near s[2].m[1,2](3.5) = 6 within 0
//! near s[2].j(5.5) = 30 within 0
model Bindings
  block S
    input Integer n;
    Integer i(start = 0), v[2](each start = 0), m[1, 2](each start = 0);
    Integer j(start = 0) = 5*n;
  end S;
  S s[2](n = {n, 2*n}, i = {n, 10*n}, each v = {n, -n}, m = {{{0, n}}, {{0, 2*n}}});
  Integer n(start = -1);
equation
  when Clock(1, 1) then
    n = previous(n) + 1;
  end when;
  initialState(s[1]);
  transition(s[1], s[2], mod(n, 4) == 2);
  transition(s[2], s[1], mod(n, 4) == 0);
end Bindings;
