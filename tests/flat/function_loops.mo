//! command flat {file}
//! output Real[9] x
model M
  function f
    input Integer n;
    output Integer s = 0;
  protected
    Integer v[:] = {i*i for i in 1:n};
    Integer k = 0;
  algorithm
    for i in 1:n loop
      s := s + v[i];
    end for;
    while true loop
      k := k + 1;
      s := s - 1;
      if k >= 5 then
        break;
      end if;
    end while;
  end f;
  Real x[f(3)] = zeros(f(3));
end M;
