//! command simulate {file} --model M --stop 1 --output -
//! near f(1) = 120 within 0
//! near r(1) = 1.7320508075688772 within 1e-12
function factorial
  input Integer n;
  output Integer y;
algorithm
  if n <= 1 then
    y := 1;
  else
    y := n*factorial(n - 1);
  end if;
end factorial;

function root "by Newton's method"
  input Real a;
  output Real x;
  output Integer n;
algorithm
  x := a;
  n := 0;
  while abs(x*x - a) > 1e-12 loop
    x := 0.5*(x + a/x);
    n := n + 1;
    if n > 100 then
      break;
    end if;
  end while;
end root;

model M
  Integer f, n;
  Real r;
equation
  f = factorial(5);
  (r, n) = root(2 + time);
end M;
