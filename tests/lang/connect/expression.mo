model M
  connector RealOut = output Real;
  RealOut y;
equation
  connect(y, 2);
end M;
//! command check {file}
//! error P101 5:14
