model M
  annotation (experiment(StopTime=1);
end M;
//! error P105 2:37
