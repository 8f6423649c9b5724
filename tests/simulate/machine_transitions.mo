// Immediate and delayed transitions and their priorities (17.1, 17.3.1), tick by tick: at the first tick the
// initial state is active although its immediate transition could fire; a delayed transition fires one
// tick after its condition; of two that fire at once the one with the smaller priority number does.
//! command simulate {file} --output - --stop 7 --interval 0.5
//! near now(0.5) = 1 within 0
//! near now(1.5) = 2 within 0
//! near now(2.5) = 3 within 0
//! near now(3.5) = 2 within 0
//! near now(4.5) = 3 within 0
//! near now(5.5) = 2 within 0
//! near other(0.5) = 1 within 0
//! near other(1.5) = 1 within 0
//! near other(2.5) = 2 within 0
//! near other(3.5) = 1 within 0
//! near other(4.5) = 1 within 0
//! near other(5.5) = 2 within 0
//! near other(6.5) = 1 within 0
//! near first(6.5) = 1 within 0
//! near alone(6.5) = 7 within 0
model Transitions
  block State
  end State;
  block Counter
    Integer ticks(start = 0);
  equation
    ticks = previous(ticks) + 1;
  end Counter;
  parameter Boolean late = true;
  constant Integer least = 1;
  State a, b, c, d, e;
  Counter single "a machine of one state";
  Integer n(start = -1), now, other, first, alone;
equation
  when Clock(1) then
    n = previous(n) + 1;
    alone = single.ticks;
  end when;
  initialState(a);
  transition(a, b, n >= 0);
  transition(b, c, n >= 1, immediate = not late);
  transition(c, a, n >= 2, true, true, false, least + 1);
  transition(c, b, n >= 2, immediate = false, priority = least);
  now = if activeState(a) then 1 elseif activeState(b) then 2 else 3;
  // a second machine beside the first one
  initialState(d);
  if late then
    transition(d, e, mod(n, 3) == 1, immediate = false);
  else
    transition(d, e, false);
  end if;
  transition(e, d, true);
  other = if activeState(d) then 1 else 2;
  first = if n >= 0 and stays then 1 else 0;
  initialState(single);
protected
  Boolean stays = not activeState(a) or n == 0;
end Transitions;
