// Parameters that the start finds are compared with their bounds when it has found them, not before; so are
// variables whose bounds are such parameters.
//! command simulate {file} --model Index --stop 1 --intervals 2 --output -
//! near i(0) = 2 within 0
//! near y(1) = 21 within 1e-12
//! warning R105 14:8
//! check {rubato} simulate {file} --model Wrong --stop 1 --output {tmp}/w.csv 2>&1 | grep -q "26:21: error R114: .*'i' is -1, below its min of 1"
//! check {rubato} simulate {file} --model Wrong --stop 1 --bounds off --output {tmp}/w.csv
model Index
  parameter Integer i(min = 1, fixed = false);
  parameter Real top(fixed = false);
  Real x[2] = {10 + time, 20 + time};
  Real y = x[i];
  Real z(max = top) = y;
initial algorithm
  i := -1;
  for k in 1:2 loop
    if k > 1 then
      i := k;
    end if;
  end for;
  top := 20.5;
end Index;

model Wrong
  parameter Integer i(min = 1, fixed = false);
  Real x = i*time;
initial algorithm
  i := -1;
end Wrong;
