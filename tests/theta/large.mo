// One process of 200 states, whose stability is found in Krylov spaces. From 0.01 every cell goes to 1; Newton's method alone
// would go to the unstable equilibrium 0. Then the pull turns, the branch ends, and all jump to the other side.
// Equal cells have the fold of z - z^3 = 0.5*sin(t), where sin(t) = 4/(3*sqrt(3)), t = 0.8785.
//! command simulate {file} --stop 1 --intervals 5 --output - --tolerance 1e-6
//! stat theta.processes = 1
//! stat theta.states = 200
//! near z[1](0) = 1 within 1e-9
//! near z[200](0) = 1 within 1e-9
//! near z[77](0.8) = 0.696370947442 within 1e-7
//! near z[77](1) = -1.166484746758 within 1e-7
//! stat theta.jumps = 2
model Large
  parameter Integer N = 200;
  Real z[N](each start = 0.01), s(start = 0, fixed = true);
equation
  der(s) = 1;
  for i in 1:N loop
    Rubato.THETA*der(z[i]) = z[i] - z[i]^3 - 0.5*sin(s) + 0.3*(z[mod(i, N) + 1] - 2*z[i] + z[mod(i - 2, N) + 1]);
  end for;
end Large;
//! long
