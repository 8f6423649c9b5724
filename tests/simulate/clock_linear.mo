// The equations of implicit methods enter a partition before it is ordered: a linear one with a constant interval stays linear. Its
// matrix is constant.
//! command structure {file}
//! output ImplicitTrapezoid, 7 variables
//! output constant linear block of 7, 2 iteration variables
model ClockLinear
  parameter Real A[3, 3] = {{-2, 1, 0.5}, {1, -3, 1}, {0.5, 1, -4}};
  Real x[3](start = {1, 2, 3}, each fixed = true), z;
equation
  when Clock(Clock(1, 10), "ImplicitTrapezoid") then
    der(x) = A*x + {1, 0, 0}*z;
    z + x[2] = 2*x[3];
  end when;
end ClockLinear;
