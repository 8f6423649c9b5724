// Equations of states that are solved for no variable, in choices and loops in them: of Reals, Integers and Booleans, with branches that are
// written differently. State a is active but at the tick 3.
//! command simulate {file} --output - --stop 5 --interval 0.5
//! near a.x(0.5) = 5 within 1e-9
//! near a.y(0.5) = 4 within 1e-9
//! near a.w(0.5) = 1.5159802276928205 within 1e-8
//! near a.i(0.5) = 2 within 0
//! near a.j(0.5) = 3 within 0
//! near a.z[2](0.5) = 6 within 1e-9
//! near a.x(1.5) = 4 within 1e-9
//! near a.i(1.5) = -4 within 0
//! near a.on(1.5) = 1 within 0
//! near a.z[1](1.5) = 7 within 1e-9
//! near a.z[2](1.5) = 8 within 1e-9
//! near a.x(2.5) = 2 within 1e-9
//! near a.y(2.5) = 1 within 1e-9
//! near a.z[1](2.5) = -1 within 1e-9
//! near a.i(2.5) = 1 within 0
//! near a.z[1](3.5) = -1 within 1e-9
//! near a.z[1](4.5) = -3 within 1e-9
//! near a.i(4.5) = -1 within 0
//! near a.on(4.5) = 0 within 0
model OpenChoices
  block A
    input Integer u;
    Real x(start = 0), y(start = 0), z[2](each start = 0), w(start = 0);
    Integer i(start = 0), j(start = 0);
    Boolean on(start = false);
  equation
    x - y = 1;
    if u > 1 then
      x + y = 3;
      for k in 1:2 loop
        z[k] + u = k;
      end for;
      i + u = 3;
      assert(u < 90, "large");
      not on = u > 3;
    elseif u == 1 then
      x + 2*y = 10;
      z[1] = 7;
      u - i = 5;
      z[2] - z[1] = 1;
      on = true;
    else
      z = {5, 6};
      on = false;
      if on then
        i = 1;
        x = 4;
      else
        i = 2;
        x = 5;
      end if;
    end if;
    w^3 + w - x = 0;
    j = i + 1;
  end A;
  block B
  end B;
  A a(u = n);
  B b;
  Integer n(start = -1);
equation
  when Clock(1, 1) then
    n = previous(n) + 1;
  end when;
  initialState(a);
  transition(a, b, n == 3);
  transition(b, a, n == 4, reset = false);
end OpenChoices;
