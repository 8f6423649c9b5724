// terminal() is true in the last row, in equations and algorithms, and in no other.
//! command simulate {file} --stop 1 --intervals 2 --output -
//! warning R105 21:5
//! message at time 1: at the end x = 1
//! check {rubato} simulate {file} --stop 1 --intervals 2 --output r.csv --quiet 2>/dev/null; awk -F, 'NR > 1 && ($3 != (NR == 5 ? 100 : 1) || $4 != (NR == 5)) { exit 1 } END { if (NR != 5) exit 1 }' r.csv
//! near y(0.5) = 1 within 0
//! near last(0.5) = -1 within 0
model TerminalValue
  Real x(start = 0, fixed = true);
  Real y = if terminal() then 100 else 1;
  Boolean t = terminal();
  discrete Real last(start = -1, fixed = true);
equation
  der(x) = 1;
  when terminal() then
    last = x;
  end when;
algorithm
  if terminal() then
    // A warning tells the text.
    assert(false, "at the end x = " + String(x), AssertionLevel.warning);
  end if;
end TerminalValue;
