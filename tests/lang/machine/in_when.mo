model M "neither when-clauses nor conditions that change"
  block S
  end S;
  S a, b;
  Boolean on(start = false);
equation
  initialState(a);
  when Clock(1) then
    on = not previous(on);
    transition(a, b, true); //! error F200
  end when;
  if on then
    transition(b, a, true); //! error F200
  end if;
end M;
//! command check {file}
//! message 'transition' cannot stand in a when-clause
//! message 'transition' stands under a condition that is not known when translating
