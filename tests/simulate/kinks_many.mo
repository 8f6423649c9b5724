// A chain of amplifiers with kinks on both sides of which the stiffness differs by factors: Newton's iteration fails in
// every other attempt, whatever the Jacobian, and a method that does not iterate takes over (589 failures and 25,600
// evaluations before).
//! command simulate {file} --intervals 200 --output -
//! near u(1) = 5 within 1e-9
//! near v[1](5) = 4.0000099999 within 1e-5
//! stat newton_failures < 200
//! stat rhs_calls < 20000
model kinks_many
  parameter Integer n = 4;
  parameter Real c = 1e-9, k = 1e5;
  Real v[n](each start = 0, each fixed = true), u, w[n];
equation
  w[1] = u;
  for i in 2:n loop
    w[i] = v[i-1];
  end for;
  u = noEvent(min(5, max(0, 20*sin(2*time) - 5)));
  for i in 1:n loop
    c*(1 + i)*der(v[i]) = (5 - v[i])/1e3 - k*1e-3*noEvent(max(w[i] - 1, 0))*noEvent(min(v[i], 1))
      - noEvent(max(-v[i], 0)) - k*noEvent(max(v[i] - 4, 0))*1e-3;
  end for;
  annotation(experiment(StopTime = 5));
end kinks_many;
