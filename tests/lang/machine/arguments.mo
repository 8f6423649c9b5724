model M "types and variability of the arguments"
  block S
  end S;
  S a, b;
  Boolean on(start = false);
  Integer n(start = 0);
equation
  when Clock(1) then
    on = not previous(on);
    n = previous(n) + 1;
  end when;
  initialState(a);
  transition(a, b, n); //! error F202
  transition(a, b, on, immediate = on); //! error F202
  transition(a, b, on, reset = 1); //! error F202
  transition(a, b, on, synchronize = on); //! error F202
  transition(a, b, on, priority = n); //! error F202
  transition(a, b, on, priority = 1.5); //! error F202
  transition(a, b); //! error T160
  transition(a, b, on, late = true); //! error T161
end M;
//! command check {file}
//! message the condition of a transition is a Boolean, this is Integer
//! message 'immediate' of a transition must be known when translating
//! message 'reset' of a transition is a Boolean
//! message 'priority' of a transition is an Integer
