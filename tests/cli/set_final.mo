//! command simulate {file} --set L=4 --output -
//! exit 2
//! message --set L=4: this is final
model M
  final parameter Integer L = 3;
  Real x(start = L, fixed = true);
equation
  der(x) = -x;
end M;
