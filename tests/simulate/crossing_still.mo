// Relations that change at events only are not looked for in steps: samples, whose times are known, and what continuous equations
// compute from discrete values alone, as the sum of steps of a state graph. Beside a relation of a state they are in no list; without
// another relation a model without states goes from point to point. A sum with an input is looked for.
//! command simulate {file} --model P.Graph --stop 5 --intervals 100 --output -
//! stat crossing_rows < 20
//! near active(2.3) = 1 within 0
//! near active(4.6) = 2 within 0
//! check {rubato} simulate {file} --model P.Both --stop 5 --output r.csv --stats s.json && grep -q '"events_state":1,' s.json
package P
  model Graph
    Boolean a(start = false, fixed = true), b(start = false, fixed = true);
    Real sum = (if a then 1 else 0) + (if b then 1 else 0) + 0.5;
    Integer active = integer(sum);
  equation
    when sample(0.5, 2) then
      a = not pre(a);
    end when;
    when sample(3, 10) then
      b = true;
    end when;
  end Graph;
  model Both
    extends Graph;
    Real x(start = 0, fixed = true);
    Boolean high = x + active > 2.05;
  equation
    der(x) = 0.25;
  end Both;
end P;
