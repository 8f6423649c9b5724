// A large array of parameters that a function makes is computed once, not once for each element; its elements can
// still be set.
//! command simulate {file} --stop 1 --intervals 1 --set table[2,3]=7 --output -
//! near y(1) = 40200 within 0
//! near z(1) = 7 within 0
model ParameterTable
  function rows
    input Integer n, m;
    output Real y[n, m];
  algorithm
    for i in 1:n loop
      for j in 1:m loop
        y[i, j] := i*m + j;
      end for;
    end for;
  end rows;
  parameter Integer n = 200, m = 200;
  parameter Real table[n, m] = rows(n, m);
  Real y = table[n, m], z = table[2, 3];
end ParameterTable;
