// Relations of an algorithm section whose times are known are not looked for between output points, nor are those of values that
// change at these times only; whatever a section computes from the time, alone or by a variable, is: y = 1 from 1 on and 2 from
// 2.5 on, k = 1 while y = 2; n = 1 from 4.5 on, where 2*time passes 9, m = 1 from 1.3 on, where the square of an input of time does.
//! command simulate {file} --model P.Known --stop 5 --intervals 100 --output -
//! stat crossing_rows < 20
//! near y(0.9) = 0 within 0
//! near y(1.2) = 1 within 0
//! near y(2.6) = 2 within 0
//! near k(2.4) = 0 within 0
//! near k(2.6) = 1 within 0
//! check {rubato} simulate {file} --model P.Open --stop 5 --intervals 3 --output r.csv && grep -q '^4.5\(0*\|0*[1-9]\)\?,' r.csv && tail -1 r.csv | grep -q ',1,1$'
package P
  model Known
    parameter Real t[2] = {1, 2.5};
    discrete Integer y(start = 0, fixed = true), k(start = 0, fixed = true);
  algorithm
    for i in 1:2 loop
      if time >= t[i] then
        y := i;
      end if;
    end for;
    k := if y > 1.5 then 1 else 0;
  end Known;
  model Open
    Real u = time^2;
    Real s;
    Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
  algorithm
    s := 2*time;
    n := if s > 9 then 1 else 0;
    m := if u > 1.69 then 1 else 0;
  end Open;
end P;
