// SPDX-License-Identifier: Apache-2.0
// A fast part, a slow one, and one whose equation takes a thousand times as long as the others.
package Costs
  function busy
    input Real x;
    output Real y;
  algorithm
    y := x;
    for i in 1:2000 loop
      y := 0.5 * (y + sin(y) + 1e-3 * i);
    end for;
  end busy;

  model Lag
    parameter Real T = 1;
    Real x(start = 1, fixed = true);
  equation
    T * der(x) = sin(20 * time) - x;
  end Lag;

  model Heavy
    Real x(start = 0, fixed = true);
    Real y;
  equation
    y = busy(x);
    der(x) = 1e-3 * y;
  end Heavy;

  model Two
    Lag fast(T = 1e-3);
    Lag slow(T = 100);
    Heavy heavy;
    annotation (experiment(StopTime = 1));
  end Two;
end Costs;
