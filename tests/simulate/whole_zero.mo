// The 0 of an Integer has no sign, whatever it was computed from.
//! command simulate {file} --output -
//! near a(1) = 0 within 0
//! check {rubato} simulate {file} --output {tmp}/r.csv --quiet && ! grep -q -- '-0\(,\|$\)' {tmp}/r.csv
//! check {rubato} simulate {file} --output {tmp}/r.csv --quiet --tier 1 && ! grep -q -- '-0\(,\|$\)' {tmp}/r.csv
model whole_zero
  Integer a = integer(ceil(-0.5*time)), b = integer(-0.0), c = -integer(0.5*time), d = sign(-0.0*time), e = div(-1, 2);
  Integer f = integer(ceil(-0.5 + 0*time)), g = mod(-2, 2), h = -(if time > 2 then 1 else 0), i = 0*(-3);
  parameter Integer p = integer(ceil(-0.2)), q = -0, r = div(-1, 3);
end whole_zero;
