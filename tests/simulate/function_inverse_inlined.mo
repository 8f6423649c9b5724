// An annotated inverse is used where the function is marked to be inlined as well: the two differ near zero, where the
// library says what it wants by its inverse. The body was inlined and its own inverse found by iteration.
//! command simulate {file} --output - --stop 1 --intervals 2
//! near u(1) = 0.1 within 1e-12
//! near v(1) = 0.2 within 1e-12
model FunctionInverseInlined
  function square
    input Real u;
    output Real y;
  algorithm
    y := u*u + 0.05*u;
    annotation(Inline = true, inverse(u = root(y)));
  end square;
  function root
    input Real y;
    output Real u;
  algorithm
    u := sqrt(y);
    annotation(Inline = true, inverse(y = square(u)));
  end root;
  Real u(start = 1), v;
equation
  square(u) = 0.01*time;
  v = root(0.04*time);
end FunctionInverseInlined;
