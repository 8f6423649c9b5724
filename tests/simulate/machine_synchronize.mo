// A synchronizing transition (17.1, 17.3.1) waits until all machines of its state are in final states, and
// for its condition. Delayed and immediate ones leave at the same tick: one after the last machine has
// reached its final state. A state without machines does not wait.
//! command simulate {file} --output - --stop 9 --interval 0.5
//! near out1(3.5) = 0 within 0
//! near out1(4.5) = 0 within 0
//! near out1(5.5) = 1 within 0
//! near out2(4.5) = 0 within 0
//! near out2(5.5) = 1 within 0
//! near out3(5.5) = 0 within 0
//! near out3(6.5) = 0 within 0
//! near out3(7.5) = 1 within 0
//! near out4(0.5) = 0 within 0
//! near out4(1.5) = 1 within 0
model Synchronize
  block State
  end State;
  block Two
    State a, b, x, y;
  equation
    initialState(a);
    transition(a, b, ticksInState() >= 2, immediate = false); //! warning F214
    initialState(x);
    transition(x, y, ticksInState() >= 4, immediate = false); //! warning F214
  end Two;
  Two s1, s2, s3;
  State s4, t1, t2, t3, t4;
  Integer n(start = -1), out1, out2, out3, out4;
equation
  when Clock(1) then
    n = previous(n) + 1;
    out1 = if activeState(t1) then 1 else 0;
    out2 = if activeState(t2) then 1 else 0;
    out3 = if activeState(t3) then 1 else 0;
    out4 = if activeState(t4) then 1 else 0;
  end when;
  initialState(s1);
  transition(s1, t1, true, immediate = false, synchronize = true);
  initialState(s2);
  transition(s2, t2, true, synchronize = true);
  initialState(s3);
  transition(s3, t3, n >= 7, synchronize = true);
  initialState(s4);
  transition(s4, t4, true, synchronize = true);
end Synchronize;
