// Three reactions whose speeds differ by nine orders of magnitude (Robertson 1966). Look at y1, y2 and y3, and at
// the summary: 1e5 seconds take a few dozen steps, because the method changes to an implicit one by itself.
// Compare `--method tsit5 --stop 40`, which stays explicit. mass must remain 1.
model Robertson "A stiff chemical system"
  Real y1(start = 1, fixed = true) "Share of A";
  Real y2(start = 0, fixed = true, nominal = 1e-5) "Share of B, short-lived";
  Real y3(start = 0, fixed = true) "Share of C";
  Real mass = y1 + y2 + y3;
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  der(y3) = 3e7*y2^2;
  annotation(experiment(StopTime = 1e5));
end Robertson;
