// A table of numbers in a function is data of the program; it is read, and may be changed, like any
// other value.
//! command simulate {file} --model P.M --stop 2.5 --intervals 5 --output -
//! near y(0.5) = 2 within 0
//! near y(1.5) = 11 within 0
//! near y(2.5) = 20 within 0
//! near z(2) = 47 within 0
package P
  function read
    input Integer i;
    output Real y;
  protected
    constant Real table[3, 2] = [1, 2; 10, 11; 20, 20];
    Real own[3, 2] = table;
  algorithm
    own[1, 1] := own[1, 1] + 1;
    y := if i == 1 then own[1, 1] else table[i, 2];
    annotation (Inline = false);
  end read;

  function total
    input Real a[:, :];
    input Real x;
    output Real y = 0;
  algorithm
    for i in 1:size(a, 1) loop
      y := y + sum(a[i, :]);
    end for;
    y := y + x;
    annotation (Inline = false);
  end total;

  model M
    discrete Real y(start = 0, fixed = true);
    Real z = total([1, 2; 10, 11; 20, 1], time);
  equation
    when {initial(), sample(1, 1)} then
      y = read(integer(time) + 1);
    end when;
  end M;
end P;
