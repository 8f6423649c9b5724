// An experiment that makes no sense is a mistake of the model, not of the command line.
//! command simulate {file} --output -
//! error R106 5:40
model M
  Real x = time; annotation(experiment(Tolerance = 0, StopTime = 2));
end M;
