//! command simulate {file} --stop 1 --output r.csv --quiet
//! error R113 9:5
//! message the infinitely fast process of 150 equations for 'z[
//! exit 3
model M
  Real z[150](each start = 0);
equation
  for i in 1:150 loop
    Rubato.THETA*der(z[i]) = z[i] - z[i]^3 + 0.3*(z[mod(i, 150) + 1] - 2*z[i] + z[mod(i - 2, 150) + 1]);
  end for;
end M;
