model M "operators of events need a solver method"
  Integer n(start = 0), m(start = 0);
  Boolean b(start = false), c, d, e;
  Real x, y;
equation
  when Clock(1, 10) then
    n = pre(n) + 1; //! error D146
    x = sample(time);
    y = delay(x, 0.2); //! error D146
    b = x > 0.5;
    c = edge(b); //! error D146
    d = change(b); //! error D146
    e = initial(); //! error D146
  end when;
  when c then
    m = n; //! error D146
  end when;
end M;
//! command check {file}
//! message a clocked partition without a solver method cannot contain pre
//! message cannot contain delay
//! message cannot contain edge
//! message cannot contain change
//! message cannot contain initial
