// A state may end the simulation.
//! command simulate {file} --output - --stop 9
//! message the model ended the simulation at time 3: in b
//! near a.n(3) = 3 within 0
model MachineEnd
  block A
    Integer n(start = 0);
  equation
    n = previous(n) + 1;
  end A;
  block B
  equation
    terminate("in b");
  end B;
  A a;
  B b;
equation
  initialState(a);
  transition(a, b, a.n >= 3, immediate = false);
  when Clock(1) then
    assert(a.n < 9, "many");
  end when;
end MachineEnd;
