//! command simulate {file} --model M --stop 1 --output -
//! near s[1](0.5) = 0.5 within 1e-12
//! near s[2](0.5) = 1.5 within 1e-12
//! near s[4](1) = 3 within 1e-12
function sort
  input Real x[:];
  output Real y[size(x, 1)];
protected
  Real t;
algorithm
  y := x;
  for i in 1:size(y, 1) loop
    for j in 1:size(y, 1) - 1 loop
      if y[j] > y[j + 1] then
        t := y[j];
        y[j] := y[j + 1];
        y[j + 1] := t;
      end if;
    end for;
  end for;
end sort;

model M
  Real s[4] = sort({3, 1 + time, 2, 0.5});
end M;
