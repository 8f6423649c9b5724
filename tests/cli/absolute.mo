// Near zero only the absolute tolerance counts: with a tighter one there are more steps and the
// decayed value is exact to it.
//! command simulate {file} --stop 30 --absolute 1e-16 --output -
//! near x(30) = 9.3576e-14 within 1e-18
//! check {rubato} simulate {file} --stop 30 --stats loose.json --quiet --output l.csv; {rubato} simulate {file} --stop 30 --absolute 1e-16 --stats tight.json --quiet --output t.csv; python3 -c "import json; a, b = (json.load(open(n))['steps_accepted'] for n in ('loose.json', 'tight.json')); assert b > 1.5*a, (a, b)"
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
