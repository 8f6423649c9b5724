// A relay that switches back as soon as it has switched.
//! command simulate {file} --output -
//! error R104 12:3
//! exit 3
//! message at time 0.5: events follow each other without end
//! message the relation that switches: u = (if x > 0.5 then -1 else 1), where u = 
//! message what to try: a hysteresis
model Relay
  Real x(start=0, fixed=true);
  Real u;
equation
  u = if x > 0.5 then -1 else 1;
  der(x) = u;
end Relay;
