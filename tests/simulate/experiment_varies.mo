//! command simulate {file} --output -
//! error R106 6:36
model ExperimentVaries
  parameter Real T = 2;
  Real x = T;
  annotation(experiment(StopTime = T));
end ExperimentVaries;
