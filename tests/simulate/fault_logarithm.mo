// A value that is no number stops the run, also where no state depends on it.
//! command simulate {file} --output -
//! error R103 12:3
//! exit 3
//! message failed at time 0.5: log(x - 0.5) has no value: the logarithm of 
//! message in the equation for 'y'
//! message first row that gives no finite value: y = log(x - 0.5), where y = 
model Log
  Real x(start=1, fixed=true), y;
equation
  der(x) = -1;
  y = log(x - 0.5);
end Log;
