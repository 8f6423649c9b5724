// The two rows at an event hold the left and the right values of everything, also of what algorithm
// sections compute: a Real, an Integer, and what an equation makes of them.
//! command simulate {file} --model M --stop 1 --interval 1 --output -
//! check {rubato} simulate {file} --model M --stop 1 --interval 1 --output {tmp}/m.csv 2>/dev/null; awk -F, '$1 > 0.49 && $1 < 0.51 { n++; v[n] = $3 " " $4 " " $5 " " $6 } END { exit !(n == 2 && v[1] == "1 1 0 0" && v[2] == "20 21 1 1") }' {tmp}/m.csv
//! near jump(0.4) = 1 within 0
//! near jump(1) = 20 within 0
model M
  Real x(start = 0, fixed = true), jump, both = jump + count;
  Integer count;
  Boolean high;
equation
  der(x) = 1;
algorithm
  jump := if x > 0.5 then 20 else 1;
  count := 0;
  if jump > 10 then
    count := 1;
  end if;
  high := x > 0.5;
end M;
