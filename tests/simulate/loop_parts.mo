// Boundaries and neighbour lists inside loops: the loops are cut, and each row names what it reads.
//! command simulate {file} --output - --intervals 1
//! near worst(1) = 0 within 1e-12
//! near a[1](1) = 1025 within 1e-12
//! near a[3](1) = 117 within 1e-12
//! near a[2000](1) = 8004 within 1e-12
//! near c[20,30](1) = 102 within 1e-12
//! near t[4,2](1) = 6 within 1e-12
//! near declared[1](1) = 7 within 0
//! near declared[1000](1) = 2000 within 1e-12
//! near declared[2000](1) = 3999 within 1e-12
//! near raised(1) = 2 within 0
//! check {rubato} check {file} --dump rows > rows; grep -q "equation // 9854 rows in 96 families" rows
//! check ! grep -q "b\[1\] \.\.\. " rows
model LoopParts
  parameter Integer N = 2000;
  parameter Integer left[N] = {if i == 1 then 7 elseif mod(i, 500) == 0 then 3 else i - 1 for i in 1:N};
  parameter Integer from = 3;
  Real b[N] = {i*time for i in 1:N};
  Real declared[N] = {if i > 1 then b[i - 1] + b[min(i + 1, N)] else 7 for i in 1:N};
  Real a[N], expected[N], worst;
  Real d[20, 30] = {{i + 2*j for j in 1:30} for i in 1:20};
  Real c[20, 30], cc[20, 30];
  Real t[6, 6];
  discrete Integer hits[8](each start = 0, each fixed = true);
  Integer raised = sum(hits);
equation
  for i in 1:N loop
    a[i] = (if i > 1 then b[i - 1] else 1000) + b[max(i - 1, 1)] + b[mod(i, N) + 1]
      + (if i == from and i < N then 100 else 0) + b[left[i]] + (if i >= N or i < 2 then b[i] else 0*time)
      + (if not i <= 2 and i <> N then b[i - 2] else 2) + (if i == 1 then 12 elseif i < 5 then 6*b[1] else b[i]);
    expected[i] = time*((if i > 1 then i - 1 else 0) + (if i > 1 then i - 1 else 1) + mod(i, N) + 1 + left[i]
      + (if i >= N or i < 2 then i else 0) + (if i > 2 and i < N then i - 2 else 0)
      + (if i == 1 then 0 elseif i < 5 then 6 else i))
      + (if i == 3 then 100 else 0) + (if i > 2 and i < N then 0 else 2) + (if i == 1 then 1012 else 0);
  end for;
  worst = max(abs(a - expected)) + max(abs(c - cc));
  for i in 1:20 loop
    for j in 1:30 loop
      c[i, j] = d[max(i - 1, 1), j] + (if j < 30 then d[i, j + 1] else 0)*(if i == j then 2 else 1)
        + (if i > 19 and j > 29 then 10 else 0) + d[mod(i + j, 20) + 1, 1];
      cc[i, j] = max(i - 1, 1) + 2*j + (if j < 30 then i + 2*j + 2 else 0)*(if i == j then 2 else 1)
        + (if i > 19 and j > 29 then 10 else 0) + mod(i + j, 20) + 1 + 2;
    end for;
  end for;
  for i in 1:6 loop
    for j in 1:i loop
      t[i, j] = if i == j then 1 else i + j*time;
    end for;
    for j in i + 1:6 loop
      t[i, j] = if j > 2 then t[i, j - 1] + 1 else time;
    end for;
  end for;
  for i in 1:8 loop
    when (if i > 6 then b[i - 6] > 0.5 else b[min(i + 1000, 1010)] < 0) then
      hits[i] = pre(hits[i]) + 1;
    end when;
  end for;
end LoopParts;
