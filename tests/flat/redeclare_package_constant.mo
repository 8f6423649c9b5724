//! command flat {file} --model P.M
//! output Real[3] p.x = 2*ones(
package P
  partial package Medium
    constant Integer n = 1;
    function f
      input Integer k;
      output Integer y;
    algorithm
      y := k + n;
    end f;
  end Medium;
  package Water
    extends Medium(n = 2);
  end Water;
  model Pipe
    replaceable package Fluid = Medium;
    Real x[Fluid.f(1)] = 2*ones(Fluid.f(1));
  end Pipe;
  model M
    Pipe p(redeclare package Fluid = Water);
  end M;
end P;
