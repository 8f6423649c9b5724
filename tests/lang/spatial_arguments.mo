// What spatialDistribution needs (Modelica 3.6, 3.7.4.2); points that are parameters are looked at when the run starts.
//! command check {file}
//! check {rubato} simulate {file} --model P --set p=0.5 --output m.csv > m.txt 2>&1; test $? = 3 && grep -q "initialPoints of spatialDistribution do not ascend from 0 to 1" m.txt || { cat m.txt; exit 1; }
model P
  parameter Real p = 1;
  Real a, b;
equation
  (a, b) = spatialDistribution(time, 0, time, true, {0, p}, {0, 0});
end P;
model M
  Real a[6], b[6];
  Real v[2] = {0, 0};
equation
  (a[1], b[1]) = spatialDistribution(time, 0, time, 1); //! error T150
  (a[2], b[2]) = spatialDistribution(time, v, time, true); //! error T150
  (a[3], b[3]) = spatialDistribution(time, 0, time, true, {0.0, 0.7}, {0, 0}); //! error T150
  (a[4], b[4]) = spatialDistribution(time, 0, time, true, {0.0, 1.0}, {0, 0, 1}); //! error T150
  (a[5], b[5]) = spatialDistribution(time, 0, time, true, {0.0, 0.6, 0.5, 1.0}, {0, 0, 1, 1}); //! error T150
  (a[6], b[6]) = spatialDistribution(time, 0, time, true, {0.0, 1.0}, v); //! error T150
end M;
