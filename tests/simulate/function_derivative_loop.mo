// The second derivative of a function with an array, a for and a while loop, made from its body: a
// constraint of index 3.
//! command simulate {file} --stop 1.5 --tolerance 1e-7 --output -
//! near F(1) = 0 within 1e-5
//! near x(1.5) = 0.997494986604054 within 1e-6
model FunctionDerivativeLoop
  function g
    input Real x;
    input Integer n;
    output Real y;
  protected
    Real p[5];
    Integer i;
  algorithm
    p[1] := x;
    for k in 2:5 loop
      p[k] := p[k - 1]*x;
    end for;
    y := 0;
    i := 1;
    while i <= n loop
      if i == 2 then
        i := i + 1;
      else
        y := y + p[i]/i;
        i := i + 1;
      end if;
    end while;
    annotation (Inline=false);
  end g;
  Real x, v, F;
  Real s = sin(time);
equation
  g(x, 3) = s + s^3/3;
  der(x) = v;
  der(v) = F - x;
end FunctionDerivativeLoop;
