// What the model says when it ends the simulation is shown; the run is a success.
//! command simulate {file} --output {tmp}/r.csv
//! message the model ended the simulation at time 0.5: half is 0.5
//! output M: 0.5 s in
model M
  Real x = time;
equation
  when x >= 0.5 then
    terminate("half is " + String(x));
  end when;
end M;
