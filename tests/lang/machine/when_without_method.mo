model M "a condition in a state needs a partition with a solver method, as elsewhere"
  block S
    Integer n(start = 0), k(start = 0);
  equation
    n = previous(n) + 1;
    when n > 2 then //! error D146
      k = 1;
    end when;
  end S;
  S a;
equation
  initialState(a);
  when Clock(1, 10) then
    assert(a.n < 9, "many");
  end when;
end M;
//! command check {file}
//! message cannot contain a when-clause whose condition is not a clock
