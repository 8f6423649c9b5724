// A slow and a fast state that pull at each other. Look at slow and fast, with --rates 2: the
// split must not become unstable although the coupling is strong.
model CoupledPair "A slow and a fast state, coupled so strongly that a careless split is unstable"
  parameter Real c = 0.9 "Pull of the fast state on the slow one";
  parameter Real r = 100 "Speed of the fast state";
  Real slow(start = 1, fixed = true);
  Real fast(start = -1, fixed = true);
equation
  der(slow) = -slow + c*fast;
  der(fast) = r*(slow - fast);
  annotation(experiment(StopTime = 5, Tolerance = 1e-6));
end CoupledPair;
