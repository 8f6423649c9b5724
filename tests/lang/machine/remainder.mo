model M "an Integer equation that might leave a remainder is refused in a state as elsewhere"
  block S
    input Integer n;
    Integer i(start = 0);
  equation
    2*i = n;
  end S;
  S a(n = k); //! error D103
  Integer k(start = 0);
equation
  when Clock(1) then
    k = previous(k) + 1;
  end when;
  initialState(a);
end M;
//! command check {file}
//! message 'a.i' is no Real, and solving this equation for it might leave a remainder; write a.i = ...
