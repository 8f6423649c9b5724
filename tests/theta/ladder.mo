// A ladder of 200 cells with an infinitely small capacitor each: 200 processes, each solved on its own; the work of
// an evaluation grows with their number alone.
//! command simulate {file} --stop 1 --intervals 1 --method dopri5 --output -
//! stat theta.processes = 200
//! stat theta.states = 200
//! stat theta.solves >= 200 * rhs_calls
//! stat theta.factorizations <= 4 * theta.solves
//! near cell[1].v(1) = 0.978833 within 1e-4
model Ladder
  model Cell "A slow capacitor, then a diode and a resistor with the small one between"
    parameter Real C = 1e-3, R = 100, c = 1e-9*Rubato.THETA;
    Real v(start = 0, fixed = true), u(start = 0), i, j;
    input Real from;
  equation
    C*der(v) = from - i;
    i = 1e-9*(exp((v - u)/0.04) - 1) + (v - u)/1e8;
    c*der(u) = i - j;
  end Cell;
  parameter Integer N = 200;
  Cell cell[N](from = {if k == 1 then (1 - cell[1].v)/100 else cell[max(k - 1, 1)].j for k in 1:N});
equation
  for k in 1:N-1 loop
    cell[k].j = (cell[k].u - cell[k + 1].v)/cell[k].R;
  end for;
  cell[N].j = cell[N].u/cell[N].R;
end Ladder;
