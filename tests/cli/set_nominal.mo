// A large nominal value loosens the absolute tolerance as the annotation in the model would.
//! command simulate {file} --set p.x.nominal=1e6 --output -
//! check {rubato} simulate {file} --stats a.json --quiet --output a.csv; {rubato} simulate {file} --set p.x.nominal=1e6 --stats b.json --quiet --output b.csv; python3 -c "import json; a, b = (json.load(open(n))['steps_accepted'] for n in ('a.json', 'b.json')); assert 2*b < a, (a, b)"
//! near p.x(0) = 1 within 1e-12
model M
  model Part
    Real x(start = 1, fixed = true);
  equation
    der(x) = 50*cos(50*time);
  end Part;
  Part p;
end M;
