model M
  Real x annotation (Dialog(tab="a" group="b"));
  Real y;
equation
  y = 3 3;
  annotation (experiment(StopTime=));
end M;
//! error P105 2:37
//! error P101 5:9
//! error P106 6:35
