// Families are chosen without being asked for where nothing is lost by it: large models without events, as long as no
// option needs what they do not offer. The result has all instances, and is that of the ordinary path.
//! command simulate {file} --model Many --stop 1 --interval 0.5 --variables "^c.(1|77|1024)..(x|z)$" --output -
//! near c[1].x(1) = 0.36787944117 within 1e-5
//! near c[77].x(1) = 0.9255004352506 within 1e-5
//! near c[1024].z(1) = 0.9832836 within 1e-5
//! same-as --components=auto
//! check q="--model Many --stop 1 --interval 0.5 --quiet --variables ^c.(1|77|999|1024)..(x|y|z|k)$"; {rubato} simulate {file} $q --stats auto.json --output auto.csv && {rubato} simulate {file} $q --components=no --stats whole.json --output whole.csv && grep -q '"path":"components"' auto.json && grep -q '"path":"whole"' whole.json && {dir}/same.py auto.csv whole.csv 1e-6 16
//! check {rubato} simulate {file} --model Many --stop 1 --set c[77].x.start=2 --set c[5].k=0 --variables "^c.(5|77)..x$" --quiet --output a.csv && tail -1 a.csv | grep -q '^1,1,1.85100' && {rubato} simulate {file} --model Many --stop 0.1 --variables "^c.5..x$" --output a.csv | grep -q ', component by component -> a.csv$'
//! check {rubato} simulate {file} --model Few --stop 0.1 --stats - --quiet --variables x --output a.mat | grep -q '"path":"whole"'
//! check {rubato} simulate {file} --model Told --stop 0.1 --stats - --quiet --variables x --output a.mat | grep -q '"path":"whole"'
//! check {rubato} simulate {file} --model Jumps --stop 0.1 --stats - --quiet --variables x --output a.mat | grep -q '"path":"whole"'
//! check {rubato} simulate {file} --model Heard --stop 0.1 --stats - --quiet --variables 'sum$' --output a.mat | grep -q '"path":"whole"'
//! check for o in --derivatives "--rates 2" "--solver cvode" "--save-state s" "--trace t"; do {rubato} simulate {file} --model Many --stop 0.1 $o --stats - --quiet --variables x --output a.mat > out 2>&1; grep -q '"path":"whole"' out || grep -q "no solver" out || exit 1; done
//! check {rubato} simulate {file} --model Bounded --stop 1 --interval 0.5 --quiet --variables x --output a.mat 2>&1 | grep -q "R105: at time 0.5: 'c\[1\].x' is 1.6.*above its max of 1.5"
//! check {rubato} structure {file} --model Many | grep -q "^family c: 1024 instances, 1 states" && ! {rubato} structure {file} --model Many --components=no | grep -q family
//! check {rubato} simulate {file} --model Many --components=perhaps 2>&1 | grep -q "components=perhaps: this is auto or no, or nothing"
model C
  parameter Real k = 1;
  Real x(start = 1, fixed = true), y, z, a, b, c, d, w[60] = {sin(i*x) for i in 1:60};
equation
  der(x) = -k*x;
  y = x^2;
  z = sqrt(y);
  a = y + z;
  b = a + x;
  c = sin(b);
  d = c*x;
end C;
model Many
  parameter Integer n = 1024;
  C c[n](k = {1/i^0.589 for i in 1:n});
end Many;
model Few
  C c[1000];
end Few;
model Told
  model A
    extends C;
  equation
    assert(x > 0.5, "too small");
  end A;
  A c[1024];
end Told;
model Jumps
  model A
    extends C;
    discrete Real u(start = 0);
  equation
    when x < 0.95 then
      u = 1;
    end when;
  end A;
  A c[1024];
end Jumps;
model Heard
  C c[1024];
  Real sum = c[1].x + c[2].x;
end Heard;
model Bounded
  C c[1024](each k = -1, each x(max = 1.5));
end Bounded;
