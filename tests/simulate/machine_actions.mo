// Loops, choices, reinit, assertions and terminate in when-clauses of states, with the left limit of a state variable. The ball falls with
// explicit Euler steps of 0.1 s while a is active (not at 0.8 s and 0.9 s); where it is too low it is lifted to 0.2 with half of its speed.
//! command simulate {file} --output - --stop 5 --interval 0.05
//! warning R105 37:9
//! message at time 1.5: often
//! message the model ended the simulation at time 2.1: enough
//! near a.h(0.45) = 0.4 within 1e-12
//! near a.h(0.55) = 0.2 within 1e-12
//! near a.v(0.55) = 2.5 within 1e-12
//! near a.n(0.55) = 1 within 0
//! near a.k[3](0.55) = 3 within 0
//! near a.small(0.55) = 1 within 0
//! near a.large(0.55) = 0 within 0
//! near a.h(0.95) = 0.6 within 1e-12
//! near a.v(1.55) = 2.25 within 1e-12
//! near a.n(1.55) = 2 within 0
//! near a.k[2](1.55) = 4 within 0
//! near a.small(1.55) = 1 within 0
//! near a.large(1.55) = 2 within 0
//! near b.n(2.05) = 2 within 0
model MachineActions
  block A
    Real h(start = 1, fixed = true), v(start = 0, fixed = true);
    Integer n(start = 0), k[3](each start = 0), large(start = 0), small(start = 0);
  equation
    der(h) = v;
    der(v) = -10;
    when h < 0.05 then
      reinit(v, -0.5*pre(v));
      reinit(h, 0.2);
      n = pre(n) + 1;
      for i in 1:3 loop
        k[i] = pre(k[i]) + i;
      end for;
      if n > 1 then
        large = n;
        assert(n < 2, "often", AssertionLevel.warning);
        for i in 1:3 loop
          if n > 2 and i == 2 then
            terminate("enough");
          end if;
        end for;
      else
        small = n;
      end if;
    end when;
  end A;
  block B
    Integer n(start = 0);
  equation
    n = previous(n) + 1;
    if n > 100 then
      terminate("never");
    end if;
  end B;
  A a;
  B b;
  Integer n(start = -1), now = if activeState(a) then 1 else 2;
equation
  when Clock(Clock(1, 10), "ExplicitEuler") then
    n = previous(n) + 1;
  end when;
  initialState(a);
  transition(a, b, n == 8);
  transition(b, a, n == 10, reset = false);
end MachineActions;
