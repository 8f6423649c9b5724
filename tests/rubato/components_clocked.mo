// Families of components have no ticks: clocked models are refused (they once ran without any).
//! command simulate {file} --components --output -
model M
  block P
    parameter Real a = 1;
    Real x(start = 0, fixed = true);
    Real y(start = 0); //! error C103
  equation
    der(x) = hold(y) - a*x;
    when Clock(1, 10) then
      y = previous(y) + 0.1*(1 - sample(x));
    end when;
  end P;
  P p[20](a = {1 + i/20 for i in 1:20});
end M;
