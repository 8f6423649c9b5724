model M "what states cannot contain"
  block S
    Integer i(start = 0);
  equation
    when time > 1 then //! error F213
      i = 1;
    end when;
    terminate("the end"); //! error F213
  end S;
  S a;
equation
  initialState(a);
end M;
//! command check {file}
//! message a state cannot contain a when-clause whose condition is not a clock
//! message a state cannot contain terminate
