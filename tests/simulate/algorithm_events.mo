// Relations and step functions inside loops of algorithm sections, also between local variables, make
// events like all others: each change is located, and the section keeps its way between events.
//! command simulate {file} --model M --stop 1 --interval 0.5 --output -
//! stat events_state = 17
//! near n(1) = 3 within 0
//! near n(0.77) = 3 within 0
//! near k(0.95) = 8 within 0
//! near rest(0.5) = 0.2 within 1e-9
//! near level(0.5) = 1 within 0
//! near area(1) = 2.7 within 1e-9
model M
  Real x(start = 0, fixed = true), area(start = 0, fixed = true);
  Real border[3] = {0.2, 0.5, 0.7};
  Integer n, k;
  Real rest, level;
equation
  der(x) = 1;
  der(area) = level;
algorithm
  n := 0;
  for i in 1:3 loop
    if time > 0.25*i then
      n := n + 1;
    end if;
  end for;
algorithm
  level := 0;
  for i in 1:3 loop
    if x > border[i] then
      level := level + i;
    end if;
  end for;
  k := 0;
  while x > 0.11*(k + 1) loop
    k := k + 1;
  end while;
  rest := x;
  while rest > 0.3 loop
    rest := rest - 0.3;
  end while;
end M;
