// A machine in a stream without storage: its energy balance is a product of the flow m and a bracket, so that m = 0 solves it,
// whatever else does. Where branches cross the run goes on with the stable one, as the limit of a small volume would:
// m = 6.9 - t and h = 3.1, from 6.9 to 8.1 s m = 0 and h = 10 - t, then m = 8.1 - t and h = 1.9.
//! command simulate {file} --stop 20 --output -
//! near m(5) = 1.9 within 1e-6
//! near h(5) = 3.1 within 1e-6
//! near m(7.4) = 0 within 1e-6
//! near h(7.4) = 2.6 within 1e-6
//! near m(9) = -0.9 within 1e-6
//! near h(9) = 1.9 within 1e-6
//! near m(20) = -11.9 within 1e-6
model BranchesCross
  Real m(start = 7), h(start = 3);
equation
  m = 10 - time - h;
  0 = noEvent(abs(m)*((if m > 0 then 3 else 2) - h)) + 0.1*m;
end BranchesCross;
