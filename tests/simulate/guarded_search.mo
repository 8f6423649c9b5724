// A function with a while loop and an assertion in several branches of which each guards it otherwise.
//! command simulate {file} --stop 1 --output -
//! near x(1) = 1 within 1e-6
//! near y(1) = 2 within 1e-6
//! near t0(1) = 0.5 within 1e-9
model GuardedSearch
  function root "by bisection"
    input Real c;
    output Real x;
  protected
    Real a = 0, b = 10, m;
    Integer it = 0;
  algorithm
    assert(c >= 0, "root of negative");
    while true loop
      m := (a + b)/2;
      if m*m > c then
        b := m;
      else
        a := m;
      end if;
      it := it + 1;
      if b - a < 1e-13 or it > 200 then
        break;
      end if;
    end while;
    x := (a + b)/2;
  end root;
  Real u = 2*time - 1;
  Real x = (if u > 0 then root(u) else 0);
  Real y = (if u > 0 then root(u) + 1 else if u > -0.5 then root(-u) else root(u + 1));
  discrete Real t0(start=0, fixed=true);
equation
  when u > 0 then
    t0 = time;
  end when;
end GuardedSearch;
