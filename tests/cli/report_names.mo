// A page names its model; the one of a result is called after it.
//! input {rubato} simulate {file} --output {tmp}/Wave_res.mat --quiet
//! command report {tmp}/Wave_res.mat --output {tmp}/Wave.html
//! output report: 
//! check grep -q "<title>Wave</title>" Wave.html && grep -q "</html>" Wave.html
model Wave
  Real x = sin(time);
end Wave;
