// The usual mistake of a counter: the new value is computed from itself.
//! command simulate {file} --output -
//! error D103 10:11
//! message 1 unknown has only 0 equations
//! message fault_when_itself.mo:14:5: note: likely cause: 'n' is computed from itself; in a when-clause, pre(n) is its value before the event
//! exit 1

model M
  Real x(start = 1, fixed = true);
  Integer n(start = 0);
equation
  der(x) = -x;
  when x < 0.5 then
    n = n + 1;
  end when;
end M;
