// What moves fast beside a slow state is resolved inside its long steps: sines of time and of a shaft
// cross their borders as often as they should, whatever integrates, and pulses are not passed over.
//! command simulate {file} --stop 10 --output -
//! near pulses(10) = 50 within 0
//! near turns(10) = 159 within 0
//! near beats(10) = 63 within 0
//! check for s in "--tolerance 1e-3" "--tolerance 1e-9" "--rates auto" "--rates 2" "--method radauIIA4" "--method dopri5" "--solver cvode" "--solver ida"; do {rubato} simulate {file} --stop 10 --intervals 3 $s --quiet --output r.csv || exit 1; python3 -c "import csv;r=list(csv.DictReader(open('r.csv')))[-1];assert [float(r[k]) for k in ('pulses','turns','beats')]==[50,159,63],('$s',r)" || exit 1; done
// Random ones, whose counts are known.
//! check python3 {dir}/../../tools/events.py {rubato} --count 15 --keep kept
model FastCrossings
  Real x(start = 0, fixed = true) "slow";
  Real phi(start = 0, fixed = true) "a shaft";
  discrete Integer pulses(start = 0, fixed = true), turns(start = 0, fixed = true);
  discrete Integer beats(start = 0, fixed = true);
equation
  10*der(x) = 1 - x;
  der(phi) = 100;
  when sin(2*3.141592653589793*5*time) > 0.5 then
    pulses = pre(pulses) + 1;
  end when;
  when sin(phi) > 0.9 then
    turns = pre(turns) + 1;
  end when;
  when sin(phi/2)*sin(0.7*phi + 1) > 0.8 then
    beats = pre(beats) + 1;
  end when;
end FastCrossings;
//! long
