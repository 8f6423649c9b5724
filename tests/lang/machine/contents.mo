model M "what states cannot contain"
  block S
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
    when x > 1 then
      reinit(x, 0); //! error F213
      terminate("now"); //! error F213
    end when;
    terminate("the end"); //! error F213
  end S;
  S a;
equation
  initialState(a);
end M;
//! command check {file}
//! message a state cannot contain terminate
//! message a state cannot contain reinit
