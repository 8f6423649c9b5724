// ticksInState and timeInState (17.1): from the activation on, 1 and 0 again after a transition to the state
// itself or to one around it, also without reset. With ticks of 1 ms: a1 is entered at 10 ms and active for
// five ticks with a delayed transition; with an immediate one on the same condition a state is active
// for four.
//! command simulate {file} --output - --stop 0.04 --interval 0.0005
//! near on1(0.0095) = 0 within 0
//! near on1(0.0105) = 1 within 0
//! near on1(0.0145) = 1 within 0
//! near on1(0.0155) = 0 within 0
//! near at1(0.0145) = 5 within 0
//! near at1(0.0165) = 0 within 0
//! near on2(0.0155) = 1 within 0
//! near on2(0.0185) = 1 within 0
//! near on2(0.0195) = 0 within 0
//! near a2.n(0.0185) = 4 within 0
//! near a2.t(0.0185) = 0.003 within 1e-15
//! near a2.t(0.0255) = 0.003 within 1e-15
//! near a3.t(0.0195) = 0 within 0
//! near a3.t(0.0245) = 0.005 within 0
//! near a3.t(0.0255) = 0 within 0
//! near a3.n(0.0255) = 1 within 0
//! near a3.inner_.n(0.0245) = 6 within 0
//! near a3.inner_.n(0.0255) = 1 within 0
//! near a3.inner_.m(0.0255) = 7 within 0
//! near a3.inner_.n(0.0265) = 2 within 0
model Time
  block Plain
  end Plain;
  block Counting
    Integer n = ticksInState(); //! warning F214
    Real t = timeInState(); //! warning F214
  end Counting;
  block Around
    extends Counting;
    block Inner
      Integer n, m(start = 0);
    equation
      n = ticksInState(); //! warning F214
      m = previous(m) + 1;
    end Inner;
    Inner inner_;
  equation
    initialState(inner_);
  end Around;
  Plain a0, a1;
  Counting a2;
  Around a3;
  Integer on1, on2, at1;
equation
  initialState(a0);
  transition(a0, a1, sample(time, Clock(1, 1000)) > 0.0095);
  transition(a1, a2, ticksInState() >= 5, immediate = false);
  transition(a2, a3, ticksInState() >= 5);
  transition(a3, a3, timeInState() >= 0.006, reset = false);
  on1 = if activeState(a1) then 1 else 0;
  on2 = if activeState(a2) then 1 else 0;
  at1 = ticks1;
protected
  Integer ticks1(start = 0) = if activeState(a1) then previous(ticks1) + 1 else 0;
end Time;
