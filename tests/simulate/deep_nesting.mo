// Expressions nested hundreds of levels deep, and calls in calls whose inlined text would be longer than any memory.
//! input python3 -c "n, m = 'x', 'y'; exec('for i in range(380): n = \'max(x/2, \' + n + \')\'\nfor i in range(190): m = \'f(\' + m + \')\''); print('model Deep function f input Real u; output Real r; algorithm r := u; for i in 1:3 loop r := r*0.9 + u/10; end for; end f; Real x(start = 1, fixed = true), y, z; equation der(x) = -z; y = ' + n + '; z = ' + m + '; end Deep;')" > Deep.mo
//! command simulate {tmp}/Deep.mo --output - --tolerance 1e-9
//! near y(1) = 0.36787944117144233 within 1e-7
//! near z(1) = 0.36787944117144233 within 1e-7
model Unused
end Unused;
