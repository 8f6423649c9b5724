// However a run ends, the words and the results are the same on any number of threads: an assertion, an
// assertion inside a function, terminate, a loop without solution, events without end; and warnings on the way.
//! command simulate {file} --rates 3 --tier 0 --threads 4,1 --stop 0.5 --output -
//! near x[5](0.5) = 0.30206319731 within 1e-5
//! check for how in 1 2 3 4 5; do for n in 1 2 4; do {rubato} simulate {file} --set how=$how --rates 3 --tier 0 --threads $n,1 --quiet --output $n.csv > $n.out 2>&1; echo "status $?" >> $n.out; done; for n in 2 4; do cmp 1.out $n.out && cmp 1.csv $n.csv || exit 1; done; cp 1.out $how.all; done
//! check grep -q "x\[7\] is too large" 1.all && grep -q "status 3" 1.all
//! check grep -q "far too large" 2.all && grep -q "status 3" 2.all
//! check grep -q "status 0" 3.all && grep -q "warning R105: at time .*: rather large" 3.all
//! check grep -q "has no solution" 4.all && grep -q "status 3" 4.all
//! check grep -q "switches back and forth" 5.all && grep -q "status 3" 5.all
model rates_threads_end
  function limited
    input Real x;
    input Real most;
    output Real y;
  algorithm
    assert(x < most, "far too large");
    assert(x < 0.5, "rather large", AssertionLevel.warning);
    y := 0.01*x;
  end limited;
  parameter Integer N = 12, how = 0;
  Real x[N](start = {0.02*i for i in 1:N}, each fixed = true);
  Real y[N](each start = 1), z[N](each start = 1);
  Real s[N](start = {mod(0.37*i, 1) for i in 1:N}, each fixed = true);
  Real w[N](each start = 0.1, each fixed = true);
  Boolean up[N](each start = false, each fixed = true);
  Boolean side[N](each start = false, each fixed = true);
equation
  for i in 1:N loop
    y[i]^2 + 0.1*z[i] = 2 - (if how == 4 and mod(i, 4) == 3 then 4 else 1)*x[i];
    z[i]^3 + z[i] = y[i] + 1;
    der(x[i]) = (if up[i] then 0.5 else 0.4) + (if mod(i, 4) == 3 then sin(50*time) else 0)
      + limited(x[i], if how == 2 then 0.6 else 10) + 0.001*y[i];
    der(s[i]) = 0.4 + 0.03*i + 0.01*x[i];
    up[i] = x[i] > 0.3;
    when s[i] > 1 then
      reinit(s[i], 0);
    end when;
    side[i] = w[i] > 0.2;
    der(w[i]) = if how == 5 and i == 7 then (if side[i] then -1 else 1) else 0.01;
  end for;
  assert(how <> 1 or x[7] < 0.7, "x[7] is too large");
  when how == 3 and x[7] > 0.7 then
    terminate("x[7] is large");
  end when;
  annotation(experiment(StopTime = 1.2));
end rates_threads_end;
//! long
