//! command check {file}
//! output 1000000 equations, 1000000 unknowns
//! output 1 shape
model LoopIfLong "a condition in a long double loop is not unrolled"
  constant Integer N = 1000;
  Real a[N, N];
equation
  for i in 1:N loop
    for j in 1:N loop
      if i == j then
        a[i, j] = 0;
      else
        a[i, j] = time/abs(i - j);
      end if;
    end for;
  end for;
end LoopIfLong;
//! long
