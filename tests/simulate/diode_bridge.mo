// Six ideal diodes that all begin at their border: the modes of a three-phase bridge must be found
// together. The voltage over the load is the largest difference between two phases.
//! command simulate {file} --output - --stop 0.04 --intervals 400
//! near error(0.0004) = 0 within 1e-3
//! near error(0.005) = 0 within 1e-3
//! near error(0.0317) = 0 within 1e-3
//! near u(0.005) = 150 within 1e-3
model DiodeBridge
  parameter Real Ron = 1e-5;
  parameter Real Goff = 1e-5;
  constant Real pi = 3.14159265358979;
  Real e[3] = {100*sin(100*pi*time - 2*pi*(k - 1)/3) for k in 1:3};
  Real s[6];
  Real i[6];
  Real v[6];
  Boolean off[6];
  Real high, low, star, u, load, error;
equation
  for k in 1:6 loop
    off[k] = s[k] < 0;
    v[k] = s[k]*(if off[k] then 1 else Ron);
    i[k] = s[k]*(if off[k] then Goff else 1);
  end for;
  for k in 1:3 loop
    v[k] = e[k] + star - high;
    v[k + 3] = low - e[k] - star;
  end for;
  i[1] + i[2] + i[3] = load;
  i[4] + i[5] + i[6] = load;
  u = high - low;
  load = u/50;
  star = 0;
  error = u - (max(e) - min(e));
end DiodeBridge;
