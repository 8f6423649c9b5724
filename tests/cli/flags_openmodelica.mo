// Flags that people know: with a sign or with the next word, several values in one override.
//! command simulate {file} -override=k=2,c={1,2},x=3 -stopTime 2 -tolerance=1e-9 -variableFilter=x|k|s -s=rungekutta -r=-
//! output "time","k","x","s"\n0,2,3,3\n
//! near x(2) = 0.0549469166 within 1e-6
//! check {rubato} simulate {file} -outputFormat=csv -lv=LOG_STATS > out && grep -q '"steps_accepted"' out && head -1 M_res.csv | grep -q '"time","k",'
//! check printf '# values\nk = 2\nx=3\n' > values; {rubato} simulate {file} --override values --output a.csv --quiet && {rubato} simulate {file} -overrideFile=values -outputFormat csv --quiet && cmp a.csv M_res.csv && sed -n 2p a.csv | grep -q '^0,2,'
model M
  parameter Real k = 1;
  parameter Real c[2] = {0, 0};
  Real x(start = 1, fixed = true);
  Real s = c[1] + c[2];
equation
  der(x) = -k*x;
end M;
