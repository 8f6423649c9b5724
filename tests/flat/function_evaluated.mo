//! command flat {file}
//! output Real[6] x
model M
  function fact
    input Integer n;
    output Integer y;
  algorithm
    if n <= 1 then
      y := 1;
    else
      y := n*fact(n - 1);
    end if;
  end fact;
  Real x[fact(3)] = ones(fact(3));
end M;
