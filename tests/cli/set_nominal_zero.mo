// A nominal value of 0 has no meaning; it counted as 1 without a word.
//! command simulate {file} --set x.nominal=0
//! exit 2
//! message --set x.nominal=0: a nominal value is a finite number other than 0
//! check for v in nan inf -0 0.0; do {rubato} simulate {file} --set x.nominal=$v 2> e && exit 1; grep -q 'a nominal value is a finite number other than 0' e || exit 1; done; {rubato} simulate {file} --set x.nominal=-2 --quiet --output r.csv
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
end M;
