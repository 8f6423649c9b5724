// Processes are separated by structure: each is one block with what it reads.
//! command structure {file}
//! output infinitely fast block of 2, 2 iteration variables\n  process: z (level 1), w (level 2); reads y\n
//! output infinitely fast block of 1, 1 iteration variables\n  process: p (level 1); reads z\n
//! output 1 states
model M
  Real y(start = 1.5, fixed = true), z(start = 1), w(start = 1), p(start = 0);
  constant Real THETA = 1.0;
equation
  der(y) = -z;
  THETA*der(z) = y - z - 0.5*w;
  THETA^2*der(w) = z - w^3;
  THETA*der(p) = z - p;
end M;
