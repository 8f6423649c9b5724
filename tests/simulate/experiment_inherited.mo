// The experiment of a base class holds for a model that has none of its own.
//! command simulate {file} --model Experiments.Derived --output -
//! near x(3) = 3 within 1e-9
package Experiments
  partial model Base
    Real x(start = 0, fixed = true);
    annotation(experiment(StopTime = 3, Interval = 0.5));
  end Base;

  model Derived
    extends Base;
  equation
    der(x) = 1;
  end Derived;
end Experiments;
