// A rod in N segments, heated at one end: one for-equation stands for all segments, and the
// compiler keeps it as one. Look at T[1] and T[N], and change N.
model HeatedRod "Heat conduction in a rod"
  parameter Integer N = 50 "Segments";
  parameter Real L(unit="m") = 1 "Length";
  parameter Real a(unit="m2/s") = 1e-4 "Thermal diffusivity";
  parameter Real dx(unit="m") = L/N;
  Real T[N](each unit="K", each start=293.15, each fixed=true) "Temperatures";
equation
  der(T[1]) = a/dx^2*(2*(373.15 - T[1]) + (T[2] - T[1]));
  for i in 2:N - 1 loop
    der(T[i]) = a/dx^2*(T[i - 1] - 2*T[i] + T[i + 1]);
  end for;
  der(T[N]) = a/dx^2*(T[N - 1] - T[N]);
  annotation (experiment(StopTime=5000, Tolerance=1e-6));
end HeatedRod;
